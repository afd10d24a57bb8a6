"""Reads Windsurf's trajectories (see `windsurf.py`).

A line is ``{"status", "type", "<type>": {…}}``. Bodies of ``user_input`` and ``planner_response`` are documented; every
other line is taken for a tool's, whatever it holds. There are no times: the file's time stands for them.
"""

from __future__ import annotations

import os
import re
import urllib.parse
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from agent_memory import clock
from agent_memory.capture import fields, follow
from agent_memory.capture.agents.base import Head, Record
from agent_memory.capture.bounded import tool_input
from agent_memory.capture.lines import Line, Lines
from agent_memory.capture.recorder import RECALLED, Recorder, is_own_command
from agent_memory.model.transcript import Cursor, Role, Session, Skipped, Via
from agent_memory.text import marker

NAME: Final = "windsurf"
HEAD_LINES: Final = 400
_SPOKEN: Final = frozenset(("user_input", "planner_response"))
_HOST: Final = frozenset(("checkpoint", "memory", "retrieve_memory", "error_message", "ephemeral_message",
                          "conversation_history", "system_message"))
_WRAPPED = re.compile(r"<(?P<tag>additional_metadata|user_rules|MEMORY\[[^\]\n]{0,80}\]|system-reminder|open_files)"
                      r"(?:\s[^<>\n]*)?>(?:.*?</(?P=tag)\s*>|.*\Z)", re.S | re.I)
_OUTPUTS: Final = ("output", "result", "results", "stdout", "response", "error")


def head(path: Path) -> Head | None:
    """The trajectory is the file's name; its working folder is that of a command, or of a file that was opened."""
    cwd = near = ""
    own = any_line = False
    for line in Lines(path, None):
        if line.number > HEAD_LINES or cwd:
            break
        record = fields.parse(line)
        if record is None or not isinstance(record.get("type"), str):
            continue
        any_line = True
        body = fields.mapping(record.get(record["type"]))
        cwd = fields.text(body.get("cwd"))
        near = near or next((_folder(v) for v in body.values() if isinstance(v, str) and v.startswith("file://")), "")
        own = own or (record["type"] == "user_input" and marker.OWN_CALL in fields.text(body.get("user_response")))
    if not any_line:
        return None
    return Head(path.name.removesuffix(".jsonl"), _time(path), cwd or near, own_call=own)


def _folder(uri: str) -> str:
    path = urllib.parse.unquote(urllib.parse.urlsplit(uri).path)
    if re.match(r"/[A-Za-z]:", path):
        path = path[1:]
    return path.rpartition("/")[0]


def _time(path: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(int(os.stat(path).st_mtime), UTC)
    except (OSError, OverflowError, ValueError):
        return None


def read(path: Path, after: Cursor | None, *, seen: Collection[str], now: datetime) -> Iterator[Record]:
    """Records after a cursor."""
    def make(recorder: Recorder, session: Session) -> _Reader:
        del session
        written = _time(path)
        if written is not None:
            recorder.state["last"] = clock.text(min(written, now))
        return _Reader(recorder)

    return follow.follow(NAME, path, head(path), after, seen, now, make)


class _Reader:
    """Turns lines into records. A record is known by its line: the same words can be said twice."""

    held = 0

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def end(self) -> Iterator[Record]:
        """Nothing waits for what follows."""
        yield from ()

    def line(self, line: Line) -> Iterator[Record]:
        """One step of a trajectory."""
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
        kind = record.get("type")
        if not isinstance(kind, str):
            yield Skipped(file, line.number, "bad-field:type")
            return
        body, record_id = record.get(kind), f"line:{line.number}"
        if kind == "user_input":
            yield from self._person(line, record_id, _text(body, "user_response"))
        elif kind == "planner_response":
            if record.get("status") not in ("canceled", "cancelled"):
                yield from self.recorder.message(line, record_id, Role.AGENT, Via.ANSWER,
                                                 marker.strip(_text(body, "response")), None)
        elif kind in _HOST:
            yield from self.recorder.message(line, record_id, Role.HARNESS, Via.INJECTED,
                                             marker.strip(_text(body, "content"), cut_head=True), None)
        else:
            yield from self._tool(line, record_id, kind, fields.mapping(body), fields.text(record.get("status")))

    def _person(self, line: Line, record_id: str, text: str) -> Iterator[Record]:
        said = _WRAPPED.sub("", marker.strip(text)).strip()
        role, via = (Role.PERSON, Via.PROMPT) if said else (Role.HARNESS, Via.INJECTED)
        yield from self.recorder.message(line, record_id, role, via, said or marker.strip(text, cut_head=True), None)

    def _tool(self, line: Line, record_id: str, kind: str, body: dict[str, Any], status: str) -> Iterator[Record]:
        given = {k: v for k, v in body.items() if k not in _OUTPUTS}
        if isinstance(given.get("command_line"), str):
            given = {"command": given["command_line"]}
        output = "\n".join(v if isinstance(v, str) else tool_input(v)
                           for k in _OUTPUTS if (v := body.get(k)) is not None)
        shown = tool_input(given)
        if marker.has_marker(output):
            output = marker.strip(output, cut_head=True)
        elif is_own_command(fields.text(body.get("server_name")) or kind, shown):
            output = RECALLED
        ended = {"canceled": "refused", "cancelled": "refused", "error": "error", "done": "ok"}.get(status, "unknown")
        yield from self.recorder.call(line, record_id, kind[:120], shown, None)
        yield from self.recorder.result(line, record_id, output, ended, fields.number(body.get("exit_code")), None)


def _text(body: object, name: str) -> str:
    return body if isinstance(body, str) else fields.joined(fields.mapping(body).get(name))
