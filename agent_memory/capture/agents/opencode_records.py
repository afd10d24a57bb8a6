"""Reads OpenCode's database (see `opencode.py`).

A row stands for a message with its parts. Rows change while an answer streams: one that is not finished ends the
reading until it is, or until nobody touched it for a while. What the user took back is deleted by the host at the next
prompt, and until then named in the session's ``revert``.
"""

from __future__ import annotations

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

NAME: Final = "opencode"
_WORKING: Final = frozenset(("pending", "running"))


def sessions(database: Path) -> Iterator[Path]:
    """The sessions of a database, subagents behind their parents."""
    with rows.opened(database) as connection:
        found = connection.execute("SELECT id, parent_id FROM session ORDER BY id").fetchall()
    parents = {str(row["id"]): fields.text(row["parent_id"]) for row in found}
    yield from (rows.path_of(database, *chain) for chain in rows.chains(parents))


def head(path: Path) -> Head | None:
    """What the session's row says; None if it has no message yet."""
    if not rows.is_session(path):
        return None
    host = rows.host_id(path)
    with rows.opened(path.parent) as connection:
        row = connection.execute("SELECT * FROM session WHERE id = ?", (host,)).fetchone()
        first = connection.execute("SELECT data FROM part WHERE session_id = ? ORDER BY time_created, id LIMIT 8",
                                   (host,)).fetchall()
    if row is None or not first:
        return None
    about = dict(row)
    own = any(marker.OWN_CALL in str(part["data"]) for part in first)
    return Head(host, moment(about.get("time_created")), fields.text(about.get("directory")),
                title=fields.text(about.get("title")), parent=fields.text(about.get("parent_id")), own_call=own)


def read(path: Path, after: Cursor | None, *, seen: Collection[str], now: datetime) -> Iterator[Record]:
    """Records after a cursor."""
    about = head(path)
    found: list[Row] = []
    if about is not None:
        with rows.opened(path.parent) as connection:
            found = _rows(connection, about.host_id)
    child = bool(about and about.parent)
    return rows.follow(NAME, path, about, found, after, seen, now, lambda recorder: _Reader(recorder, child=child))


def _rows(connection: sqlite3.Connection, session: str) -> list[Row]:
    parts: dict[str, list[dict[str, Any]]] = {}
    touched: dict[str, float] = {}
    for part in connection.execute("SELECT id, message_id, time_updated, data FROM part WHERE session_id = ? "
                                   "ORDER BY time_created, id", (session,)):
        parts.setdefault(part["message_id"], []).append({"id": part["id"], **(fields.loads(part["data"]) or {})})
        touched[part["message_id"]] = max(touched.get(part["message_id"], 0), part["time_updated"] or 0)
    about = connection.execute("SELECT * FROM session WHERE id = ?", (session,)).fetchone()
    revert = fields.text((fields.loads(fields.text(dict(about).get("revert"))) or {}).get("messageID")) if about else ""
    found = []
    for message in connection.execute("SELECT id, time_created, time_updated, data FROM message WHERE session_id = ? "
                                      "ORDER BY time_created, id", (session,)):
        data, mine = fields.loads(message["data"]) or {}, parts.get(message["id"], [])
        if revert and message["id"] >= revert:  # hidden now; deleted at the next prompt, or shown again
            found.append(Row((message["time_created"] or 0, str(message["id"])), {}, settled=False))
            continue
        last = moment(max(message["time_updated"] or 0, touched.get(message["id"], 0)))
        found.append(Row((message["time_created"] or 0, str(message["id"])),
                         {"id": message["id"], "message": data, "parts": mine}, last, _settled(data, mine)))
    return found


def _settled(message: dict[str, Any], parts: list[dict[str, Any]]) -> bool:
    if any(p.get("type") == "tool" and fields.text(fields.mapping(p.get("state")).get("status")) in _WORKING
           for p in parts):
        return bool(message.get("error"))
    if message.get("role") != "assistant":
        return bool(parts)
    return bool(message.get("error")) or bool(fields.mapping(message.get("time")).get("completed")) \
        or bool(message.get("finish"))


