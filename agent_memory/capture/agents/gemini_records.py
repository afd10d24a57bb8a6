"""Reads Gemini CLI's sessions (see `gemini.py`).

A message is written again, with the same id, once its tools ran. ``$set.messages`` puts a whole list in place: at the
start the host's own context, at a resume a snapshot of what stands above, in another shape. ``$rewindTo`` takes a
message and all after it back.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from agent_memory.capture import fields, follow, whole
from agent_memory.capture.agents.base import Head, Record
from agent_memory.capture.bounded import tool_input
from agent_memory.capture.lines import Line, Lines
from agent_memory.capture.recorder import RECALLED, Recorder, Target, is_own_command, moment, session_id
from agent_memory.model.transcript import Cursor, Role, Session, Skipped, Via
from agent_memory.text import marker

NAME: Final = "gemini"
HEAD_LINES: Final = 40
_WRAPPED = re.compile(
    r"<(?P<tag>hook_context|session_context|untrusted_context|system-reminder|user_memory|loaded_context)"
    r"(?:\s[^<>\n]*)?>(?:.*?</(?P=tag)\s*>|.*\Z)", re.S)
_FOLDER = re.compile(r"Workspace Directories:\**\s*\n\s*- ([^\n]+)")
_OLD_FOLDER = re.compile(r"(?:working in the directory|current working directory is):?\s*([^\n]+)", re.I)
_SUMMARY = re.compile(r"\s*<(?:state_snapshot|compressed_chat_history|conversation_summary)\b")
_ATTACHED = re.compile(r"\n?--- Content from referenced files ---.*?(?:--- End of content ---|\Z)", re.S)
_OUTPUT = re.compile(r"\A\s*<untrusted_context>\s*(?:Output: )?(.*?)(?:\nProcess Group PGID: \d+)?\s*"
                     r"(?:</untrusted_context>)?\s*\Z", re.S)
_CODE = re.compile(r"^Exit Code: (-?\d{1,6})$", re.M)
_HOST: Final = frozenset(("info", "error", "warning"))


def head(path: Path) -> Head | None:
    """What the header says, and the folder from the host's first message or from its list of projects."""
    header: dict[str, Any] = {}
    cwd, own = "", False
    if path.suffix == ".json":
        header = whole.load(path).data or {}
        texts = [_parts(m.get("content")) for m in fields.dicts(header.get("messages"))[:6]]
    else:
        texts = []
        for line in Lines(path, None):
            if line.number > HEAD_LINES:
                break
            record = fields.parse(line) or {}
            header = header or (record if "sessionId" in record else {})
            changed = fields.mapping(record.get("$set"))
            texts += [_parts(m.get("content")) for m in (*fields.dicts(changed.get("messages"))[:4], record)]
            if record.get("type") == "user":
                break
    host = fields.text(header.get("sessionId"))
    if not host:
        return None
    for text in texts:
        own = own or marker.OWN_CALL in text
        if not cwd and (found := _FOLDER.search(text) or _OLD_FOLDER.search(text)):
            cwd = found[1].strip()
    folder = path.parent.name
    parent = folder if header.get("kind") == "subagent" and folder not in ("chats", host) else ""
    return Head(host, moment(header.get("startTime")), cwd or _folder_of(path), parent=parent, own_call=own,
                title=fields.text(header.get("summary")))


def _folder_of(path: Path) -> str:
    """The project of a slug, from ``.project_root`` beside the chats or the list in ``projects.json``."""
    slug = next((p for p in path.parents if p.parent.name == "tmp"), None)
    if slug is None:
        return ""
    try:
        return (slug / ".project_root").read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        pass
    try:
        known = fields.loads((slug.parent.parent / "projects.json").read_bytes()) or {}
    except OSError:
        return ""
    return next((str(k) for k, v in fields.mapping(known.get("projects")).items() if v == slug.name), "")


def read(path: Path, after: Cursor | None, *, seen: Collection[str], now: datetime) -> Iterator[Record]:
    """Records after a cursor."""
    about = head(path)
    if path.suffix == ".json":
        return _document(path, about, after, seen, now)
    return follow.follow(NAME, path, about, after, seen, now, _Reader)


def _document(path: Path, about: Head | None, after: Cursor | None, seen: Collection[str],
              now: datetime) -> Iterator[Record]:
    """An older file: one document, written anew after each answer."""
    document = whole.load(path)
    if about is None or document.data is None:
        yield Skipped(str(path), 0, "no-session")
        return
    recorder = Recorder(NAME, str(path), Target(session_id(NAME, about.host_id), about.host_id), after, seen, now)
    session = follow.session_of(NAME, about, recorder.file)
    yield session
    if document.unchanged(after):
        return
    reader = _Reader(recorder, session)
    for number, message in enumerate(fields.dicts(document.data.get("messages")), 1):
        yield from reader.message(whole.line_of(number, message), message)
    yield recorder.cursor(document)


