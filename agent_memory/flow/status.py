"""What is stored and what waits, for ``status``."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from agent_memory.model.memory import Status
from agent_memory.store.backup import entries
from agent_memory.store.base import MemoryFilter

if TYPE_CHECKING:
    from agent_memory.flow.place import Place


@dataclass(frozen=True, slots=True)
class StatusReport:
    """Counts by type and status, projects with their visible memories, agents with their last captured message."""

    home: str
    engine: str
    position: int
    memories: dict[str, dict[str, int]]
    projects: dict[str, int]
    sessions: int
    last_message: dict[str, datetime | None]
    inbox: int
    bytes: int
    backups: int


def status(place: Place) -> StatusReport:
    """Look at a home; nothing is changed."""
    home, store = place.home, place.store
    with store.read() as graph:
        memories = graph.memories(MemoryFilter())
        sessions = graph.sessions()
        names = {p.project.id: p.project.name for p in graph.projects()}
    counts: dict[str, dict[str, int]] = {}
    projects: dict[str, int] = {}
    for one in memories:
        row = counts.setdefault(one.type.value, {})
        row[one.status.word] = row.get(one.status.word, 0) + 1
        if one.status in (Status.ACTIVE, Status.CONTESTED) and one.project:
            name = names.get(one.project, one.project)
            projects[name] = projects.get(name, 0) + 1
    last: dict[str, datetime | None] = {}
    for session in sessions:
        before = last.get(session.agent)
        last[session.agent] = max(filter(None, (before, session.last_at)), default=None)
    size = sum(f.stat().st_size for f in home.root.rglob("*") if f.is_file()) if home.root.exists() else 0
    waiting = sum(1 for f in home.inbox.glob("*.json")) if home.inbox.exists() else 0
    return StatusReport(str(home.root), store.engine, store.position(), dict(sorted(counts.items())),
                        dict(sorted(projects.items())), len(sessions), dict(sorted(last.items())), waiting, size,
                        len(entries(home)))
