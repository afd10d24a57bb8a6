"""A session in windows that fit a model: numbered lines, with some earlier ones carried over for context."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent_memory.llm.base import tokens
from agent_memory.model.candidate import SessionView
from agent_memory.model.transcript import Message, Role, ToolEvent, Via
from agent_memory.text.marker import strip

Record = Message | ToolEvent

WINDOW = 12_000
"""Tokens of new lines in a window."""
CARRY = 1_500
"""Tokens of earlier lines that are shown for context."""
_LONGEST = 6_000
_TOOL_INPUT, _TOOL_OUTPUT = 400, 300
_SPEAKERS = {
    Via.PROMPT: "person", Via.REFUSAL: "person refuses a tool call", Via.CHOICE: "person answers a question",
    Via.ANSWER: "agent", Via.PLAN: "approved plan", Via.TASK: "agent instructs a subagent"}


@dataclass(frozen=True, slots=True)
class Line:
    """A record as it is shown."""

    record: Record
    text: str
    size: int


@dataclass(frozen=True, slots=True)
class Window:
    """Earlier lines for context, then new ones. Numbers count from 1 over both."""

    earlier: tuple[Line, ...]
    new: tuple[Line, ...]

    def shown(self, number: int) -> Line | None:
        """The line with this number."""
        lines = len(self.earlier) + len(self.new)
        if not 1 <= number <= lines:
            return None
        return self.earlier[number - 1] if number <= len(self.earlier) else self.new[number - 1 - len(self.earlier)]

    def is_new(self, number: int) -> bool:
        """True for a line that no earlier window had as new."""
        return number > len(self.earlier)

    def text(self) -> str:
        """Both parts as the model sees them."""
        parts = []
        if self.earlier:
            parts += ["Earlier lines, for context only:", *_numbered(self.earlier, 1), ""]
        return "\n".join([*parts, "New lines:", *_numbered(self.new, len(self.earlier) + 1)])


def _numbered(lines: Sequence[Line], first: int) -> list[str]:
    return [f"[{number}] {line.text}" for number, line in enumerate(lines, first)]


def lines(view: SessionView) -> list[Line]:
    """What may be shown of a session: people's and agents' words and, shortened, tools; never what a host injected."""
    found = []
    for record in view.records:
        text = _tool(record) if isinstance(record, ToolEvent) else _message(record)
        if text:
            found.append(Line(record, text, tokens(text) + 4))
    return found


def _message(message: Message) -> str:
    if message.role is Role.HARNESS or message.via not in _SPEAKERS:
        return ""
    said = strip(message.text).strip()
    who = "agent's plan, approved" if message.via is Via.PLAN and message.role is Role.AGENT else _SPEAKERS[message.via]
    return f"{who}: {_block(said, _LONGEST)}" if said else ""


def _tool(event: ToolEvent) -> str:
    ended = f"exit {event.exit_code}" if event.exit_code is not None else event.status
    return f"tool {event.name} ({ended}): {_block(event.input, _TOOL_INPUT)} => {_block(event.output, _TOOL_OUTPUT)}"


def _block(text: str, longest: int) -> str:
    """Shortened in the middle, and indented so that no text can imitate the beginning of a numbered line."""
    if len(text) > longest:
        half = longest // 2
        text = f"{text[:half]} … {text[-half:]}"
    return "\n    ".join(text.splitlines())


def windows(view: SessionView, *, size: int = WINDOW, carry: int = CARRY) -> Iterator[Window]:
    """The fresh part of a session in windows of about ``size`` tokens, each with up to ``carry`` tokens before it."""
    shown = lines(view)
    start = next((i for i, line in enumerate(shown) if line.record.seq >= view.fresh_from), len(shown))
    while start < len(shown):
        end, used = start, 0
        while end < len(shown) and (end == start or used + shown[end].size <= size):
            used += shown[end].size
            end += 1
        if any(isinstance(line.record, Message) for line in shown[start:end]):
            yield Window(tuple(_before(shown, start, carry)), tuple(shown[start:end]))
        start = end


def _before(shown: Sequence[Line], start: int, carry: int) -> list[Line]:
    first, used = start, 0
    while first > 0 and used + shown[first - 1].size <= carry:
        first -= 1
        used += shown[first].size
    return list(shown[first:start])
