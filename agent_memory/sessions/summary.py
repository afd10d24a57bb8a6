"""A session in a few lines, without a model: asked, decided, changed, failed, open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from agent_memory.model.memory import VISIBLE, Kind
from agent_memory.model.rewind import standing
from agent_memory.model.transcript import Message, Role, Session, ToolEvent, Via
from agent_memory.sessions.commands import changed_files, command_line, failure_line, heads
from agent_memory.store.base import GraphStore, MemoryFilter

LONGEST: Final = 160
MOST: Final = 8
_DECIDED: Final = frozenset({Kind.DECISION, Kind.PREFERENCE, Kind.ARCHITECTURE})


@dataclass(frozen=True, slots=True)
class Summary:
    """What a session was about. ``more`` counts what each list leaves out."""

    session: str
    agent: str
    title: str
    project: str
    started_at: datetime | None
    last_at: datetime | None
    asked: tuple[str, ...] = ()
    decided: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    messages: int = 0
    tools: int = 0
    children: int = 0
    more: dict[str, int] = field(default_factory=dict)


def summarise(graph: GraphStore, session: Session, *, children: int = 0) -> Summary:
    """The summary of one session; equal records give an equal summary."""
    records, _gone = standing(sorted([*graph.messages(session.id), *graph.tool_events(session.id)],
                                     key=lambda r: (r.seq, r.id)))
    messages = [r for r in records if isinstance(r, Message)]
    tools = [r for r in records if isinstance(r, ToolEvent)]
    memories = [m for m in graph.memories(MemoryFilter(sessions=(session.id,))) if m.status in VISIBLE]
    asked = [one_line(m.text) for m in messages if m.role is Role.PERSON and m.via in (Via.PROMPT, Via.CHOICE)] or [
        one_line(m.text) for m in messages if m.via is Via.TASK]
    lists = {
        "asked": asked,
        "decided": [one_line(m.text) for m in memories if m.kind in _DECIDED],
        "changed": _changed(tools),
        "failed": _failed(tools),
        "open": [one_line(m.text) for m in memories if m.rule == "open" or (m.kind is Kind.CONTEXT and not m.done)],
    }
    unique = {name: list(dict.fromkeys(v for v in values if v)) for name, values in lists.items()}
    return Summary(
        session.id, session.agent, session.title, session.project, session.started_at, session.last_at,
        messages=sum(1 for m in messages if m.role is not Role.HARNESS), tools=len(tools), children=children,
        more={n: len(v) - MOST for n, v in unique.items() if len(v) > MOST},
        **{name: tuple(values[:MOST]) for name, values in unique.items()})


def one_line(text: str, longest: int = LONGEST) -> str:
    """A text on one line, cut at a word."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[:longest].rsplit(' ', 1)[0]} …"


def _changed(tools: Sequence[ToolEvent]) -> list[str]:
    found = [path for event in tools for path in changed_files(event)]
    commits = [f"commit: {one_line(command_line(e), 100)}" for e in tools
               if e.status == "ok" and "git commit" in heads(command_line(e))]
    return [*dict.fromkeys(found), *commits]


def _failed(tools: Sequence[ToolEvent]) -> list[str]:
    """Calls that failed and whose like did not work later in the session."""
    later: set[str] = set()
    found: list[str] = []
    for event in reversed(tools):
        what = command_line(event) or event.name
        name = " ".join(heads(what)[:1]) or event.name
        if event.status == "ok":
            later.add(name)
        elif event.status == "error" and name not in later:
            found.append(f"{one_line(what, 80)}: {failure_line(event)}".rstrip(": "))
    return found[::-1]


