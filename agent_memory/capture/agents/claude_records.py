"""Reads Claude Code transcripts (see `claude.py`): JSON lines of which nine tenths are dropped unparsed.

One line is one record with ``type``; answers take one line per content block. Subagents have ``isSidechain`` and an
``agentId``, each in its own file since about 2.1, inline before. What a person says can stand in a tool result.
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
from agent_memory.capture.agents.claude_text import answers, is_refusal, is_summary, refusal_words, words
from agent_memory.capture.bounded import shorten, tool_input
from agent_memory.capture.lines import Line, Lines, plain_name
from agent_memory.capture.recorder import RECALLED, Recorder, Target, is_own_command, moment, session_id
from agent_memory.model.transcript import Cursor, Role, Session, Skipped, Via
from agent_memory.text import marker
from agent_memory.text.normal import content_hash, normalise

NAME: Final = "claude"
HEAD_LINES: Final = 3_000
CHECKPOINT: Final = (400, 8 * 1024 * 1024)
"""A cursor is given after so many records, or so many bytes."""
_FIRST_TYPE = re.compile(rb'\s*\{\s*"type"\s*:\s*"([\w-]{1,60})"')
_SPOKEN = re.compile(rb'"type"\s*:\s*"(?:user|assistant)"')
_OTHER = re.compile(rb'"type"\s*:\s*"(?:attachment|system|progress)"')
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_KNOWN: Final = frozenset((
    "user", "assistant", "system", "attachment", "progress", "summary", "custom-title", "ai-title", "tag",
    "mode", "last-prompt", "permission-mode", "queue-operation", "file-history-snapshot", "file-history-delta",
    "atis-latch", "cost-state", "tools-used", "pr-link", "relocated", "continued-in", "fork-context-ref",
    "content-replacement", "worktree-state", "api-request", "api-request-shape", "api-request-blob",
    "api-request-resumed", "agent-name", "agent-color", "agent-setting", "agent-listing", "speculation-accept",
    "attribution-snapshot", "task-summary", "session-state", "marble-origami-commit", "marble-origami-snapshot",
    "thinking-stats", "hook-state", "bridge-session", "custom-icon", "plan-state", "saved-hook-context"))
_TITLES: Final = {"custom-title": "customTitle", "ai-title": "aiTitle"}


def parse(line: Line) -> dict[str, Any] | None:
    """The JSON object of a line, NULs of a crash before it ignored; None if it is none."""
    raw = line.raw.lstrip(b"\x00 \t")
    try:
        record = json.loads(raw)
    except UnicodeDecodeError:
        try:
            record = json.loads(raw.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return None
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def _wanted(raw: bytes) -> str:
    """What to do with a line, from its bytes alone: "read", "drop", or "unknown:<type>"."""
    first = _FIRST_TYPE.match(raw)
    if first:
        kind = first[1].decode()
        if kind in ("user", "assistant") or kind in _TITLES or (kind == "attachment" and b'"queued_command"' in raw):
            return "read"
        return "drop" if kind in _KNOWN else f"unknown:{kind}"
    if b'"type":"user"' in raw or b'"type":"assistant"' in raw or _SPOKEN.search(raw):
        return "read"
    return "drop" if _OTHER.search(raw) and b'"queued_command"' not in raw else "read"


def head(path: Path) -> Head | None:
    """What the beginning of a transcript says; None if there is no record of a session yet."""
    title = ""
    host = origin = cwd = branch = ""
    started: datetime | None = None
    own = False
    subagent = ""
    for line in Lines(path, None):
        if line.number > HEAD_LINES:
            break
        if line.too_long or b'"sessionId"' not in line.raw:
            continue
        if b'"type":"api-request' in line.raw[:60]:
            continue
        record = parse(line)
        if record is None or not isinstance(record.get("sessionId"), str):
            continue
        host = host or record["sessionId"]
        title = title or _text(record.get(_TITLES.get(_text(record.get("type")), "")))
        if record.get("type") == "queue-operation" or "uuid" not in record:
            continue
        started = started or moment(record.get("timestamp"))
        cwd = cwd or _text(record.get("cwd"))
        branch = branch or _text(record.get("gitBranch"))
        if record.get("isSidechain") is True and isinstance(record.get("agentId"), str):
            subagent = record["agentId"]
        if record.get("type") == "user":
            own = marker.OWN_CALL.encode() in line.raw
            break
    if not host:
        return None
    stem = path.name.removesuffix(".zst").removesuffix(".jsonl")
    if subagent:
        return Head(f"{host}/agent-{subagent}", started, cwd, branch, title=title or _agent_title(path), parent=host,
                    own_call=own)
    if _UUID.fullmatch(stem) and stem != host:
        host, origin = stem, host  # a fork or an old resume: copied records keep the id they had
    return Head(host, started, cwd, branch, title=title, origin=origin, own_call=own)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _agent_title(path: Path) -> str:
    try:
        about = json.loads(path.with_name(path.name.removesuffix(".jsonl") + ".meta.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    return _text(about.get("description")) if isinstance(about, dict) else ""


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
    session = Session(target.id, NAME, about.host_id, "", parent, about.cwd, about.branch, about.remote, about.title,
                      recorder.file, about.started_at)
    yield session
    reader = LineReader(recorder, session)
    mark, done = recorder.count, lines.offset
    begin = (lines.offset, recorder.seq, lines.rewritten)
    for line in lines:
        yield from reader.line(line)
        if recorder.count - mark >= CHECKPOINT[0] or lines.offset - done >= CHECKPOINT[1]:
            mark, done = recorder.count, lines.offset
            yield recorder.cursor(lines)
    if (lines.offset, recorder.seq, False) != begin:
        yield recorder.cursor(lines)


class LineReader:
    """Turns lines into records; what it must remember between reads is in the recorder's state."""

    def __init__(self, recorder: Recorder, session: Session) -> None:
        self.recorder = recorder
        self.session = session

    def line(self, line: Line) -> Iterator[Record]:
        """The records of one line."""
        file = self.recorder.file
        if line.too_long:
            yield Skipped(file, line.number, "too-long")
            return
        raw = line.raw
        if raw[:1] != b"{":
            raw = raw.lstrip(b"\x00 \t\r\n")
            if not raw:
                return
        wanted = _wanted(raw)
        if wanted == "drop":
            return
        if wanted != "read":
            yield Skipped(file, line.number, "unknown-type:" + wanted.removeprefix("unknown:"))
            return
        record = parse(line)
        if record is None:
            yield Skipped(file, line.number, "not-json")
            return
        kind = record.get("type")
        if kind == "user":
            yield from self._user(line, record)
        elif kind == "assistant":
            yield from self._assistant(line, record)
        elif kind == "attachment":
            yield from self._queued(line, record)
        elif not isinstance(kind, str):
            yield Skipped(file, line.number, "bad-field:type")
        elif kind in _TITLES:
            yield from self._title(_text(record.get(_TITLES[kind])))
        elif kind not in _KNOWN:
            yield Skipped(file, line.number, f"unknown-type:{kind[:60]}")

    def _queued(self, line: Line, record: dict[str, Any]) -> Iterator[Record]:
        """What a person typed while the agent was at work; some versions repeat it as a user record afterwards."""
        about = record.get("attachment")
        if not isinstance(about, dict) or about.get("type") != "queued_command":
            return
        text = words(_joined(about.get("prompt")))
        if not text or about.get("commandMode", "prompt") != "prompt":
            return
        queued: list[str] = self.recorder.state.setdefault("queued", [])
        queued.append(content_hash(text))
        del queued[:-20]
        uuid = _text(record.get("uuid")) or f"sha:{line.sha256()[:24]}"
        yield from self.recorder.message(line, uuid, Role.PERSON, Via.PROMPT, text, record.get("timestamp"))

    def _was_queued(self, text: str) -> bool:
        queued: list[str] = self.recorder.state.get("queued", [])
        if not queued or (key := content_hash(text)) not in queued:
            return False
        queued.remove(key)
        return True

    def _title(self, title: str) -> Iterator[Record]:
        title = shorten(title, (150, 20)).strip()
        if title and title != self.recorder.state.get("title", self.session.title):
            self.recorder.state["title"] = title
            yield Session(**{**{f: getattr(self.session, f) for f in self.session.__slots__}, "title": title})

    def _target(self, record: dict[str, Any]) -> tuple[Target | None, bool, list[Session]]:
        """The session of a record, whether it opens it, and that session if it is new: inline subagents."""
        if record.get("isSidechain") is not True or "/agent-" in self.session.host_id:
            return None, False, []
        chains: dict[str, str] = self.recorder.state.setdefault("chains", {})
        uuid, parent = _text(record.get("uuid")), _text(record.get("parentUuid"))
        root = chains.pop(parent, "")
        opens = not root
        root = root or _text(record.get("agentId")) or uuid[:16]
        if uuid:
            chains[uuid] = root
        while len(chains) > 100:
            del chains[next(iter(chains))]
        host = f"{self.session.host_id}/agent-{root}"
        target = Target(session_id(self.recorder.agent, host), host)
        if not opens:
            return target, False, []
        new = Session(target.id, self.recorder.agent, host, "", self.session.id,
                      _text(record.get("cwd")) or self.session.cwd, self.session.branch, "", "", self.recorder.file,
                      moment(record.get("timestamp")))
        return target, True, [new]

    def _user(self, line: Line, record: dict[str, Any]) -> Iterator[Record]:
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        if not isinstance(content, str | list):
            yield Skipped(self.recorder.file, line.number, "bad-field:content")
            return
        target, opens, new = self._target(record)
        yield from new
        uuid = _text(record.get("uuid")) or f"sha:{line.sha256()[:24]}"
        blocks = [content] if isinstance(content, str) else []
        for block in content if isinstance(content, list) else ():
            if isinstance(block, str):
                blocks.append(block)
            elif isinstance(block, dict) and block.get("type") == "text":
                blocks.append(_text(block.get("text")))
            elif isinstance(block, dict) and block.get("type") == "tool_result":
                yield from self._result(line, record, block, uuid, target)
        text = "\n\n".join(b for b in blocks if b)
        if text:
            opens = opens or ("/agent-" in self.session.host_id and not record.get("parentUuid"))
            role, via, text = _speaker(record, text, task=opens)
            if via is Via.PROMPT and self._was_queued(text):
                return
            yield from self.recorder.message(line, uuid, role, via, text, record.get("timestamp"), target)

    def _result(self, line: Line, record: dict[str, Any], block: dict[str, Any], uuid: str,
                target: Target | None) -> Iterator[Record]:
        call_id = _text(block.get("tool_use_id"))
        text = _joined(block.get("content"))
        call = self.recorder.waiting(call_id) or {}
        name, result = str(call.get("name", "")), record.get("toolUseResult")
        decision = record.get("permissionDecision")
        refused = is_refusal(text) or (isinstance(decision, dict) and decision.get("decision") == "reject"
                                       and decision.get("source") == "user")
        failed = block.get("is_error") is True
        status = "refused" if refused else "error" if failed else "ok"
        output = "" if refused else text
        if marker.has_marker(text):
            output = marker.strip(text, cut_head=True)
        elif is_own_command(name, str(call.get("input", ""))):
            output = RECALLED
        at = record.get("timestamp")
        yield from self.recorder.result(line, call_id, output, status, _exit_code(text, failed, name), at, target)
        record_id = f"{uuid}#{call_id}"
        if refused:
            yield from self.recorder.message(line, record_id, Role.PERSON, Via.REFUSAL, refusal_words(text), at, target)
        elif name == "AskUserQuestion":
            for number, (question, answer) in enumerate(answers(result, text)):
                yield from self.recorder.message(line, f"{record_id}#{number}", Role.PERSON, Via.CHOICE,
                                                 f"{question} → {answer}", at, target)
        elif name == "ExitPlanMode" and not failed:
            yield from self._plan(line, record_id, call, result, text, at, target)

    def _plan(self, line: Line, record_id: str, call: dict[str, Any], result: object, text: str, at: object,
              target: Target | None) -> Iterator[Record]:
        approved = _text(result.get("plan")) if isinstance(result, dict) else ""
        if not approved and (found := re.search(r"^## Approved Plan[^\n]*:\s*\n(.*)\Z", text, re.S | re.M)):
            approved = found[1]
        proposed = str(call.get("plan", ""))
        edited = bool(proposed and approved and normalise(shorten(approved, (3_000, 500))) != normalise(proposed))
        role = Role.PERSON if edited else Role.AGENT
        yield from self.recorder.message(line, f"{record_id}#plan", role, Via.PLAN, approved or proposed, at, target)
        yield from self.recorder.message(line, f"{record_id}#said", Role.PERSON, Via.CHOICE,
                                         _said(text, approved), at, target)

    def _assistant(self, line: Line, record: dict[str, Any]) -> Iterator[Record]:
        message = record.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        if not isinstance(message, dict) or not isinstance(content, str | list):
            yield Skipped(self.recorder.file, line.number, "bad-field:content")
            return
        target, _, new = self._target(record)
        yield from new
        uuid = _text(record.get("uuid")) or f"sha:{line.sha256()[:24]}"
        synthetic = message.get("model") == "<synthetic>" or record.get("isApiErrorMessage") is True
        role, via = (Role.HARNESS, Via.INJECTED) if synthetic else (Role.AGENT, Via.ANSWER)
        at = record.get("timestamp")
        texts = [content] if isinstance(content, str) else [
            _text(b.get("text")) for b in content if isinstance(b, dict) and b.get("type") == "text"]
        text = marker.strip("\n\n".join(t for t in texts if t))
        yield from self.recorder.message(line, uuid, role, via, text, at, target)
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and block.get("type") == "tool_use":
                call_id, given = _text(block.get("id")), block.get("input")
                name = _text(block.get("name"))[:120]
                yield from self.recorder.call(line, call_id, name, tool_input(given), at, target)
                waiting = self.recorder.waiting(call_id)
                if waiting is not None and isinstance(given, dict) and isinstance(given.get("plan"), str):
                    waiting["plan"] = shorten(given["plan"], (3_000, 500))


