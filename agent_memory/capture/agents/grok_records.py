"""Reads Grok Build's ``updates.jsonl`` (see `grok.py`).

A message comes in chunks, with lines of hooks between them; it is one record, and the cursor waits before its first
chunk until something else follows. ``eventId`` starts again when a session is resumed, so it names no record.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from agent_memory.capture import fields, follow
from agent_memory.capture.agents.base import Head, Record
from agent_memory.capture.bounded import tool_input
from agent_memory.capture.lines import Line, Lines
from agent_memory.capture.recorder import RECALLED, Recorder, is_own_command, moment
from agent_memory.model.transcript import Cursor, Role, Session, Skipped, Via
from agent_memory.text import marker

NAME: Final = "grok"
HEAD_LINES: Final = 60
STALE: Final = timedelta(minutes=10)
"""A message whose end did not come for so long has none: the host was killed."""
_KIND = re.compile(rb'"sessionUpdate"\s*:\s*"([\w-]{1,60})"')
_CHUNKS: Final = {"user_message_chunk": "user", "agent_message_chunk": "agent"}
_BETWEEN: Final = frozenset(("hook_execution", "background_tasks", "usage_update"))
"""Stand between the chunks of a message and end none."""
_DROPPED: Final = frozenset((
    "turn_completed", "compaction_checkpoint", "auto_compact_completed", "auto_compact_started", "agent_thought_chunk",
    "plan", "available_commands_update", "current_mode_update", "config_option_update", "session_info_update"))
_WRAPPED = re.compile(
    r"<(?P<tag>system-reminder|SYSTEM_MESSAGE|hook_context|environment_context|user_info|git_status|project_layout|"
    r"rules|user_rules)(?:\s[^<>\n]*)?>(?:.*?</(?P=tag)\s*>|.*\Z)", re.S)
_QUERY = re.compile(r"<user_query>\s*(.*?)\s*(?:</user_query>|\Z)", re.S)
_EXIT = re.compile(r"\Aexit: (-?\d{1,6})\n")


def head(path: Path) -> Head | None:
    """What ``summary.json`` says, or else the first updates and the folder's name."""
    about: dict[str, Any] = {}
    try:
        about = fields.loads(path.with_name("summary.json").read_bytes()) or {}
    except OSError:
        about = {}
    info = fields.mapping(about.get("info"))
    host, started, own = fields.text(info.get("id")), moment(about.get("created_at")), False
    for line in Lines(path, None):
        if line.number > HEAD_LINES:
            break
        record = fields.parse(line) or {}
        host = host or fields.text(fields.mapping(record.get("params")).get("sessionId"))
        started = started or moment(record.get("timestamp"))
        if b'"user_message_chunk"' in line.raw:
            own = marker.OWN_CALL.encode() in line.raw
            break
    if not host:
        return None
    from urllib.parse import unquote

    cwd = fields.text(info.get("cwd")) or next(
        (unquote(p.name) for p in path.parents if p.name.startswith(("%2F", "%2f")) or "%3A" in p.name), "")
    other = fields.text(about.get("parent_session_id"))
    child = "agent" in fields.text(about.get("session_kind")) or "subagents" in path.parts
    title = fields.text(about.get("session_summary"))
    return Head(host, started, cwd, fields.text(about.get("head_branch")), title=title, own_call=own,
                parent=other if child else "", origin="" if child else other)


def read(path: Path, after: Cursor | None, *, seen: Collection[str], now: datetime) -> Iterator[Record]:
    """Records after a cursor."""
    def make(recorder: Recorder, session: Session) -> _Reader:
        return _Reader(recorder, child=bool(session.parent), silent=_silent(path, now))

    return follow.follow(NAME, path, head(path), after, seen, now, make)


def _silent(path: Path, now: datetime) -> bool:
    try:
        return now - datetime.fromtimestamp(os.stat(path).st_mtime, UTC) > STALE
    except (OSError, OverflowError, ValueError):
        return False


