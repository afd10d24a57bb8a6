"""When it is time to reflect, and the mark that it was done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from agent_memory.model.change import PutNode
from agent_memory.model.graph import Happening
from agent_memory.model.lifecycle import happening
from agent_memory.model.memory import MemoryNode, MemoryType
from agent_memory.reflect.step import ACTOR
from agent_memory.store.base import GraphStore, MemoryFilter

SUBJECT = "reflector"
"""Subject of the happening that marks a run."""
AFTER_OBSERVATIONS = 20
AFTER_TIME = timedelta(days=1)


def last_run(happenings: Iterable[Happening]) -> datetime | None:
    """When memories were last reflected on; None for never."""
    return max((h.at for h in happenings if h.subject == SUBJECT and h.what == "reflected"), default=None)


def fresh(memories: Iterable[MemoryNode], since: datetime | None) -> list[MemoryNode]:
    """Observations recorded after the last run."""
    return [m for m in memories if m.type is MemoryType.OBSERVATION and (since is None or m.recorded_at > since)]


def due(graph: GraphStore, now: datetime, *, after: int = AFTER_OBSERVATIONS) -> bool:
    """True if ``after`` new observations have come together, or a day has passed and there is at least one."""
    since = last_run(graph.happenings(SUBJECT))
    new = fresh(graph.memories(MemoryFilter(types=(MemoryType.OBSERVATION,))), since)
    if not new:
        return False
    start = since or min(m.recorded_at for m in new)
    return len(new) >= after or now - start >= AFTER_TIME


def mark(new: Sequence[MemoryNode], now: datetime) -> PutNode:
    """The mark that these new observations were reflected on, also those whose clock was ahead of ours."""
    return happening(SUBJECT, "reflected", str(len(new)), "", ACTOR, max(now, *(m.recorded_at for m in new)))
