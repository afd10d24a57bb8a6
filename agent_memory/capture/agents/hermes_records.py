"""Reads Hermes' database (see `hermes.py`).

``active = 0`` means taken back by the user, unless ``compacted = 1``: then it was said and only archived. A session
that grew too long goes on in a child whose parent ended with ``compression``; other children are subagents.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Collection, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from agent_memory.capture import fields, rows
from agent_memory.capture.agents.base import Head, Record
from agent_memory.capture.bounded import tool_input
from agent_memory.capture.lines import Line
from agent_memory.capture.recorder import RECALLED, Recorder, is_own_command, moment
from agent_memory.capture.rows import Row
from agent_memory.model.transcript import Cursor, Role, Skipped, Via
from agent_memory.text import marker

NAME: Final = "hermes"
_STRUCTURED: Final = "\x00json:"
_SUMMARY = re.compile(r"\s*\[(?:CONTEXT COMPACTION|Context compaction|PREVIOUS CONTEXT SUMMARY)")
_WRAPPED = re.compile(r"<(?P<tag>memory-context|system-reminder|recalled_context)(?:\s[^<>\n]*)?>"
                      r"(?:.*?</(?P=tag)\s*>|.*\Z)", re.S)
_UNATTENDED: Final = frozenset(("cron", "batch", "webhook"))
"""Sources whose prompts no person wrote at the time."""
_COLUMNS: Final = ("id", "role", "content", "tool_call_id", "tool_calls", "tool_name", "timestamp", "active",
                   "compacted")


def sessions(database: Path) -> Iterator[Path]:
    """The sessions of a database, behind those that they continue or belong to."""
    with rows.opened(database) as connection:
        found = connection.execute("SELECT id, parent_session_id FROM sessions ORDER BY started_at, id").fetchall()
    parents = {str(row["id"]): fields.text(row["parent_session_id"]) for row in found}
    yield from (rows.path_of(database, *chain) for chain in rows.chains(parents))


def head(path: Path) -> Head | None:
    """What the session's row says; None if it has no message yet."""
    if not rows.is_session(path):
        return None
    host = rows.host_id(path)
    with rows.opened(path.parent) as connection:
        about = _session(connection, host)
        first = connection.execute("SELECT content FROM messages WHERE session_id = ? ORDER BY id LIMIT 3",
                                   (host,)).fetchall()
        parent = fields.text(about.get("parent_session_id"))
        continued = bool(parent) and _session(connection, parent).get("end_reason") == "compression"
    if not about or not first:
        return None
    own = any(marker.OWN_CALL in str(row["content"]) for row in first)
    return Head(host, moment(about.get("started_at")), fields.text(about.get("cwd")) or fields.text(
        about.get("git_repo_root")), fields.text(about.get("git_branch")), "",
        fields.text(about.get("title")), "" if continued else parent, parent if continued else "", own)


def _session(connection: sqlite3.Connection, session: str) -> dict[str, Any]:
    row = connection.execute("SELECT * FROM sessions WHERE id = ?", (session,)).fetchone()
    return dict(row) if row is not None else {}


def read(path: Path, after: Cursor | None, *, seen: Collection[str], now: datetime) -> Iterator[Record]:
    """Records after a cursor."""
    about = head(path)
    found: list[Row] = []
    source = ""
    if about is not None:
        with rows.opened(path.parent) as connection:
            source = fields.text(_session(connection, about.host_id).get("source"))
            found = _rows(connection, about.host_id)
    child = bool(about and about.parent)
    return rows.follow(NAME, path, about, found, after, seen, now,
                       lambda recorder: _Reader(recorder, child=child, unattended=source in _UNATTENDED))


