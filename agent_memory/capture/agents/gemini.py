"""Gemini CLI: sessions, hook payloads and replies.

Formats as observed in 0.61.0 and in its shipped hook documentation; documented in docs/agents/gemini.md. Sessions are
JSON lines in ``~/.gemini/tmp/<slug>/chats/session-*.jsonl``, one JSON document (``.json``) in older versions.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from agent_memory.capture.payload import allowed_event
from agent_memory.model.event import HookEvent

TYPE_CHECKING = False  # hooks import this module and must stay light
if TYPE_CHECKING:
    from datetime import datetime

    from agent_memory.capture.agents.base import Head, Record
    from agent_memory.model.transcript import Cursor

NAME = "gemini"


def find(env: Mapping[str, str], home: Path) -> Iterator[Path]:
    """Sessions of all projects, subagents (a folder per parent) included. ``GEMINI_CLI_HOME`` moves the home folder."""
    root = Path(env.get("GEMINI_CLI_HOME") or home) / ".gemini" / "tmp"
    for chats in sorted(root.glob("*/chats")):
        yield from sorted(p for p in chats.rglob("*.json*") if p.suffix in (".json", ".jsonl"))


def event(event: str, payload: Mapping[str, object], *, at: str, cwd: str = "", session: str = "") -> HookEvent:
    """A hook payload as an event."""
    return allowed_event(NAME, event, payload, at=at, cwd=cwd, session=session, source=("source", "reason", "trigger"))


def head(path: Path) -> Head | None:
    """What the header and the host's first message say."""
    from agent_memory.capture.agents import gemini_records

    return gemini_records.head(path)


def read(path: Path, after: Cursor | None, *, seen: Collection[str] = (), now: datetime) -> Iterator[Record]:
    """Records after a cursor; see `base.AgentModule.read`."""
    from agent_memory.capture.agents import gemini_records

    return gemini_records.read(path, after, seen=seen, now=now)


def reply(context: str, event: HookEvent) -> str:
    """Start context as ``hookSpecificOutput``; plain text would be shown to the user and not reach the model."""
    if event.event != "session-start" or not context:
        return ""
    return json.dumps({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": context}})