def _speaker(record: dict[str, Any], text: str, *, task: bool) -> tuple[Role, Via, str]:
    """Who speaks in a text with role user, how, and the words without wrappers."""
    origin = record.get("origin")
    kind = origin.get("kind") if isinstance(origin, dict) else None
    if record.get("isCompactSummary") is True or is_summary(text):
        return Role.HARNESS, Via.SUMMARY, marker.strip(text, cut_head=True)
    if record.get("isMeta") is True or (isinstance(kind, str) and kind != "human") \
            or record.get("promptSource") == "system":
        return Role.HARNESS, Via.INJECTED, marker.strip(text, cut_head=True)
    said = words(text)
    if not said:
        return Role.HARNESS, Via.INJECTED, marker.strip(text, cut_head=True)
    return (Role.AGENT, Via.TASK, said) if task else (Role.PERSON, Via.PROMPT, said)


def _joined(content: object) -> str:
    """The text of a tool result: a string, or a list with text blocks."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "\n".join(b if isinstance(b, str) else _text(b.get("text")) for b in content if isinstance(b, str | dict))


def _exit_code(text: str, failed: bool, name: str) -> int | None:
    found = re.match(r"(?:Error: )?Exit code (-?\d{1,5})", text)
    if found:
        return int(found[1])
    return 0 if name == "Bash" and not failed else None


def _said(text: str, plan: str) -> str:
    """Words that a person added when approving a plan."""
    return refusal_words(text.replace(plan, "")) if plan and "said:" in text else ""