def _rows(connection: sqlite3.Connection, session: str) -> list[Row]:
    there = {row[1] for row in connection.execute("PRAGMA table_info(messages)")}
    columns = ", ".join(c for c in _COLUMNS if c in there)  # older schemas lack some
    found = []
    for row in connection.execute(f"SELECT {columns} FROM messages WHERE session_id = ? ORDER BY id",
                                  (session,)):
        data = dict(row)
        gone = data.pop("active", 1) == 0 and data.pop("compacted", 0) == 0
        data.pop("compacted", None)
        found.append(Row((data["id"],), data, gone=gone))
    return found


class _Reader:
    """Turns messages into records."""

    def __init__(self, recorder: Recorder, *, child: bool, unattended: bool) -> None:
        self.recorder, self.child, self.unattended = recorder, child, unattended

    def row(self, line: Line, data: dict[str, Any]) -> Iterator[Record]:
        """One message."""
        role, at, record_id = data.get("role"), data.get("timestamp"), str(data["id"])
        text = content(data.get("content"))
        if role == "user":
            who, via, text = self._speaker(text)
            yield from self.recorder.message(line, record_id, who, via, text, at)
        elif role == "assistant":
            who, via = (Role.HARNESS, Via.SUMMARY) if _SUMMARY.match(text) else (Role.AGENT, Via.ANSWER)
            yield from self.recorder.message(line, record_id, who, via, marker.strip(text), at)
            for call in fields.dicts(_json(data.get("tool_calls"))):
                function = fields.mapping(call.get("function"))
                name, given = fields.text(function.get("name"))[:120], fields.text(function.get("arguments"))
                yield from self.recorder.call(line, fields.text(call.get("id")), name,
                                              tool_input(fields.loads(given) or given), at)
        elif role == "tool":
            yield from self._result(line, data, text, at)
        elif role in ("system", "developer", "session_meta"):
            yield from self.recorder.message(line, record_id, Role.HARNESS, Via.INJECTED,
                                             marker.strip(text, cut_head=True), at)
        else:
            yield Skipped(self.recorder.file, line.number, f"unknown-type:{str(role)[:40]}")

    def _speaker(self, text: str) -> tuple[Role, Via, str]:
        if _SUMMARY.match(text):
            return Role.HARNESS, Via.SUMMARY, marker.strip(text, cut_head=True)
        said = words(text)
        if not said or self.unattended:
            return Role.HARNESS, Via.INJECTED, marker.strip(text, cut_head=True)
        if self.child and not self.recorder.state.get("tasked"):
            self.recorder.state["tasked"] = True
            return Role.AGENT, Via.TASK, said
        return Role.PERSON, Via.PROMPT, said

    def _result(self, line: Line, data: dict[str, Any], text: str, at: object) -> Iterator[Record]:
        call_id = fields.text(data.get("tool_call_id")) or f"row:{data['id']}"
        given = fields.loads(text) if text[:1] == "{" else None
        code = fields.number(given.get("exit_code")) if given else None
        failed = bool(code) or bool(given and given.get("error"))
        if given:
            text = "\n".join(fields.text(given.get(k)) for k in ("output", "error", "content") if given.get(k)) or text
        if self.recorder.waiting(call_id) is None:
            yield from self.recorder.call(line, call_id, fields.text(data.get("tool_name"))[:120], "", at)
        call = self.recorder.waiting(call_id) or {}
        if marker.has_marker(text):
            text = marker.strip(text, cut_head=True)
        elif is_own_command(str(call.get("name", "")), str(call.get("input", ""))):
            text = RECALLED
        yield from self.recorder.result(line, call_id, text, "error" if failed else "ok", code, at)


def _json(value: object) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return None


def content(value: object) -> str:
    """The text of a message: plain, or structured behind a NUL, without images.

    >>> content(chr(0) + 'json:[{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "data:"}}]')
    'a'
    """
    if isinstance(value, str) and value.startswith(_STRUCTURED):
        return fields.joined(_json(value.removeprefix(_STRUCTURED)))
    return fields.text(value).replace("\x00", "")


def words(text: str) -> str:
    """The person's own words, without recalled context."""
    text = marker.strip(text)
    return (_WRAPPED.sub("", text) if "<" in text else text).strip()
