"""The stable orders in which every engine answers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Final, Protocol, TypeVar

from agent_memory.model.graph import Edge, Happening, Project, ProjectInfo
from agent_memory.model.memory import MemoryNode
from agent_memory.model.transcript import Session

_NEVER: Final = datetime.min.replace(tzinfo=UTC)


class _HasId(Protocol):
    @property
    def id(self) -> str: ...


T = TypeVar("T", bound=_HasId)


def by_id(found: Iterable[T]) -> list[T]:
    """By id."""
    return sorted(found, key=lambda n: n.id)


def by_seq(found: Iterable[T]) -> list[T]:
    """By sequence number and id."""
    return sorted(found, key=lambda n: (_any(n).seq, n.id))


def by_time(found: Iterable[T]) -> list[T]:
    """By time and id."""
    return sorted(found, key=lambda n: (_any(n).at, n.id))


def _any(value: Any) -> Any:
    return value


def memories(found: Iterable[MemoryNode]) -> list[MemoryNode]:
    """By id and revision."""
    return sorted(found, key=lambda m: (m.id, m.revision, m.type))


def happenings(found: Iterable[Happening]) -> list[Happening]:
    """By time and id."""
    return by_time(found)


def sessions(found: Iterable[Session]) -> list[Session]:
    """By start time and id; without a start time first."""
    return sorted(found, key=lambda s: (s.started_at or _NEVER, s.id))


def edges(found: Iterable[Edge]) -> list[Edge]:
    """By kind, source and target."""
    return sorted(found, key=lambda e: (e.kind, e.source, e.target, e.source_table, e.target_table))


def projects(found: Iterable[Project], events: Iterable[Happening]) -> list[ProjectInfo]:
    """Projects by id, each with its aliases in the order in which they became known."""
    aliases: dict[str, dict[str, None]] = {}
    for event in events:
        if event.what == "alias":
            aliases.setdefault(event.subject, {})[event.value] = None
    return [ProjectInfo(p, tuple(aliases.get(p.id, {}))) for p in by_id(found)]