class _Reader:
    """Collects chunks into messages and calls into tool events."""

    def __init__(self, recorder: Recorder, *, child: bool, silent: bool) -> None:
        self.recorder, self.child, self.silent = recorder, child, silent
        self.held = 0
        self._chunks: list[str] = []
        self._raw: list[bytes] = []
        self._about: tuple[str, str, object, bool] = ("", "", None, False)  # speaker, record id, time, from the host
        self._last = 0

    def line(self, line: Line) -> Iterator[Record]:
        file = self.recorder.file
        if line.too_long:
            yield Skipped(file, line.number, "too-long")
            return
        if not line.raw.strip(b"\x00 \t\r\n"):
            return
        found = _KIND.search(line.raw[:4_000])
        kind = found[1].decode() if found else ""
        if kind in _BETWEEN:
            return
        if kind in _DROPPED:
            yield from self._flush()
            return
        record = fields.parse(line)
        if record is None:
            yield Skipped(file, line.number, "not-json")
            return
        params = fields.mapping(record.get("params"))
        update = fields.mapping(params.get("update"))
        kind = fields.text(update.get("sessionUpdate"))
        if kind in _CHUNKS:
            yield from self._chunk(line, record, params, update, _CHUNKS[kind])
            return
        yield from self._flush()
        at = _at(record, params)
        if kind == "tool_call":
            yield from self.recorder.call(line, fields.text(update.get("toolCallId")), _tool_name(update),
                                          tool_input(update.get("rawInput")), at)
        elif kind == "tool_call_update":
            yield from self._result(line, update, at)
        elif not kind:
            yield Skipped(file, line.number, "bad-field:sessionUpdate")
        elif kind not in _DROPPED and kind not in _BETWEEN:
            yield Skipped(file, line.number, f"unknown-type:{kind[:60]}")

    def end(self) -> Iterator[Record]:
        if self.silent:
            yield from self._flush()

    def _chunk(self, line: Line, record: dict[str, Any], params: dict[str, Any], update: dict[str, Any],
               speaker: str) -> Iterator[Record]:
        text, own, outer = fields.joined(update.get("content")), fields.mapping(update.get("_meta")), fields.mapping(
            params.get("_meta"))
        turn = fields.text(outer.get("promptId")) or str(own.get("promptIndex", ""))
        if self._chunks and (self._about[0] != speaker or self._about[1].split(":")[1] != turn
                             or self._about[3] != (own.get("hostTurn") is True)):
            yield from self._flush()
        if not self._chunks:
            record_id = f"{speaker}:{turn}:{outer.get('chunkId', '')}:{outer.get('agentTimestampMs', line.number)}"
            self._about = (speaker, record_id, _at(record, params), own.get("hostTurn") is True)
            self.held = line.number
        self._chunks.append(text)
        self._raw.append(line.raw)
        self._last = line.number

    def _flush(self) -> Iterator[Record]:
        if not self._chunks:
            return
        text, first = "".join(self._chunks), self.held
        line = Line(first, b"".join(self._raw))
        speaker, record_id, at, host = self._about
        self._chunks, self._raw, self.held = [], [], 0
        if speaker == "agent":
            role, via, text = Role.AGENT, Via.ANSWER, marker.strip(text)
        else:
            role, via, text = self._speaker(text, host=host)
        for message in self.recorder.message(line, record_id, role, via, text, at):
            yield replace(message, line_end=self._last)

    def _speaker(self, text: str, *, host: bool) -> tuple[Role, Via, str]:
        said = words(text)
        if host or not said:
            return Role.HARNESS, Via.INJECTED, marker.strip(text, cut_head=True)
        if self.child and not self.recorder.state.get("tasked"):
            self.recorder.state["tasked"] = True
            return Role.AGENT, Via.TASK, said
        return Role.PERSON, Via.PROMPT, said

    def _result(self, line: Line, update: dict[str, Any], at: object) -> Iterator[Record]:
        status = fields.text(update.get("status"))
        if status not in ("completed", "failed", "cancelled", "rejected"):
            return
        call_id = fields.text(update.get("toolCallId"))
        call = self.recorder.waiting(call_id) or {}
        raw = fields.mapping(update.get("rawOutput"))
        text, code = _output(update, raw), fields.number(raw.get("exit_code"))
        if marker.has_marker(text):
            text = marker.strip(text, cut_head=True)
        elif is_own_command(str(call.get("name", "")), str(call.get("input", ""))):
            text = RECALLED
        ended = {"completed": "ok", "rejected": "refused"}.get(status, "error")
        yield from self.recorder.result(line, call_id, text, "error" if code else ended, code, at)


def words(text: str) -> str:
    """The person's own words in a prompt; "" if it is only harness text.

    >>> words("<user_info>OS: linux</user_info><user_query>Use metres.</user_query>")
    'Use metres.'
    """
    text = marker.strip(text)
    if "<" in text:
        found = _QUERY.search(text)
        text = _WRAPPED.sub("", found[1] if found else text)
    return "" if text.lstrip().startswith("/") and len(text.split()) == 1 else text.strip()


def _at(record: dict[str, Any], params: dict[str, Any]) -> object:
    return fields.mapping(params.get("_meta")).get("agentTimestampMs") or record.get("timestamp")


def _tool_name(update: dict[str, Any]) -> str:
    about = fields.mapping(fields.mapping(update.get("_meta")).get("x.ai/tool"))
    return (fields.text(about.get("name")) or fields.text(update.get("title")))[:120]


def _output(update: dict[str, Any], raw: dict[str, Any]) -> str:
    """What a tool printed: text for the model, else content blocks, else the list of byte values."""
    shown = fields.text(raw.get("output_for_prompt"))
    if shown:
        return _EXIT.sub("", shown, count=1)
    blocks = [fields.joined(b.get("content")) for b in fields.dicts(update.get("content"))]
    if any(blocks):
        return "\n".join(b for b in blocks if b)
    values = raw.get("output")
    if isinstance(values, list) and all(isinstance(v, int) and 0 <= v < 256 for v in values):
        return bytes(values).decode("utf-8", "replace")
    return fields.text(values)
