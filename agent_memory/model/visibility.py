"""The one rule of who sees which memory, used by every read path (docs/reference/visibility.md)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from agent_memory.model.memory import VISIBLE, MemoryNode, Scope, Status


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """From where and when memory is looked at.

    ``project`` is a Project id ("" for outside of any); ``all_projects`` lifts the wall between projects;
    ``statuses`` are those that count (default: active and contested).
    """

    now: datetime
    project: str = ""
    all_projects: bool = False
    statuses: Collection[Status] = VISIBLE


def visible(memory: MemoryNode, view: Viewpoint) -> bool:
    """True if this revision may be shown: current, right status, valid and not expired at ``view.now``, in scope.

    A memory of one project never shows in another unless its scope is personal or global. A memory without a
    project has no wall around it.
    """
    if not memory.current or memory.status not in view.statuses:
        return False
    if memory.valid_from is not None and memory.valid_from > view.now:
        return False
    ended = memory.valid_until is not None and memory.valid_until <= view.now
    if ended and Status.SUPERSEDED not in view.statuses:
        return False
    if memory.expires_at is not None and memory.expires_at <= view.now:
        return False
    return (view.all_projects or memory.scope is not Scope.PROJECT or not memory.project
            or memory.project == view.project)
