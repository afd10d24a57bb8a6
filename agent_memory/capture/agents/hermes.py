"""Hermes agent: sessions in its database, events of our memory provider, replies.

Schema and writing code of hermes-agent 0.19.0 (schema 22); not run. Documented in docs/agents/hermes.md. All sessions
are in ``$HERMES_HOME/state.db`` (default ``~/.hermes``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from agent_memory.capture.payload import allowed_event
from agent_memory.model.event import HookEvent

TYPE_CHECKING = False  # hooks import this module and must stay light
if TYPE_CHECKING:
    from datetime import datetime

    from agent_memory.capture.agents.base import Head, Record
    from agent_memory.model.transcript import Cursor

NAME = "hermes"


def find(env: Mapping[str, str], home: Path) -> Iterator[Path]:
    """All sessions, behind those that they continue or belong to."""
    database = Path(env.get("HERMES_HOME") or home / ".hermes") / "state.db"
    if database.is_file():
        yield from sessions(database)


def sessions(database: Path) -> Iterator[Path]:
    """The sessions of a database."""
    from agent_memory.capture.agents import hermes_records

    return hermes_records.sessions(database)


def event(event: str, payload: Mapping[str, object], *, at: str, cwd: str = "", session: str = "") -> HookEvent:
    """What our memory provider, or a shell hook, says."""
    return allowed_event(NAME, event, payload, at=at, cwd=cwd, session=session)


def head(path: Path) -> Head | None:
    """What a session's row says."""
    from agent_memory.capture.agents import hermes_records

    return hermes_records.head(path)


def read(path: Path, after: Cursor | None, *, seen: Collection[str] = (), now: datetime) -> Iterator[Record]:
    """Records after a cursor; see `base.AgentModule.read`."""
    from agent_memory.capture.agents import hermes_records

    return hermes_records.read(path, after, seen=seen, now=now)


def reply(context: str, event: HookEvent) -> str:
    """The context as it is: our memory provider puts it into the system prompt."""
    return context if event.event == "session-start" else ""
