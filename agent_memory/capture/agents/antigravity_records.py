"""Reads Antigravity's transcripts (see `antigravity.py`).

One line is one step. There is no session id and no folder in the lines: the id is the conversation's folder, the
working folder is taken from the arguments of tools. A tool's step follows the answer that called it, without an id.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from agent_memory.capture import fields, follow
from agent_memory.capture.agents.base import Head, Record
from agent_memory.capture.bounded import tool_input
from agent_memory.capture.lines import Line, Lines
from agent_memory.capture.recorder import RECALLED, Recorder, is_own_command, moment
from agent_memory.model.transcript import Cursor, Role, Session, Skipped, Via
from agent_memory.text import marker

NAME: Final = "antigravity"
HEAD_LINES: Final = 200
MOST_WAITING: Final = 20
_REQUEST = re.compile(r"<USER_REQUEST>\s*(.*?)\s*(?:</USER_REQUEST>|\Z)", re.S)
_WRAPPED = re.compile(
    r"<(?P<tag>ADDITIONAL_METADATA|USER_SETTINGS_CHANGE|SYSTEM_MESSAGE|EPHEMERAL_MESSAGE|USER_INFORMATION|"
    r"MCP_SERVERS|user_rules|system-reminder)(?:\s[^<>\n]*)?>(?:.*?</(?P=tag)\s*>|.*\Z)", re.S)
_TIMES = re.compile(r"\A(?:(?:Created|Completed) At: [^\n]*\n+)+")
_CODE = re.compile(r"exit code: (-?\d{1,6})", re.I)
_DOCUMENT = re.compile(r"^Active Document: (\S.*?)(?: \(LANGUAGE_\w+\))?$", re.M)
_FOLDERS: Final = ("Cwd", "SearchPath", "SearchDirectory", "DirectoryPath")
_NOT_TOOLS: Final = frozenset(("USER_INPUT", "PLANNER_RESPONSE", "CONVERSATION_HISTORY", "SYSTEM_MESSAGE",
                               "EPHEMERAL_MESSAGE", "CHECKPOINT", "KNOWLEDGE_ARTIFACTS"))


def head(path: Path) -> Head | None:
    """The conversation's folder, and what the first steps say of the working folder."""
    started: datetime | None = None
    cwd = document = ""
    own = any_step = False
    for line in Lines(path, None):
        if line.number > HEAD_LINES or (cwd and line.number > 40):
            break
        record = fields.parse(line)
        if record is None or not isinstance(record.get("type"), str) or "step_index" not in record:
            continue
        any_step = True
        started = started or moment(record.get("created_at"))
        if record["type"] == "USER_INPUT":
            own = own or marker.OWN_CALL in fields.text(record.get("content"))
            found = _DOCUMENT.search(fields.text(record.get("content")))
            document = document or (found[1] if found else "")
        for call in fields.dicts(record.get("tool_calls")):
            given = arguments(call.get("args"))
            cwd = cwd or next((given[k] for k in _FOLDERS if isinstance(given.get(k), str) and given[k]), "")
    if not any_step:
        return None
    logs = path.parent
    host = logs.parents[1].name if logs.name == "logs" and len(logs.parents) > 1 else logs.name
    return Head(host, started, cwd or document.replace("\\", "/").rpartition("/")[0], own_call=own)


def read(path: Path, after: Cursor | None, *, seen: Collection[str], now: datetime) -> Iterator[Record]:
    """Records after a cursor."""
    return follow.follow(NAME, path, head(path), after, seen, now, _Reader)


def arguments(given: object) -> dict[str, Any]:
    """Arguments of a call, whose values are JSON inside a string.

    >>> arguments({"CommandLine": '"npm test"', "Overwrite": "false", "Plain": "a b"})
    {'CommandLine': 'npm test', 'Overwrite': False, 'Plain': 'a b'}
    """
    found: dict[str, Any] = {}
    for key, value in fields.mapping(given).items():
        if isinstance(value, str):
            try:
                found[key] = json.loads(value)
                continue
            except (ValueError, RecursionError):
                pass
        found[key] = value
    return found