class _Reader:
    """Turns lines into records; what it must remember between reads is in the recorder's state."""

    held = 0

    def __init__(self, recorder: Recorder, session: Session) -> None:
        self.recorder = recorder
        self.child = bool(session.parent)

    def end(self) -> Iterator[Record]:
        """Nothing waits for what follows."""
        yield from ()

    def line(self, line: Line) -> Iterator[Record]:
        """A header, a change, a rewind, or a message."""
        file = self.recorder.file
        if line.too_long:
            yield Skipped(file, line.number, "too-long")
            return
        if not line.raw.strip(b"\x00 \t\r\n"):
            return
        record = fields.parse(line)
        if record is None:
            yield Skipped(file, line.number, "not-json")
        elif "$set" in record:
            for message in fields.dicts(fields.mapping(record["$set"]).get("messages")):
                if not self.recorder.state.get("said"):
                    yield from self.message(line, message)
        elif "$rewindTo" in record:
            yield from self.recorder.taken_back(line, fields.text(record["$rewindTo"]), None, onwards=True)
        elif "sessionId" in record and "type" not in record:
            return
        else:
            yield from self.message(line, record)

    def message(self, line: Line, record: dict[str, Any]) -> Iterator[Record]:
        """A message in either shape, and its tool calls."""
        kind, at, content = fields.text(record.get("type")), record.get("timestamp"), record.get("content")
        record_id = fields.text(record.get("id")) or whole.digest(f"{kind}{at}{_parts(content)}")
        if kind == "user":
            yield from self._user(line, record_id, content, at)
        elif kind == "gemini":
            text = marker.strip(_parts(content))
            if text:
                self.recorder.state["said"] = True
            yield from self.recorder.message(line, record_id, Role.AGENT, Via.ANSWER, text, at)
            for call in fields.dicts(record.get("toolCalls")):
                yield from self._tool(line, call, at)
        elif kind in _HOST:
            yield from self.recorder.message(line, record_id, Role.HARNESS, Via.INJECTED,
                                             marker.strip(_parts(content), cut_head=True), at)
        elif kind:
            yield Skipped(self.recorder.file, line.number, f"unknown-type:{kind[:60]}")
        else:
            yield Skipped(self.recorder.file, line.number, "bad-field:type")

    def _user(self, line: Line, record_id: str, content: object, at: object) -> Iterator[Record]:
        text = _parts(content)
        if not text:
            return
        said = words(text)
        if _SUMMARY.match(text):
            role, via, said = Role.HARNESS, Via.SUMMARY, marker.strip(text, cut_head=True)
        elif not said:
            role, via, said = Role.HARNESS, Via.INJECTED, marker.strip(text, cut_head=True)
        elif self.child and not self.recorder.state.get("tasked"):
            self.recorder.state["tasked"] = True
            role, via = Role.AGENT, Via.TASK
        else:
            self.recorder.state["said"] = True
            role, via = Role.PERSON, Via.PROMPT
        yield from self.recorder.message(line, record_id, role, via, said, at)

    def _tool(self, line: Line, call: dict[str, Any], at: object) -> Iterator[Record]:
        call_id, name, given = fields.text(call.get("id")), fields.text(call.get("name"))[:120], call.get("args")
        status = fields.text(call.get("status"))
        at = call.get("timestamp") or at
        yield from self.recorder.call(line, call_id, name, tool_input(given), at)
        if self.recorder.waiting(call_id) is None or status not in ("success", "error", "cancelled"):
            return
        text = _result(call)
        if marker.has_marker(text):
            text = marker.strip(text, cut_head=True)
        elif is_own_command(name, tool_input(given)):
            text = RECALLED
        code = int(found[1]) if (found := _CODE.search(text)) else None
        ended = {"success": "ok", "cancelled": "refused"}.get(status, "error")
        yield from self.recorder.result(line, call_id, text, "error" if code and ended == "ok" else ended, code, at)


def _parts(content: object) -> str:
    """The visible text of content: no thoughts, calls, results or images."""
    if isinstance(content, list):
        content = [p for p in content if isinstance(p, str) or (isinstance(p, dict) and not p.get("thought"))]
    return fields.joined(content)


def words(text: str) -> str:
    """The person's own words; the host repeats what hooks added before and after them, and files named with @.

    >>> words("<hook_context>likes rye</hook_context>\\n\\nUse metres.")
    'Use metres.'
    """
    text = marker.strip(text)
    if "<" in text:
        text = _WRAPPED.sub("", text)
    return _ATTACHED.sub("", text).strip()


def _result(call: dict[str, Any]) -> str:
    """What a tool gave the model, without the wrapper; else what the user was shown."""
    texts = []
    for part in fields.dicts(call.get("result")):
        response = fields.mapping(fields.mapping(part.get("functionResponse")).get("response"))
        texts += [fields.text(response.get(k)) for k in ("output", "error", "content") if response.get(k)]
    text = "\n".join(t for t in texts if t) or fields.text(call.get("resultDisplay"))
    found = _OUTPUT.match(text)
    return found[1] if found else text
