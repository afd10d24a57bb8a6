"""Builds messages and tool events in order: sequence numbers, times, ids, repeated records, open tool calls."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Protocol

from agent_memory import clock, ids
from agent_memory.capture.bounded import HARNESS, MESSAGE, OUTPUT, SUMMARY, shorten
from agent_memory.capture.lines import Line
from agent_memory.model import rewind
from agent_memory.model.transcript import Cursor, Message, Role, ToolEvent, Via

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
RECENT: Final = 256
"""Digests of record ids that a cursor remembers, for files that repeat a record shortly after."""
OPEN_CALLS: Final = 100
"""Tool calls that may wait for their result; beyond it the oldest is given up as open."""
_EARLIEST: Final = datetime(2015, 1, 1, tzinfo=UTC)


def session_id(agent: str, host_id: str) -> str:
    """Our id of a session. It follows from the host's id alone, so that a child can name a parent not yet seen."""
    return ids.derive(EPOCH, "session", agent, host_id)


def moment(text: object) -> datetime | None:
    """A time as hosts write it (ISO 8601, or Unix seconds or milliseconds); None if it is none or impossible."""
    try:
        if isinstance(text, str):
            value = clock.parse(text)
        elif isinstance(text, int | float) and not isinstance(text, bool):
            value = datetime.fromtimestamp(text / 1000 if text > 1e11 else text, UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return value if value >= _EARLIEST else None


RECALLED: Final = "[recalled memory]"
"""Stands for the output of our own commands and tools: what they answer was learned before."""
_OWN_NAME = re.compile(r"agent[_-]utilities[_-]memory|\bagent_memory\b")


def is_own_command(name: str, tool_input: str) -> bool:
    """True if a tool call asks this program for memory, by its command line or its MCP tools."""
    if _OWN_NAME.search(name):
        return True
    return _OWN_NAME.search(tool_input) is not None and re.search(
        r"(?:agent-utilities-memory|-m agent_memory)[\w/\" '-]*\s(?:recall|context|status|export|history)\b",
        tool_input) is not None


@dataclass(slots=True)
class Target:
    """A session that records go to; one file may hold several."""

    id: str
    host_id: str


class Place(Protocol):
    """How far something was read: identity of the source, bytes (or rows), hash of what stands before, lines."""

    @property
    def identity(self) -> str:
        """Names the source beyond its path."""

    @property
    def offset(self) -> int:
        """Bytes, or rows of a database."""

    @property
    def tail(self) -> str:
        """Hash of the bytes before ``offset``, "" where there are none."""

    @property
    def lines(self) -> int:
        """Lines, or rows, before ``offset``."""


class Recorder:
    """Makes records of one file. ``state`` is the parser's own and travels in the cursor."""

    def __init__(self, agent: str, file: str, target: Target, after: Cursor | None, seen: Collection[str],
                 now: datetime) -> None:
        """Continue after a cursor, or begin."""
        self.agent, self.file, self.target, self.now = agent, file, target, now
        self.seq = after.seq if after else 0
        self.state: dict[str, Any] = _state(after)
        self._open: dict[str, dict[str, Any]] = self.state.setdefault("open", {})
        self._seen = seen
        self._recent: dict[str, None] = dict.fromkeys(after.seen if after else ())
        self.count = 0

    def restart(self) -> None:
        """The file was rewritten: what is known of its calls is void; the sequence goes on."""
        self.state = {"open": {}}
        self._open = self.state["open"]

    def time(self, text: object) -> tuple[datetime | None, bool]:
        """The time of a record, and whether it is the record's own: a missing or future one is replaced."""
        value = moment(text)
        own = value is not None and value <= self.now + timedelta(days=1)
        if value is not None and not own:
            value = self.now
        if value is None:
            last = self.state.get("last")
            value = moment(last) if last else None
        elif own:
            self.state["last"] = clock.text(value)
        return value, own

    def repeated(self, record: str) -> bool:
        """True if a record was stored before or stood in this file a short while ago; remembers it otherwise."""
        if record in self._seen:
            return True
        digest = hashlib.sha256(record.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        if digest in self._recent:
            return True
        self._recent[digest] = None
        if len(self._recent) > RECENT:
            del self._recent[next(iter(self._recent))]
        return False

    def message(self, line: Line, record: str, role: Role, via: Via, text: str, at: object,
                target: Target | None = None) -> Iterator[Message]:
        """A message, unless its text is empty or the record repeated."""
        size = SUMMARY if via is Via.SUMMARY else HARNESS if role is Role.HARNESS else MESSAGE
        text = shorten(text, size).strip()
        if not text or self.repeated(record):
            return
        when, own = self.time(at)
        target = target or self.target
        key = ids.derive(when if own and when else EPOCH, "message", self.agent, target.host_id, record)
        yield Message(key, target.id, self.agent, "", record, self._next(), role, via, text, when, self.file,
                      line.number, line.number, line.sha256())

    def taken_back(self, line: Line, record: str, at: object, *, onwards: bool) -> Iterator[Message]:
        """The host took a record back, and with ``onwards`` all that came after it; see `model.rewind`."""
        mark = f"{record}{rewind.ONWARDS if onwards else ''}"
        yield from self.message(line, f"rewind:{mark}@{self.seq}", Role.HARNESS, Via.REWIND, mark, at)

    def call(self, line: Line, call_id: str, name: str, tool_input: str, at: object,
             target: Target | None = None) -> Iterator[ToolEvent]:
        """Remember a tool call until its result; gives the oldest open call up if too many wait."""
        if not call_id or call_id in self._seen or call_id in self._open:
            return
        target = target or self.target
        self.time(at)
        self._open[call_id] = {"name": name, "input": tool_input, "line": line.number,
                               "at": at if isinstance(at, str | int | float) else None, "sha": line.sha256(),
                               "target": [target.id, target.host_id]}
        if len(self._open) > OPEN_CALLS:
            oldest = next(iter(self._open))
            yield from self._event(oldest, "", "open", None, None, None)

    def waiting(self, call_id: str) -> dict[str, Any] | None:
        """The open call of that id."""
        return self._open.get(call_id)

    def result(self, line: Line, call_id: str, output: str, status: str, exit_code: int | None, at: object,
               target: Target | None = None) -> Iterator[ToolEvent]:
        """A tool event from a call and its result. A result without a known call has no name."""
        if call_id not in self._open:
            if not call_id or self.repeated(call_id):
                return
            target = target or self.target
            self._open[call_id] = {"name": "", "input": "", "at": None, "line": line.number, "sha": line.sha256(),
                                   "target": [target.id, target.host_id]}
        yield from self._event(call_id, shorten(output, OUTPUT), status, exit_code, at, line)

    def _event(self, call_id: str, output: str, status: str, exit_code: int | None, at: object,
               line: Line | None) -> Iterator[ToolEvent]:
        call = self._open.pop(call_id)
        when, own = self.time(at if at is not None else call["at"])
        key = ids.derive(when if own and when else EPOCH, "tool", self.agent, call["target"][1], call_id)
        number, digest = (line.number, line.sha256()) if line else (call["line"], call["sha"])
        yield ToolEvent(key, call["target"][0], self.agent, "", call_id, self._next(), call["name"], call["input"],
                        output, status, exit_code, when, self.file, number, number, digest)

    def _next(self) -> int:
        self.seq += 1
        self.count += 1
        return self.seq - 1

    def cursor(self, lines: Place) -> Cursor:
        """Where the file was read to, with all that is needed to go on from there."""
        return Cursor(self.agent, self.file, self.target.id, lines.identity, lines.offset, lines.tail, lines.lines,
                      self.seq, json.dumps(self.state, sort_keys=True, ensure_ascii=False), tuple(self._recent))


def _state(after: Cursor | None) -> dict[str, Any]:
    if after is None:
        return {}
    try:
        state = json.loads(after.state or "{}")
    except ValueError:
        return {}
    return state if isinstance(state, dict) else {}
