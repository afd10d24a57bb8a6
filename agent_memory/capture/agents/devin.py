"""Devin CLI: sessions, hook payloads and replies.

From the product's documentation as quoted by public adapters (3000.11.3) and from issues; nothing of it was run, and
the columns of its database beyond three are unknown. Documented in docs/agents/devin.md. Live sessions are in
``~/.local/share/devin/cli/sessions.db``, finished ones also in ``transcripts/<session>.json`` (ATIF).
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from agent_memory.capture.payload import allowed_event
from agent_memory.model.event import HookEvent

TYPE_CHECKING = False  # hooks import this module and must stay light
if TYPE_CHECKING:
    from datetime import datetime

    from agent_memory.capture.agents.base import Head, Record
    from agent_memory.model.transcript import Cursor

NAME = "devin"


def find(env: Mapping[str, str], home: Path) -> Iterator[Path]:
    """Sessions of the database, and documents of sessions that it does not hold."""
    if os.name == "nt" and env.get("APPDATA"):
        root = Path(env["APPDATA"]) / "devin" / "cli"
    else:
        root = Path(env.get("XDG_DATA_HOME") or home / ".local" / "share") / "devin" / "cli"
    database = root / "sessions.db"
    known: set[str] = set()
    if database.is_file():
        for path in sessions(database):
            known.add(path.name)
            yield path
    for document in sorted((root / "transcripts").glob("*.json")):
        if document.stem not in known:
            yield document


def sessions(database: Path) -> Iterator[Path]:
    """The sessions of a database."""
    from agent_memory.capture.agents import devin_records

    return devin_records.sessions(database)


def event(event: str, payload: Mapping[str, object], *, at: str, cwd: str = "", session: str = "") -> HookEvent:
    """A hook payload as an event. It names no folder; a variable does."""
    return allowed_event(NAME, event, payload, at=at, cwd=cwd or os.environ.get("DEVIN_PROJECT_DIR", ""),
                         session=session, source=("source", "reason"))


def head(path: Path) -> Head | None:
    """What is known of a session."""
    from agent_memory.capture.agents import devin_records

    return devin_records.head(path)


def read(path: Path, after: Cursor | None, *, seen: Collection[str] = (), now: datetime) -> Iterator[Record]:
    """Records after a cursor; see `base.AgentModule.read`."""
    from agent_memory.capture.agents import devin_records

    return devin_records.read(path, after, seen=seen, now=now)


def reply(context: str, event: HookEvent) -> str:
    """Start context as ``hookSpecificOutput``; whether plain text would do is not known."""
    if event.event != "session-start" or not context:
        return ""
    return json.dumps({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": context}})
