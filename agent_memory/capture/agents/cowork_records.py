"""Reads Cowork's ``audit.jsonl`` (see `cowork.py`): each line is given the names Claude Code uses and read as one."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from agent_memory.capture import fields, follow
from agent_memory.capture.agents import claude_records
from agent_memory.capture.agents.base import Head, Record
from agent_memory.capture.lines import Line, Lines
from agent_memory.capture.recorder import Recorder, moment
from agent_memory.model.transcript import Cursor, Session, Skipped
from agent_memory.text import marker

NAME: Final = "cowork"
HEAD_LINES: Final = 200
_DROPPED: Final = frozenset(("system", "rate_limit_event", "result", "stream_event", "control_request",
                             "control_response", "keep_alive", "tool_progress"))


@dataclass(frozen=True, slots=True)
class _Renamed(Line):
    """A line in Claude Code's names; its hash stays that of the file's line."""

    written: str = ""

    def sha256(self) -> str:
        return self.written


def head(path: Path) -> Head | None:
    """The first lines; the id is the folder's, since the lines' may change at a resume."""
    host, cwd = path.parent.name.removeprefix("local_"), ""
    started: datetime | None = None
    own = any_line = False
    for line in Lines(path, None):
        if line.number > HEAD_LINES:
            break
        record = fields.parse(line)
        if record is None or not isinstance(record.get("type"), str):
            continue
        any_line = True
        started = started or moment(_time(record))
        cwd = cwd or fields.text(record.get("cwd"))
        if record["type"] == "user":
            own = marker.OWN_CALL.encode() in line.raw
            break
    return Head(host, started, cwd, own_call=own) if any_line else None


def _time(record: dict[str, Any]) -> object:
    return record.get("_audit_timestamp") or record.get("timestamp")


def read(path: Path, after: Cursor | None, *, seen: Collection[str], now: datetime) -> Iterator[Record]:
    """Records after a cursor."""
    return follow.follow(NAME, path, head(path), after, seen, now, _Reader)


class _Reader:
    """Renames, then reads as Claude Code's."""

    held = 0

    def __init__(self, recorder: Recorder, session: Session) -> None:
        self.recorder, self.session = recorder, session
        self.claude = claude_records.LineReader(recorder, session)

    def end(self) -> Iterator[Record]:
        """Nothing waits for what follows."""
        yield from ()

    def line(self, line: Line) -> Iterator[Record]:
        """One line of the audit."""
        if line.too_long:
            yield Skipped(self.recorder.file, line.number, "too-long")
            return
        if not line.raw.strip(b"\x00 \t\r\n"):
            return
        record = fields.parse(line)
        if record is None:
            yield Skipped(self.recorder.file, line.number, "not-json")
        elif record.get("type") in ("user", "assistant"):
            yield from self.claude.line(_Renamed(line.number, renamed(record), written=line.sha256()))
        elif not isinstance(record.get("type"), str):
            yield Skipped(self.recorder.file, line.number, "bad-field:type")
        elif record["type"] not in _DROPPED:
            yield Skipped(self.recorder.file, line.number, f"unknown-type:{record['type'][:60]}")


def renamed(record: dict[str, Any]) -> bytes:
    """A line as Claude Code would have written it. Words below a tool call are a subagent's."""
    parent = fields.text(record.get("parent_tool_use_id"))
    return json.dumps({**{k: v for k, v in record.items() if not k.startswith("_audit")},
                       "sessionId": record.get("session_id"), "timestamp": _time(record), "isSidechain": bool(parent),
                       "agentId": parent, "toolUseResult": record.get("tool_use_result")}, ensure_ascii=False).encode()
