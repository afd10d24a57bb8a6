"""Reads agent-terminal-ui's database (see `agent_terminal_ui.py`).

``turns`` holds what was said. ``checkpoints`` repeat prompts and ``offline_queue`` holds what was never sent; both are
left alone.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from agent_memory.capture import fields, rows
from agent_memory.capture.agents.base import Head, Record
from agent_memory.capture.lines import Line
from agent_memory.capture.recorder import Recorder, moment
from agent_memory.capture.rows import Row
from agent_memory.model.transcript import Cursor, Role, Skipped, Via
from agent_memory.text import marker

NAME: Final = "agent_terminal_ui"
_WORKING: Final = frozenset(("pending", "running", "streaming", "active", "in_progress"))
_CUT: Final = frozenset(("interrupted", "error", "failed", "cancelled"))


def sessions(database: Path) -> Iterator[Path]:
    """The sessions of a database that have turns."""
    with rows.opened(database) as connection:
        found = connection.execute("SELECT DISTINCT session_id FROM turns ORDER BY session_id").fetchall()
    yield from (rows.path_of(database, str(row[0])) for row in found)


def head(path: Path) -> Head | None:
    """What the session's row says; None if nothing was said yet."""
    if not rows.is_session(path):
        return None
    host = rows.host_id(path)
    with rows.opened(path.parent) as connection:
        row = connection.execute("SELECT * FROM sessions WHERE id = ?", (host,)).fetchone()
        first = connection.execute("SELECT content FROM turns WHERE session_id = ? ORDER BY turn_number, created_at "
                                   "LIMIT 1", (host,)).fetchone()
    if row is None or first is None:
        return None
    about = dict(row)
    return Head(host, moment(about.get("created_at")), fields.text(about.get("workspace")),
                title=fields.text(about.get("title")), own_call=marker.OWN_CALL in str(first[0]))


def read(path: Path, after: Cursor | None, *, seen: Collection[str], now: datetime) -> Iterator[Record]:
    """Records after a cursor."""
    about = head(path)
    found: list[Row] = []
    if about is not None:
        with rows.opened(path.parent) as connection:
            found = _rows(connection, about.host_id)
    return rows.follow(NAME, path, about, found, after, seen, now, _Reader)


def _rows(connection: sqlite3.Connection, session: str) -> list[Row]:
    found = []
    for row in connection.execute("SELECT id, turn_number, role, content, created_at, status FROM turns "
                                  "WHERE session_id = ? ORDER BY created_at, turn_number, id", (session,)):
        data = dict(row)
        order = (data["created_at"] or 0.0, data["turn_number"] or 0, str(data["id"]))
        found.append(Row(order, data, moment(data["created_at"]), data.get("status") not in _WORKING))
    return found


class _Reader:
    """Turns turns into messages."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def row(self, line: Line, data: dict[str, Any]) -> Iterator[Record]:
        """One turn of a person or the agent."""
        text, role = fields.text(data.get("content")), data.get("role")
        who, via = Role.HARNESS, Via.INJECTED
        if role == "user":
            said = marker.strip(text).strip()
            if said:
                who, via, text = Role.PERSON, Via.PROMPT, said
        elif role == "assistant":
            if data.get("status") not in _CUT:
                who, via, text = Role.AGENT, Via.ANSWER, marker.strip(text)
        elif role not in ("system", "tool"):
            yield Skipped(self.recorder.file, line.number, f"unknown-type:{str(role)[:40]}")
            return
        if who is Role.HARNESS:
            text = marker.strip(text, cut_head=True)
        yield from self.recorder.message(line, str(data["id"]), who, via, text, data.get("created_at"))
