"""agent-terminal-ui: sessions in its database, hook events from its environment.

Schema of agent-terminal-ui 2.2.0 (the package's code), whose hooks nothing fires yet; not run. Documented in
docs/agents/agent_terminal_ui.md. The database is ``agent_terminal_ui.db`` in the data folder of "agent-utilities".
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from agent_memory.capture.payload import allowed_event
from agent_memory.model.event import HookEvent

TYPE_CHECKING = False  # hooks import this module and must stay light
if TYPE_CHECKING:
    from datetime import datetime

    from agent_memory.capture.agents.base import Head, Record
    from agent_memory.model.transcript import Cursor

NAME = "agent_terminal_ui"
_APP = "agent-utilities"


def _folder(env: Mapping[str, str], home: Path) -> Path:
    if env.get("AGENT_UTILITIES_DATA_DIR"):
        return Path(env["AGENT_UTILITIES_DATA_DIR"])
    if env.get("AGENT_UTILITIES_CONFIG_DIR"):
        return Path(env["AGENT_UTILITIES_CONFIG_DIR"]).parent / "data"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / _APP
    if os.name == "nt":
        return Path(env.get("LOCALAPPDATA") or home / "AppData" / "Local") / _APP / _APP
    return Path(env.get("XDG_DATA_HOME") or home / ".local" / "share") / _APP


def find(env: Mapping[str, str], home: Path) -> Iterator[Path]:
    """All sessions of the database, wherever the environment puts it."""
    folder = _folder(env, home)
    beside = [folder.parent] if env.get("AGENT_UTILITIES_CONFIG_DIR") else []
    for place in (folder, *beside):
        if (place / "agent_terminal_ui.db").is_file():
            yield from sessions(place / "agent_terminal_ui.db")
            return


def sessions(database: Path) -> Iterator[Path]:
    """The sessions of a database that have turns."""
    from agent_memory.capture.agents import agent_terminal_ui_records

    return agent_terminal_ui_records.sessions(database)


def event(event: str, payload: Mapping[str, object], *, at: str, cwd: str = "", session: str = "") -> HookEvent:
    """An event; this host gives its hooks no payload but variables ``HOOK_<KEY>``."""
    return allowed_event(NAME, event, payload, at=at, cwd=cwd or os.environ.get("HOOK_WORKSPACE", ""),
                         session=session or os.environ.get("HOOK_SESSION_ID", ""))


def head(path: Path) -> Head | None:
    """What a session's row says."""
    from agent_memory.capture.agents import agent_terminal_ui_records

    return agent_terminal_ui_records.head(path)


def read(path: Path, after: Cursor | None, *, seen: Collection[str] = (), now: datetime) -> Iterator[Record]:
    """Records after a cursor; see `base.AgentModule.read`."""
    from agent_memory.capture.agents import agent_terminal_ui_records

    return agent_terminal_ui_records.read(path, after, seen=seen, now=now)


def reply(context: str, event: HookEvent) -> str:
    """Nothing: the host drops what a hook prints. Its Python side can ask for the context itself."""
    del context, event
    return ""
