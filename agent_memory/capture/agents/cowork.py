"""Claude Cowork: local sessions on disk. No hook of it is known to work, so nothing but a scan finds them.

Format from one public test file and from rules inside Claude Code 2.1.332; not run. Documented in
docs/agents/cowork.md. A session is ``local-agent-mode-sessions/<org>/<user>/local_<session>/audit.jsonl`` in the
desktop app's folder: lines like Claude Code's, with a time and a signature of their own.
"""

from __future__ import annotations

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

NAME = "cowork"


def find(env: Mapping[str, str], home: Path) -> Iterator[Path]:
    """All local sessions."""
    if os.name == "nt" and env.get("APPDATA"):
        base = Path(env["APPDATA"]) / "Claude"
    else:
        base = home / "Library" / "Application Support" / "Claude"
    yield from sorted((base / "local-agent-mode-sessions").glob("*/*/local_*/audit.jsonl"))


def event(event: str, payload: Mapping[str, object], *, at: str, cwd: str = "", session: str = "") -> HookEvent:
    """A payload like Claude Code's; its paths may be those of a sandbox and then name no file here."""
    return allowed_event(NAME, event, payload, at=at, cwd=cwd, session=session, source=("source", "reason"))


def head(path: Path) -> Head | None:
    """What the first lines and the folder's name say."""
    from agent_memory.capture.agents import cowork_records

    return cowork_records.head(path)


def read(path: Path, after: Cursor | None, *, seen: Collection[str] = (), now: datetime) -> Iterator[Record]:
    """Records after a cursor; see `base.AgentModule.read`."""
    from agent_memory.capture.agents import cowork_records

    return cowork_records.read(path, after, seen=seen, now=now)


def reply(context: str, event: HookEvent) -> str:
    """Nothing: whether a start hook reaches the model is unproven. A skill and a connector recall instead."""
    del context, event
    return ""