class _Reader:
    """Turns messages and their parts into records."""

    def __init__(self, recorder: Recorder, *, child: bool) -> None:
        self.recorder, self.child = recorder, child

    def row(self, line: Line, data: dict[str, Any]) -> Iterator[Record]:
        """One message: its text as one record, then its tools."""
        message, parts = data["message"], data["parts"]
        at = fields.mapping(message.get("time")).get("created")
        role = message.get("role")
        if role == "user":
            yield from self._user(line, data["id"], parts, at)
        elif role == "assistant":
            text = marker.strip(_text(parts))
            who, via = Role.AGENT, Via.ANSWER
            if message.get("summary") is True:
                who, via = Role.HARNESS, Via.SUMMARY
            elif message.get("error"):
                who, via = Role.HARNESS, Via.INJECTED  # cut off in the middle of a sentence
            yield from self.recorder.message(line, data["id"], who, via, text, at)
        else:
            yield Skipped(self.recorder.file, line.number, "bad-field:role")
        for part in parts:
            if part.get("type") == "tool":
                yield from self._tool(line, part, at)

    def _user(self, line: Line, record_id: str, parts: list[dict[str, Any]], at: object) -> Iterator[Record]:
        said = words(_text([p for p in parts if not p.get("synthetic") and not p.get("ignored")]))
        if not said:
            text = marker.strip(_text(parts), cut_head=True)
            yield from self.recorder.message(line, record_id, Role.HARNESS, Via.INJECTED, text, at)
        elif self.child and not self.recorder.state.get("tasked"):
            self.recorder.state["tasked"] = True
            yield from self.recorder.message(line, record_id, Role.AGENT, Via.TASK, said, at)
        else:
            yield from self.recorder.message(line, record_id, Role.PERSON, Via.PROMPT, said, at)

    def _tool(self, line: Line, part: dict[str, Any], at: object) -> Iterator[Record]:
        state = fields.mapping(part.get("state"))
        call_id = fields.text(part.get("callID")) or fields.text(part.get("id"))
        name, shown = fields.text(part.get("tool"))[:120], tool_input(state.get("input"))
        times = fields.mapping(state.get("time"))
        yield from self.recorder.call(line, call_id, name, shown, times.get("start") or at)
        if self.recorder.waiting(call_id) is None:
            return
        status = fields.text(state.get("status"))
        text = fields.text(state.get("output")) or fields.text(state.get("error"))
        if marker.has_marker(text):
            text = marker.strip(text, cut_head=True)
        elif is_own_command(name, shown):
            text = RECALLED
        code = fields.number(fields.mapping(state.get("metadata")).get("exit"))
        ended = {"completed": "ok", "error": "error"}.get(status, "open")
        said = ""
        if status == "error" and "rejected permission" in text:
            ended, said, text = "refused", _feedback(text), ""
        yield from self.recorder.result(line, call_id, text, "error" if code and ended == "ok" else ended, code,
                                        times.get("end") or at)
        if said:
            yield from self.recorder.message(line, f"{call_id}#said", Role.PERSON, Via.REFUSAL, said, at)


def _feedback(text: str) -> str:
    """A person's words behind a refusal, where the host says there are some."""
    return text.partition("with the following feedback:")[2].strip()


def _text(parts: list[dict[str, Any]]) -> str:
    texts = (fields.text(p.get("text")) for p in parts if p.get("type") == "text")
    return "\n\n".join(t for t in texts if t)


def words(text: str) -> str:
    """The person's own words; ``opencode run`` puts the whole prompt in quotation marks.

    >>> words('"Use metres."')
    'Use metres.'
    """
    text = marker.strip(text).strip()
    quoted = len(text) > 2 and text[0] == text[-1] == '"' and '"' not in text[1:-1].replace('\\"', "")
    return text[1:-1].replace('\\"', '"').strip() if quoted else text