class _Reader:
    """Turns steps into records; calls wait in order for the steps of their tools."""

    held = 0

    def __init__(self, recorder: Recorder, session: Session) -> None:
        del session
        self.recorder = recorder
        self._waiting: list[str] = recorder.state.setdefault("calls", [])

    def end(self) -> Iterator[Record]:
        """Nothing waits for what follows."""
        yield from ()

    def line(self, line: Line) -> Iterator[Record]:
        """One step."""
        file = self.recorder.file
        if line.too_long:
            yield Skipped(file, line.number, "too-long")
            return
        if not line.raw.strip(b"\x00 \t\r\n"):
            return
        record = fields.parse(line)
        if record is None:
            yield Skipped(file, line.number, "not-json")
            return
        kind, source = record.get("type"), record.get("source")
        if not isinstance(kind, str):
            yield Skipped(file, line.number, "bad-field:type")
            return
        # A step of the same number can come again after the user went back; its text then differs.
        record_id = f"{record.get('step_index', line.number)}:{line.sha256()[:16]}"
        at, content = record.get("created_at"), fields.joined(record.get("content"))
        if kind == "USER_INPUT" and source in ("USER_EXPLICIT", "USER", None):
            said = words(content)
            role, via = (Role.PERSON, Via.PROMPT) if said else (Role.HARNESS, Via.INJECTED)
            said = said or marker.strip(content, cut_head=True)
            yield from self.recorder.message(line, record_id, role, via, said, at)
        elif kind == "PLANNER_RESPONSE":
            yield from self.recorder.message(line, record_id, Role.AGENT, Via.ANSWER, marker.strip(content), at)
            yield from self._calls(line, record, record_id, at)
        elif kind == "CHECKPOINT" or (source == "SYSTEM" and kind in ("CONVERSATION_HISTORY", "CONVERSATION_SUMMARY")):
            yield from self.recorder.message(line, record_id, Role.HARNESS, Via.SUMMARY,
                                             marker.strip(content, cut_head=True), at)
        elif source == "MODEL" and kind not in _NOT_TOOLS:
            yield from self._tool(line, record, kind, content, record_id, at)
        else:
            yield from self.recorder.message(line, record_id, Role.HARNESS, Via.INJECTED,
                                             marker.strip(content, cut_head=True), at)

    def _calls(self, line: Line, record: dict[str, Any], record_id: str, at: object) -> Iterator[Record]:
        for number, call in enumerate(fields.dicts(record.get("tool_calls"))):
            given = arguments(call.get("args"))
            command = given.get("CommandLine")
            shown = tool_input(command if isinstance(command, str) else given)
            call_id = f"{record_id}#{number}"
            yield from self.recorder.call(line, call_id, fields.text(call.get("name"))[:120], shown, at)
            self._waiting.append(call_id)
        del self._waiting[:-MOST_WAITING]

    def _tool(self, line: Line, record: dict[str, Any], kind: str, content: str, record_id: str,
              at: object) -> Iterator[Record]:
        """A tool's step belongs to the call of that name, else to the one that waits longest."""
        named = [c for c in self._waiting if (self.recorder.waiting(c) or {}).get("name") == kind.lower()]
        call_id = next(iter(named or self._waiting), record_id)
        if call_id in self._waiting:
            self._waiting.remove(call_id)
        else:
            yield from self.recorder.call(line, call_id, kind.lower()[:120], "", at)
        call = self.recorder.waiting(call_id) or {}
        text = _TIMES.sub("", content, count=1).strip()
        code = int(found[1]) if (found := _CODE.search(text[:300])) else None
        if marker.has_marker(text):
            text = marker.strip(text, cut_head=True)
        elif is_own_command(str(call.get("name", "")), str(call.get("input", ""))):
            text = RECALLED
        failed = record.get("status") == "ERROR" or bool(code)
        yield from self.recorder.result(line, call_id, text, "error" if failed else "ok", code, at)


def words(text: str) -> str:
    """The person's own words of a user step; "" if it holds none.

    >>> words("<USER_REQUEST>\\nUse metres.\\n</USER_REQUEST>\\n<ADDITIONAL_METADATA>x</ADDITIONAL_METADATA>")
    'Use metres.'
    """
    text = marker.strip(text)
    if "<" in text:
        found = _REQUEST.search(text)
        text = _WRAPPED.sub("", found[1] if found else text)
    return text.strip()
