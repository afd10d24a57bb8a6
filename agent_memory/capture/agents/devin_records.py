"""Reads Devin's database and its ATIF documents (see `devin.py`).

Both formats are known from descriptions only. So every field may be missing: what has a role and text is a message,
what has tool calls is a tool event, the rest is counted as skipped. A message is stored as several rows while it
grows; the last one counts, and the newest message waits until another follows or nobody touched the file for a while.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from agent_memory.capture import fields, follow, rows, whole
from agent_memory.capture.agents.base import Head, Record
from agent_memory.capture.bounded import tool_input
from agent_memory.capture.lines import Line
from agent_memory.capture.recorder import RECALLED, Recorder, Target, is_own_command, moment, session_id
from agent_memory.capture.rows import Row
from agent_memory.model.transcript import Cursor, Role, Skipped, Via
from agent_memory.text import marker

NAME: Final = "devin"
_FOLDERS: Final = ("working_directory", "cwd", "workspace", "project_dir", "directory", "workspace_path")
_TIMES: Final = ("timestamp", "created_at", "created", "time")
_PEOPLE: Final = frozenset(("user", "human"))
_AGENTS: Final = frozenset(("assistant", "agent", "model"))
_HOST: Final = frozenset(("system", "developer", "environment"))


def sessions(database: Path) -> Iterator[Path]:
    """The sessions of a database."""
    with rows.opened(database) as connection:
        found = connection.execute("SELECT DISTINCT session_id FROM message_nodes ORDER BY session_id").fetchall()
    yield from (rows.path_of(database, str(row[0])) for row in found)


def head(path: Path) -> Head | None:
    """What is known of a session: its id, and a folder and a title where some column has them."""
    if not rows.is_session(path):
        return _document_head(path) if path.suffix == ".json" else None
    host = rows.host_id(path)
    with rows.opened(path.parent) as connection:
        first = connection.execute("SELECT chat_message FROM message_nodes WHERE session_id = ? ORDER BY rowid "
                                   "LIMIT 6", (host,)).fetchall()
        about: dict[str, Any] = {}
        if rows.has(connection, "sessions", "id"):
            row = connection.execute("SELECT * FROM sessions WHERE id = ?", (host,)).fetchone()
            about = dict(row) if row is not None else {}
    if not first:
        return None
    message = fields.loads(str(first[0][0])) or {}
    return Head(host, _first_time(about) or _first_time(message), _folder(about), title=fields.text(about.get("title")),
                own_call=any(marker.OWN_CALL in str(row[0]) for row in first))


def _document_head(path: Path) -> Head | None:
    data = whole.load(path).data or {}
    steps = fields.dicts(data.get("steps"))
    if not steps:
        return None
    agent = fields.mapping(data.get("agent"))
    extra = fields.mapping(agent.get("extra")) | fields.mapping(data.get("extra"))
    return Head(fields.text(data.get("session_id")) or path.stem, _first_time(data) or _first_time(steps[0]),
                _folder(data) or _folder(extra),
                own_call=any(marker.OWN_CALL in str(s.get("message")) for s in steps[:4]))


def _folder(about: dict[str, Any]) -> str:
    return next((about[k] for k in _FOLDERS if isinstance(about.get(k), str) and about[k]), "")


def _first_time(about: dict[str, Any]) -> datetime | None:
    return next((t for k in _TIMES if (t := moment(about.get(k))) is not None), None)


def _time(about: dict[str, Any]) -> object:
    return next((about[k] for k in _TIMES if moment(about.get(k)) is not None), None)


def read(path: Path, after: Cursor | None, *, seen: Collection[str], now: datetime) -> Iterator[Record]:
    """Records after a cursor."""
    about = head(path)
    if not rows.is_session(path):
        return _document(path, about, after, seen, now)
    found: list[Row] = []
    if about is not None:
        with rows.opened(path.parent) as connection:
            found = _rows(connection, about.host_id, _touched(path.parent))
    return rows.follow(NAME, path, about, found, after, seen, now, _Reader)


def _touched(database: Path) -> datetime:
    """When the host last wrote. An empty log does not count: opening the database makes one."""
    times = [os.stat(database).st_mtime]
    log = database.with_name(database.name + "-wal")
    if log.exists() and log.stat().st_size:
        times.append(log.stat().st_mtime)
    return datetime.fromtimestamp(max(times), UTC)


def _rows(connection: sqlite3.Connection, session: str, touched: datetime) -> list[Row]:
    newest: dict[str, tuple[int, dict[str, Any]]] = {}
    first: dict[str, int] = {}
    for number, row in enumerate(connection.execute("SELECT node_id, chat_message FROM message_nodes "
                                                    "WHERE session_id = ? ORDER BY rowid", (session,))):
        data = fields.loads(str(row["chat_message"])) or {}
        key = fields.text(data.get("message_id")) or str(row["node_id"])
        first.setdefault(key, number)
        newest[key] = (number, data)
    found = [Row((first[key], key), data | {"message_id": key}) for key, (_, data) in newest.items()]
    found.sort(key=lambda r: r.order)
    if found:
        found[-1] = Row(found[-1].order, found[-1].data, touched, settled=False)
    return found


def _document(path: Path, about: Head | None, after: Cursor | None, seen: Collection[str],
              now: datetime) -> Iterator[Record]:
    document = whole.load(path)
    if about is None or document.data is None:
        yield Skipped(str(path), 0, "no-session")
        return
    recorder = Recorder(NAME, str(path), Target(session_id(NAME, about.host_id), about.host_id), after, seen, now)
    yield follow.session_of(NAME, about, recorder.file)
    if document.unchanged(after):
        return
    reader = _Reader(recorder)
    for number, step in enumerate(fields.dicts(document.data.get("steps")), 1):
        key = fields.text(step.get("message_id")) or f"step:{step.get('step_id', number)}"
        data = {"message_id": key, "role": step.get("source"), "content": step.get("message")} | step
        yield from reader.row(whole.line_of(number, step), data)
    yield recorder.cursor(document)


class _Reader:
    """Turns messages, or steps of a document, into records."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def row(self, line: Line, data: dict[str, Any]) -> Iterator[Record]:
        """A message with its tool calls, or a tool's result."""
        role, at, record_id = fields.text(data.get("role")).lower(), _time(data), str(data["message_id"])
        text = fields.joined(data.get("content"))
        if role in _PEOPLE:
            said = marker.strip(text).strip()
            who, via = (Role.PERSON, Via.PROMPT) if said and data.get("is_user_input") is not False else (
                Role.HARNESS, Via.INJECTED)
            yield from self.recorder.message(line, record_id, who, via, said or marker.strip(text, cut_head=True), at)
        elif role in _AGENTS:
            yield from self.recorder.message(line, record_id, Role.AGENT, Via.ANSWER, marker.strip(text), at)
            yield from self._calls(line, data, at)
        elif role == "tool":
            yield from self._result(line, fields.text(data.get("tool_call_id")) or record_id, text, at)
        elif role in _HOST:
            yield from self.recorder.message(line, record_id, Role.HARNESS, Via.INJECTED,
                                             marker.strip(text, cut_head=True), at)
        else:
            yield Skipped(self.recorder.file, line.number, f"unknown-type:{role[:40]}")

    def _calls(self, line: Line, data: dict[str, Any], at: object) -> Iterator[Record]:
        for call in fields.dicts(data.get("tool_calls")):
            function = fields.mapping(call.get("function"))
            name = fields.text(call.get("function_name")) or fields.text(call.get("name")) or fields.text(
                function.get("name"))
            given = call.get("arguments", call.get("input", function.get("arguments")))
            call_id = fields.text(call.get("tool_call_id")) or fields.text(call.get("id"))
            shown = tool_input((fields.loads(given) or given) if isinstance(given, str) else given)
            yield from self.recorder.call(line, call_id, name[:120], shown, at)
        for result in fields.dicts(fields.mapping(data.get("observation")).get("results")):
            yield from self._result(line, fields.text(result.get("source_call_id")),
                                    fields.joined(result.get("content")), at)

    def _result(self, line: Line, call_id: str, text: str, at: object) -> Iterator[Record]:
        call = self.recorder.waiting(call_id) or {}
        if marker.has_marker(text):
            text = marker.strip(text, cut_head=True)
        elif is_own_command(str(call.get("name", "")), str(call.get("input", ""))):
            text = RECALLED
        yield from self.recorder.result(line, call_id, text, "unknown", None, at)
