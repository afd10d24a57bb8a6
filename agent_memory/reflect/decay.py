"""What has not been heard for long sinks by a step, and in the end is archived (stale), from where it can be restored.

    strength = (1 + log2(sessions)) × 0.5 ^ (days quiet / half-life)

The half-life is 90 days, for green 30. Red and yellow sink by one priority at a strength of 0.5 or less and start
anew; green is archived below 0.25. So a remark heard once is archived after 60 quiet days if green, after
90 + 60 if yellow, after 90 + 90 + 60 if red. Pinned memories, preferences and a person's own words never sink. Any
sign of life starts the days anew: learned (so that an old session read today does not fade at once), heard again,
edited, restored, judged. An archived memory that is heard again is active again.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from math import log2

from agent_memory.model.lifecycle import happening, restore, set_status, state
from agent_memory.model.memory import Kind, MemoryNode, MemoryType, Priority, Status
from agent_memory.reflect.snapshot import Snapshot, fixed, touched
from agent_memory.reflect.step import ACTOR, Step, quote, times

HALF_LIFE = {Priority.RED: 90.0, Priority.YELLOW: 90.0, Priority.GREEN: 30.0}
"""Days in which strength halves, by priority."""
SINKS_AT = 0.5
ARCHIVED_BELOW = 0.25
_DAY = 86_400.0


def strength(sessions: int, quiet_days: float, priority: Priority) -> float:
    """How present a memory still is.

    >>> strength(1, 90, Priority.YELLOW), strength(4, 0, Priority.GREEN)
    (0.5, 3.0)
    """
    return float((1 + log2(max(sessions, 1))) * 0.5 ** (max(quiet_days, 0.0) / HALF_LIFE[priority]))


def sign_of_life(snapshot: Snapshot, memory: MemoryNode) -> datetime:
    """When the memory was last said or stored, or something last befell it."""
    return max([touched(memory), memory.recorded_at, *(h.at for h in snapshot.happenings.get(memory.id, ()))])


def spared(memory: MemoryNode) -> bool:
    """True for what never sinks."""
    return fixed(memory) or memory.kind is Kind.PREFERENCE or memory.type is MemoryType.PREFERENCE


def fading(snapshot: Snapshot) -> Iterator[Step]:
    """Steps that lower or archive what has been quiet for long."""
    pinned_sources = {promoted for promoted, sources in snapshot.lasting().items()
                      if any(snapshot.memories[s].pinned for s in sources if s in snapshot.memories)}
    for memory in snapshot.live():
        if spared(memory) or memory.id in pinned_sources or memory.status is not Status.ACTIVE:
            continue
        quiet = (snapshot.now - sign_of_life(snapshot, memory)).total_seconds() / _DAY
        left = strength(memory.sessions, quiet, memory.priority)
        because = (f"quiet for {int(quiet)} days, heard in {times(memory.sessions, 'session')}, half-life "
                   f"{HALF_LIFE[memory.priority]:.0f} days: strength {left:.2f}")
        if memory.priority is not Priority.GREEN and left <= SINKS_AT:
            lower = Priority(memory.priority - 1)
            yield Step("demote", f"{quote(memory)} sinks from {memory.priority.word} to {lower.word}: {because}.",
                       (memory,), (happening(memory.id, "demoted", lower.word, because, ACTOR, snapshot.now),
                                   state(memory, {"priority": lower})))
        elif memory.priority is Priority.GREEN and left < ARCHIVED_BELOW:
            yield Step("archive", f"{quote(memory)} is archived: {because}, below {ARCHIVED_BELOW}.", (memory,),
                       tuple(set_status(memory, Status.STALE, because, ACTOR, snapshot.now)))


def returning(snapshot: Snapshot) -> Iterator[Step]:
    """Steps that bring archived memories back that were heard since."""
    for memory in sorted(snapshot.memories.values(), key=lambda m: m.id):
        if memory.status is not Status.STALE:
            continue
        archived = [h.at for h in snapshot.happenings.get(memory.id, ())
                    if h.what == "status" and h.value == Status.STALE.word]
        if archived and touched(memory) > max(archived):
            yield Step("return", f"{quote(memory)} is active again: it was heard since it was archived.", (memory,),
                       tuple(restore(memory, ACTOR, snapshot.now, "heard again")))
