"""What a parser yields, and what it says of a transcript before reading it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from agent_memory.model.transcript import Cursor, Message, Session, Skipped, ToolEvent

Record = Session | Message | ToolEvent | Skipped | Cursor


@dataclass(frozen=True, slots=True)
class Head:
    """What the beginning of a transcript says about its session.

    ``parent`` is the host's id of the session that started this one as a subagent, ``origin`` of the one it was
    forked from, where the host says so. ``own_call`` marks a session that this program started to ask a model.
    """

    host_id: str
    started_at: datetime | None
    cwd: str = ""
    branch: str = ""
    remote: str = ""
    title: str = ""
    parent: str = ""
    origin: str = ""
    own_call: bool = False
