"""Claude Code: transcripts, hook payloads and replies.

Formats as observed in versions 2.0 to 2.1.332 and in the type definitions of its SDK; documented in
docs/agents/claude.md. Transcripts are JSON lines in ``$CLAUDE_CONFIG_DIR/projects/<slug>/<session>.jsonl`` (default
``~/.claude``), subagents in ``<slug>/<session>/subagents/agent-<id>.jsonl``.
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

NAME = "claude"
MAX_CONTEXT = 10_000
"""More characters of start context are moved to a file by the host, and the model sees a preview only."""


def find(env: Mapping[str, str], home: Path) -> Iterator[Path]:
    """Transcripts of all projects, subagents included."""
    root = Path(env.get("CLAUDE_CONFIG_DIR") or home / ".claude") / "projects"
    for project in _folders(root):
        yield from sorted(project.glob("*.jsonl"))
        for session in _folders(project):
            yield from sorted((session / "subagents").glob("*.jsonl"))


def _folders(root: Path) -> list[Path]:
    try:
        return sorted(p for p in root.iterdir() if p.is_dir())
    except OSError:
        return []


def event(event: str, payload: Mapping[str, object], *, at: str, cwd: str = "", session: str = "") -> HookEvent:
    """A hook payload as an event."""
    return allowed_event(NAME, event, payload, at=at, cwd=cwd, session=session, source=("source", "reason", "trigger"))


def head(path: Path) -> Head | None:
    """What the beginning of a transcript says."""
    from agent_memory.capture.agents import claude_records

    return claude_records.head(path)


def read(path: Path, after: Cursor | None, *, seen: Collection[str] = (), now: datetime) -> Iterator[Record]:
    """Records after a cursor; see `base.AgentModule.read`."""
    from agent_memory.capture.agents import claude_records

    return claude_records.read(path, after, seen=seen, now=now)


def reply(context: str, event: HookEvent) -> str:
    """Start context as ``hookSpecificOutput``; nothing for every other event."""
    if event.event != "session-start" or not context:
        return ""
    return json.dumps({"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": context}})
