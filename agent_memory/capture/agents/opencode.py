"""OpenCode: sessions in its database, hook payloads and replies.

Tables as created by 1.18.33; documented in docs/agents/opencode.md. All sessions are in
``$XDG_DATA_HOME/opencode/opencode.db`` (default ``~/.local/share``, on every system).
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

NAME = "opencode"


def find(env: Mapping[str, str], home: Path) -> Iterator[Path]:
    """All sessions; subagents behind their parents. ``OPENCODE_DB`` names another database."""
    root = Path(env.get("XDG_DATA_HOME") or home / ".local" / "share") / "opencode"
    chosen = env.get("OPENCODE_DB", "")
    databases = [root / chosen] if chosen and chosen != ":memory:" else sorted(root.glob("opencode*.db"))
    for database in databases:
        if database.is_file():
            yield from sessions(database)


def sessions(database: Path) -> Iterator[Path]:
    """The sessions of a database."""
    from agent_memory.capture.agents import opencode_records

    return opencode_records.sessions(database)


def event(event: str, payload: Mapping[str, object], *, at: str, cwd: str = "", session: str = "") -> HookEvent:
    """What our plugin says, as an event."""
    return allowed_event(NAME, event, payload, at=at, cwd=cwd, session=session)


def head(path: Path) -> Head | None:
    """What a session's row says."""
    from agent_memory.capture.agents import opencode_records

    return opencode_records.head(path)


def read(path: Path, after: Cursor | None, *, seen: Collection[str] = (), now: datetime) -> Iterator[Record]:
    """Records after a cursor; see `base.AgentModule.read`."""
    from agent_memory.capture.agents import opencode_records

    return opencode_records.read(path, after, seen=seen, now=now)


def reply(context: str, event: HookEvent) -> str:
    """The context as it is: our plugin puts it into the system prompt."""
    return context if event.event == "session-start" else ""
