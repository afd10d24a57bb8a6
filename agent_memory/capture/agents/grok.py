"""Grok Build: sessions, hook payloads and replies.

Formats as observed in 1.0.41; documented in docs/agents/grok.md. A session is a folder
``$GROK_HOME/sessions/<url-encoded cwd>/<id>`` (default ``~/.grok``) with ``updates.jsonl``, which only grows, and
``summary.json``. ``chat_history.jsonl`` beside it is rewritten at compaction and is not read.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from agent_memory.capture.payload import allowed_event
from agent_memory.model.event import HookEvent

TYPE_CHECKING = False  # hooks import this module and must stay light
if TYPE_CHECKING:
    from datetime import datetime

    from agent_memory.capture.agents.base import Head, Record
    from agent_memory.model.transcript import Cursor

NAME = "grok"
FILE = "updates.jsonl"


def find(env: Mapping[str, str], home: Path) -> Iterator[Path]:
    """Sessions of all folders, subagents included."""
    root = Path(env.get("GROK_HOME") or home / ".grok") / "sessions"
    yield from sorted(root.rglob(FILE))


def event(event: str, payload: Mapping[str, object], *, at: str, cwd: str = "", session: str = "") -> HookEvent:
    """A hook payload, which names everything in two spellings. It may name another file of the session's folder."""
    found = allowed_event(NAME, event, payload, at=at, cwd=cwd, session=session, source=("source", "reason"),
                          session_names=("session_id", "sessionId"),
                          transcript_names=("transcript_path", "transcriptPath"), cwd_names=("cwd", "workspaceRoot"))
    if found.transcript and os.path.basename(found.transcript) != FILE:
        found = replace(found, transcript=os.path.join(os.path.dirname(found.transcript), FILE))
    return found


def head(path: Path) -> Head | None:
    """What ``summary.json`` and the first update say."""
    from agent_memory.capture.agents import grok_records

    return grok_records.head(path)


def read(path: Path, after: Cursor | None, *, seen: Collection[str] = (), now: datetime) -> Iterator[Record]:
    """Records after a cursor; see `base.AgentModule.read`."""
    from agent_memory.capture.agents import grok_records

    return grok_records.read(path, after, seen=seen, now=now)


def reply(context: str, event: HookEvent) -> str:
    """Nothing: the host ignores what start hooks print. A rules file carries the context."""
    del context, event
    return ""
