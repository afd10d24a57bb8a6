"""Reads Codex rollouts (see `codex.py`).

Nearly every text is there twice, as ``response_item`` and as ``event_msg``; one stream is taken, the items where there
are any. Since about 0.170 a message says for each of its parts whether a person or the harness wrote it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from agent_memory.capture.agents.base import Head, Record
from agent_memory.capture.agents.codex_text import answers, outcome, words
from agent_memory.capture.bounded import tool_input
from agent_memory.capture.lines import Line, Lines, plain_name
from agent_memory.capture.recorder import RECALLED, Recorder, Target, is_own_command, moment, session_id
from agent_memory.model.transcript import Cursor, Role, Session, Skipped, Via
from agent_memory.projects import normalise_remote
from agent_memory.text import marker

NAME: Final = "codex"
HEAD_LINES: Final = 400
CHECKPOINT: Final = (400, 8 * 1024 * 1024)
_TYPE = re.compile(rb'"type"\s*:\s*"([\w-]{1,60})"')
_PAYLOAD = re.compile(rb'"payload"\s*:\s*\{\s*"type"\s*:\s*"([\w-]{1,60})"')
_DROPPED: Final = frozenset((
    "turn_context", "world_state", "token_usage_record", "ghost_snapshot", "session_state", "history_base",
    "thread_settings", "inter_agent_communication", "security_context"))
_DROPPED_ITEMS: Final = frozenset((
    "reasoning", "ghost_snapshot", "compaction", "compaction_summary", "context_compaction", "other", "agent_message",
    "compaction_trigger", "image_generation_call"))
_CALLS: Final = frozenset(("function_call", "custom_tool_call", "local_shell_call", "mcp_tool_call",
                           "tool_search_call"))
_RESULTS: Final = frozenset(("function_call_output", "custom_tool_call_output", "mcp_tool_call_output",
                             "tool_search_output", "local_shell_call_output"))


def _parse(line: Line) -> dict[str, Any] | None:
    raw = line.raw.lstrip(b"\x00 \t")
    try:
        record = json.loads(raw)
    except (ValueError, RecursionError):
        try:
            record = json.loads(raw.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return None
    return record if isinstance(record, dict) else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def head(path: Path) -> Head | None:
    """What the first ``session_meta`` of a rollout says; a later one belongs to the history it was forked from."""
    meta: dict[str, Any] = {}
    own = False
    for line in Lines(path, None):
        if line.number > HEAD_LINES or (meta and line.number > 60):
            break
        own = own or (bool(meta) and b'"role":"user"' in line.raw and marker.OWN_CALL.encode() in line.raw)
        if not meta and b"session_meta" in line.raw[:200]:
            record = _parse(line)
            if record and record.get("type") == "session_meta":
                meta = _dict(record.get("payload")) | {"_at": record.get("timestamp")}
    thread = _text(meta.get("id")) or _text(meta.get("session_id"))
    if not thread:
        return None
    git = _dict(meta.get("git"))
    spawned = _dict(_dict(_dict(meta.get("source")).get("subagent")).get("thread_spawn"))
    root = _text(meta.get("session_id"))
    parent = _text(meta.get("parent_thread_id")) or _text(spawned.get("parent_thread_id")) \
        or (root if root and root != thread else "")
    return Head(thread, moment(meta.get("timestamp")) or moment(meta["_at"]), _text(meta.get("cwd")),
                _text(git.get("branch")), normalise_remote(_text(git.get("repository_url"))), parent=parent,
                origin=_text(meta.get("forked_from_id")), own_call=own)


def _stream(path: Path) -> str:
    """ "items" if the rollout has response items with messages, else "events"."""
    for line in Lines(path, None):
        if line.number > 5 * HEAD_LINES:
            break
        start = line.raw[:400]
        if b'"response_item"' in start and b'"message"' in start:
            return "items"
    return "events"


def read(path: Path, after: Cursor | None, *, seen: Collection[str], now: datetime) -> Iterator[Record]:
    """Records after a cursor."""
    about = head(path)
    if about is None:
        yield Skipped(str(path), 0, "no-session")
        return
    with closing(Lines(path, after)) as lines:
        yield from _records(path, lines, about, after, seen, now)


def _records(path: Path, lines: Lines, about: Head, after: Cursor | None, seen: Collection[str],
             now: datetime) -> Iterator[Record]:
    target = Target(session_id(NAME, about.host_id), about.host_id)
    recorder = Recorder(NAME, plain_name(path), target, after, seen, now)
    if lines.rewritten:
        recorder.restart()
    parent = session_id(NAME, about.parent) if about.parent else ""
    yield Session(target.id, NAME, about.host_id, "", parent, about.cwd, about.branch, about.remote, about.title,
                  recorder.file, about.started_at)
    if recorder.state.get("stream") != "items":
        recorder.state["stream"] = _stream(path)
    reader = _Reader(recorder, child=bool(parent))
    mark, done = recorder.count, lines.offset
    begin = (lines.offset, recorder.seq, lines.rewritten)
    for line in lines:
        yield from reader.line(line)
        if recorder.count - mark >= CHECKPOINT[0] or lines.offset - done >= CHECKPOINT[1]:
            mark, done = recorder.count, lines.offset
            yield recorder.cursor(lines)
    if (lines.offset, recorder.seq, False) != begin:
        yield recorder.cursor(lines)


class _Reader:
    """Turns lines into records; what it must remember between reads is in the recorder's state."""

    def __init__(self, recorder: Recorder, *, child: bool) -> None:
        self.recorder = recorder
        self.child = child
        self.items = recorder.state["stream"] == "items"

    def _wanted(self, raw: bytes) -> str:
        """What to do with a line, from its first bytes: "read", "drop", or a reason to skip it."""
        start = raw[:400]
        found = _TYPE.search(start)
        if not found:
            return "read"
        kind = found[1].decode()
        if kind in _DROPPED:
            return "drop"
        if kind == "event_msg" and self.items:
            return "drop"
        if kind == "response_item":
            payload = _PAYLOAD.search(start)
            return "drop" if payload and (payload[1].decode() in _DROPPED_ITEMS) else "read"
        return "read"

    def line(self, line: Line) -> Iterator[Record]:
        file = self.recorder.file
        if line.too_long:
            yield Skipped(file, line.number, "too-long")
            return
        raw = line.raw.lstrip(b"\x00 \t\r\n")
        if not raw or self._wanted(raw) == "drop":
            return
        record = _parse(line)
        if record is None:
            yield Skipped(file, line.number, "not-json")
            return
        kind, payload = record.get("type"), record.get("payload")
        if kind == "response_item" and isinstance(payload, dict):
            yield from self._item(line, record, payload)
        elif kind == "event_msg" and isinstance(payload, dict):
            if not self.items:
                yield from self._event(line, record, payload)
        elif kind == "compacted" and isinstance(payload, dict):
            yield from self.recorder.message(line, f"sha:{line.sha256()[:24]}", Role.HARNESS, Via.SUMMARY,
                                             _text(payload.get("message")), record.get("timestamp"))
        elif kind in ("session_meta", "response_item", "event_msg", "compacted"):
            if not isinstance(payload, dict):
                yield Skipped(file, line.number, "bad-field:payload")
        elif not isinstance(kind, str):
            yield from self._oldest(line, record)
        elif kind not in _DROPPED:
            yield Skipped(file, line.number, f"unknown-type:{kind[:60]}")

    def _oldest(self, line: Line, record: dict[str, Any]) -> Iterator[Record]:
        """Before about 0.20 the items stood without an envelope; the first line was the bare meta record."""
        if record.get("record_type") == "state" or ("id" in record and "instructions" in record):
            return
        yield Skipped(self.recorder.file, line.number, "bad-field:type")

    def _record_id(self, line: Line, item: dict[str, Any]) -> str:
        return _text(item.get("id")) or f"sha:{line.sha256()[:24]}"

    def _item(self, line: Line, record: dict[str, Any], item: dict[str, Any]) -> Iterator[Record]:
        kind, at = _text(item.get("type")), record.get("timestamp")
        if kind == "message":
            yield from self._message(line, record, item)
        elif kind in _CALLS:
            name = _text(item.get("name")) or {"local_shell_call": "shell"}.get(kind, kind)
            yield from self.recorder.call(line, _text(item.get("call_id")) or _text(item.get("id")), name[:120],
                                          tool_input(_arguments(item)), at)
            call = self.recorder.waiting(_text(item.get("call_id")))
            if call is not None and name == "request_user_input":
                call["asked"] = _text(item.get("arguments"))[:8_000]
        elif kind in _RESULTS:
            yield from self._output(line, item, at)
        elif kind == "web_search_call":
            call_id = self._record_id(line, item)
            yield from self.recorder.call(line, call_id, "web_search", tool_input(_dict(item.get("action"))), at)
            yield from self.recorder.result(line, call_id, "", "ok", None, at)
        elif not kind:
            yield Skipped(self.recorder.file, line.number, "bad-field:payload.type")
        elif kind not in _DROPPED_ITEMS:
            yield Skipped(self.recorder.file, line.number, f"unknown-type:response_item/{kind[:40]}")

    def _output(self, line: Line, item: dict[str, Any], at: object) -> Iterator[Record]:
        call_id = _text(item.get("call_id"))
        raw = item.get("output", item.get("tools"))
        call = self.recorder.waiting(call_id) or {}
        text, status, code, said = outcome(raw)
        if marker.has_marker(text):
            text = marker.strip(text, cut_head=True)
        elif is_own_command(str(call.get("name", "")), str(call.get("input", ""))):
            text = RECALLED
        yield from self.recorder.result(line, call_id, text, status, code, at)
        if said:
            yield from self.recorder.message(line, f"{call_id}#said", Role.PERSON, Via.REFUSAL, said, at)
        for number, (question, answer) in enumerate(answers(call.get("asked", ""), raw) if "asked" in call else ()):
            yield from self.recorder.message(line, f"{call_id}#{number}", Role.PERSON, Via.CHOICE,
                                             f"{question} → {answer}", at)

    def _message(self, line: Line, record: dict[str, Any], item: dict[str, Any]) -> Iterator[Record]:
        content = item.get("content")
        if not isinstance(content, str | list):
            yield Skipped(self.recorder.file, line.number, "bad-field:content")
            return
        parts = [content] if isinstance(content, str) else [
            _text(b.get("text")) if isinstance(b, dict) else "" for b in content]
        role, record_id = item.get("role"), self._record_id(line, item)
        compaction = _dict(record.get("metadata")).get("compaction_output") is True
        if role == "assistant":
            who, via = (Role.HARNESS, Via.SUMMARY) if compaction else (Role.AGENT, Via.ANSWER)
            text = marker.strip("\n\n".join(p for p in parts if p))
        elif role == "user":
            who, via, text = self._speaker(parts, _dict(item.get("internal_chat_message_metadata_passthrough")))
        else:
            who, via = Role.HARNESS, Via.INJECTED
            text = marker.strip("\n\n".join(p for p in parts if p), cut_head=True)
        yield from self.recorder.message(line, record_id, who, via, text, record.get("timestamp"))

    def _speaker(self, parts: list[str], about: dict[str, Any]) -> tuple[Role, Via, str]:
        kinds, origins = about.get("content_item_kinds"), about.get("content_item_metadata")
        said: list[str] = []
        for number, part in enumerate(parts):
            kind = kinds[number] if isinstance(kinds, list) and number < len(kinds) else ""
            origin = origins[number] if isinstance(origins, list) and number < len(origins) else {}
            writer = _dict(_dict(origin).get("provenance")).get("type")
            if writer == "harness" or (isinstance(kind, str) and kind and not kind.startswith(("user", "unknown"))):
                continue
            said.append(words(part))
        text = "\n\n".join(s for s in said if s)
        if not text:
            return Role.HARNESS, Via.INJECTED, marker.strip("\n\n".join(p for p in parts if p), cut_head=True)
        if self.child and not self.recorder.state.get("tasked"):
            self.recorder.state["tasked"] = True
            return Role.AGENT, Via.TASK, text
        return Role.PERSON, Via.PROMPT, text

    def _event(self, line: Line, record: dict[str, Any], payload: dict[str, Any]) -> Iterator[Record]:
        """A file without response items: the older events, or completed items."""
        kind, at = payload.get("type"), record.get("timestamp")
        record_id = f"sha:{line.sha256()[:24]}"
        item = _dict(payload.get("item"))
        if kind == "user_message":
            who, via, text = self._speaker([_text(payload.get("message"))], {})
            yield from self.recorder.message(line, record_id, who, via, text, at)
        elif kind == "agent_message":
            yield from self.recorder.message(line, record_id, Role.AGENT, Via.ANSWER,
                                             marker.strip(_text(payload.get("message"))), at)
        elif kind == "item_completed" and item.get("type") in ("UserMessage", "AgentMessage"):
            blocks = item.get("content")
            parts = [_text(_dict(b).get("text")) for b in blocks] if isinstance(blocks, list) else []
            who, via, text = self._speaker(parts, {}) if item["type"] == "UserMessage" else (
                Role.AGENT, Via.ANSWER, marker.strip("\n\n".join(parts)))
            yield from self.recorder.message(line, _text(item.get("id")) or record_id, who, via, text, at)
        elif kind == "item_completed" and item.get("type") == "CommandExecution":
            code = item.get("exit_code")
            yield from self.recorder.call(line, _text(item.get("id")), "exec_command", tool_input(item), at)
            yield from self.recorder.result(line, _text(item.get("id")), _text(item.get("aggregated_output")),
                                            "ok" if code in (None, 0) else "error",
                                            code if isinstance(code, int) else None, at)


def _arguments(item: dict[str, Any]) -> Any:
    """What went into a call: JSON in a string, plain text, or an action."""
    for name in ("arguments", "input", "action"):
        value = item.get(name)
        if isinstance(value, str) and value[:1] == "{":
            try:
                return json.loads(value)
            except (ValueError, RecursionError):
                return value
        if value is not None:
            return value
    return {}
