"""Windsurf (Cascade; also sold as Devin Desktop): trajectories, hook payloads and replies.

Two kinds of lines are documented, the rest is guessed; not run. Documented in docs/agents/windsurf.md. Trajectories are
JSON lines in ``~/.windsurf/transcripts/<trajectory>.jsonl``, written only while a hook asks for them.
"""

from __future__ import annotations

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

NAME = "windsurf"


def find(env: Mapping[str, str], home: Path) -> Iterator[Path]:
    """All trajectories. No variable is known that moves them."""
    del env
    yield from sorted((home / ".windsurf" / "transcripts").glob("*.jsonl"))


def event(event: str, payload: Mapping[str, object], *, at: str, cwd: str = "", session: str = "") -> HookEvent:
    """A hook payload as an event; path and folder stand in ``tool_info``, beside whole files that are not taken."""
    found = allowed_event(NAME, event, payload, at=at, cwd=cwd, session=session, session_names=("trajectory_id",),
                          source=("agent_action_name",))
    inner = payload.get("tool_info")
    if isinstance(inner, Mapping):
        more = allowed_event(NAME, event, inner, at=at)
        found = replace(found, transcript=more.transcript or found.transcript, cwd=more.cwd or found.cwd)
    return found


def head(path: Path) -> Head | None:
    """The file's name and time, and what tool lines say of the working folder."""
    from agent_memory.capture.agents import windsurf_records

    return windsurf_records.head(path)


def read(path: Path, after: Cursor | None, *, seen: Collection[str] = (), now: datetime) -> Iterator[Record]:
    """Records after a cursor; see `base.AgentModule.read`."""
    from agent_memory.capture.agents import windsurf_records

    return windsurf_records.read(path, after, seen=seen, now=now)


def reply(context: str, event: HookEvent) -> str:
    """Nothing: hooks cannot add context. A rules file carries it."""
    del context, event
    return ""
