"""OpenAI Codex CLI: rollouts, hook payloads and replies.

Formats as observed in versions 0.42 to 0.171 and in the public source (openai/codex, ``codex-rs/rollout``,
``codex-rs/hooks``); documented in docs/agents/codex.md. Rollouts are JSON lines in
``$CODEX_HOME/sessions/YYYY/MM/DD/rollout-*.jsonl`` (default ``~/.codex``) and ``archived_sessions``; old ones may be
packed as ``.jsonl.zst``.
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

NAME = "codex"
MAX_CONTEXT = 9_000
"""About 2,500 tokens; beyond it the host shows the model head and tail only."""


def find(env: Mapping[str, str], home: Path) -> Iterator[Path]:
    """Rollouts, archived ones included; of a plain and a packed file of one session the plain one is current."""
    root = Path(env.get("CODEX_HOME") or home / ".codex")
    for folder in ("sessions", "archived_sessions"):
        plain = sorted((root / folder).rglob("rollout-*.jsonl"))
        yield from plain
        known = set(plain)
        yield from (p for p in sorted((root / folder).rglob("rollout-*.jsonl.zst")) if p.with_suffix("") not in known)


def event(event: str, payload: Mapping[str, object], *, at: str, cwd: str = "", session: str = "") -> HookEvent:
    """A hook payload, or that of ``notify`` (``thread-id``), as an event."""
    return allowed_event(NAME, event, payload, at=at, cwd=cwd, session=session, source=("source", "reason", "trigger"),
                         session_names=("session_id", "thread-id"))


def head(path: Path) -> Head | None:
    """What the beginning of a rollout says."""
    from agent_memory.capture.agents import codex_records

    return codex_records.head(path)


def read(path: Path, after: Cursor | None, *, seen: Collection[str] = (), now: datetime) -> Iterator[Record]:
    """Records after a cursor; see `base.AgentModule.read`."""
    from agent_memory.capture.agents import codex_records

    return codex_records.read(path, after, seen=seen, now=now)


def reply(context: str, event: HookEvent) -> str:
    """Start context as ``hookSpecificOutput``; nothing for every other event, since unknown JSON is an error there."""
    if event.event != "session-start" or not context:
        return ""
    return json.dumps({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": context}})
