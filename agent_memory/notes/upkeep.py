"""Keeping notes useful: what is due for review, pinned, too old, too many, or points at nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from agent_memory.errors import UsageError
from agent_memory.model import lifecycle
from agent_memory.model.change import Change
from agent_memory.model.memory import VISIBLE, Kind, MemoryNode, MemoryType, Status
from agent_memory.notes.moments import duration
from agent_memory.reflect.snapshot import by_person
from agent_memory.store.base import GraphStore
from agent_memory.store.open import Store

NEXT_REVIEW: Final = timedelta(days=90)
"""When a reviewed note is due again, unless told otherwise."""
_LASTING: Final = frozenset({MemoryType.PREFERENCE, MemoryType.PRINCIPLE, MemoryType.MEMENTO})


@dataclass(frozen=True, slots=True)
class Due:
    """A memory whose review is due, and for how many whole days."""

    memory: MemoryNode
    days: int


@dataclass(frozen=True, slots=True)
class Archived:
    """Memories that were archived (or would be), with the reason of each."""

    memories: tuple[tuple[MemoryNode, str], ...]
    kept: int
    dry_run: bool


def overdue(graph: GraphStore, *, now: datetime, project: str | None = None, limit: int = 0) -> list[Due]:
    """Memories whose review time has come, longest due first."""
    found = [Due(m, (now - m.review_after).days) for m in graph.memories()
             if m.review_after is not None and m.review_after <= now and m.status in VISIBLE
             and not (m.expires_at and m.expires_at <= now) and (project is None or m.project in (project, ""))]
    found.sort(key=lambda d: (-d.days, d.memory.id))
    return found[:limit] if limit else found


def mark_reviewed(store: Store, memory: MemoryNode, *, now: datetime, again: datetime | None, actor: str) -> MemoryNode:
    """The memory still holds; it is due again at ``again`` (default in 90 days).

    Raises:
        UsageError: ``again`` is not in the future.
    """
    when = again or now + NEXT_REVIEW
    if when <= now:
        raise UsageError("the next review is not in the future", hint="Nothing was changed.")
    changes: list[Change] = [lifecycle.state(memory, {"review_after": when, "last_seen_at": now}),
                             lifecycle.happening(memory.id, "reviewed", "", "", actor, now)]
    if memory.status is Status.STALE:
        changes += lifecycle.set_status(memory, Status.ACTIVE, "reviewed", actor, now)
    return _written(store, memory, changes, now, f"{actor}: reviewed")


def pin(store: Store, memory: MemoryNode, *, pinned: bool, now: datetime, actor: str) -> MemoryNode:
    """Keep a memory from decay, pruning and archiving, or no longer. Doing it twice changes nothing."""
    if memory.pinned is pinned:
        return memory
    what = "pinned" if pinned else "unpinned"
    changes: list[Change] = [lifecycle.state(memory, {"pinned": pinned}),
                             lifecycle.happening(memory.id, what, "", "", actor, now)]
    return _written(store, memory, changes, now, f"{actor}: {what}")


def _written(store: Store, memory: MemoryNode, changes: Sequence[Change], now: datetime, actor: str) -> MemoryNode:
    store.commit(changes, at=now, actor=actor)
    with store.read() as graph:
        return graph.memory(memory.id) or memory


def prune(store: Store, older_than: str, *, now: datetime, project: str | None, dry_run: bool,
          actor: str) -> Archived:
    """Archive what was neither said, stored nor reviewed for so long. Pinned, lasting and a person's words stay.

    Raises:
        UsageError: the duration is none.
    """
    limit = now - duration(older_than)
    with store.read() as graph:
        everything = [m for m in graph.memories() if project is None or m.project == project]
    old = [(m, f"not seen since {seen(m):%Y-%m-%d}") for m in everything if m.status in VISIBLE and seen(m) < limit
           and not _kept(m)]
    return _archive(store, old, len(everything), now=now, dry_run=dry_run, actor=f"{actor}: prune")


def shrink(store: Store, most: int, *, now: datetime, dry_run: bool, actor: str) -> Archived:
    """Archive the least useful visible observations until at most ``most`` are left (0: no limit)."""
    with store.read() as graph:
        shown = [m for m in graph.memories() if m.status in VISIBLE and m.type is MemoryType.OBSERVATION]
    if not most or len(shown) <= most:
        return Archived((), len(shown), dry_run)
    order = sorted((m for m in shown if not _kept(m)), key=lambda m: (usefulness(m, now), m.created_at, m.id))
    least = [(m, f"least useful of more than {most} (usefulness {usefulness(m, now):.2f})")
             for m in order[:len(shown) - most]]
    return _archive(store, least, len(shown), now=now, dry_run=dry_run, actor=f"{actor}: max_observations")


def usefulness(memory: MemoryNode, now: datetime) -> float:
    """How much would be lost: priority, how often and in how many sessions it came up, halved every 90 days."""
    days = max(0.0, (now - seen(memory)).total_seconds() / 86_400)
    weight = int(memory.priority) * (1 + memory.confidence) * (1 + 0.25 * min(memory.seen + memory.sessions - 2, 12))
    return float(weight * 0.5 ** (days / 90))


def seen(memory: MemoryNode) -> datetime:
    """When a memory was last said, stored or reviewed."""
    return max(memory.created_at, memory.last_seen_at or memory.created_at)


def _kept(memory: MemoryNode) -> bool:
    return memory.pinned or memory.type in _LASTING or memory.kind is Kind.PREFERENCE or by_person(memory)


def _archive(store: Store, found: Sequence[tuple[MemoryNode, str]], before: int, *, now: datetime, dry_run: bool,
             actor: str) -> Archived:
    if found and not dry_run:
        changes: list[Change] = []
        for memory, reason in found:
            changes += lifecycle.set_status(memory, Status.STALE, reason, actor, now)
        store.commit(changes, at=now, actor=actor)
    return Archived(tuple(found), before - len(found), dry_run)


