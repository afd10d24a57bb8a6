"""Statements that cannot both hold: the later one wins where that is plain, else both are marked contested.

A pair is asked about once: whatever a person or a model then says (compatible, scoped, not a conflict …) stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import timedelta

from agent_memory.model.change import Change, PutEdge
from agent_memory.model.graph import Edge, table_of
from agent_memory.model.lifecycle import set_status, supersede
from agent_memory.model.memory import Kind, MemoryNode, Status
from agent_memory.reflect.likeness import Features, features, opposite, other_value
from agent_memory.reflect.snapshot import Origin, Snapshot, fixed, is_open, lineage, touched, wall
from agent_memory.reflect.step import ACTOR, Step, quote
from agent_memory.reflect.supersede import weighs_less

_NEIGHBOURS = 64
_CLEARLY_LATER = timedelta(minutes=1)


def contradictions(snapshot: Snapshot) -> Iterator[Step]:
    """Steps that end or contest one of two statements that contradict each other."""
    settled: set[str] = set()
    for a, b, why in _pairs(snapshot):
        if snapshot.related(a, b) or a.id in settled or b.id in settled:
            continue
        older, later = sorted((a, b), key=lambda m: (touched(m), m.id))
        settled |= {a.id, b.id}
        doubt = _doubt(snapshot, older, later)
        if doubt:
            yield contest(older, later, why, doubt, snapshot)
        else:
            yield Step("supersede", f"{quote(older)} no longer holds: {quote(later)} was said later ({why}).",
                       (later, older), tuple(supersede(later, older, why, ACTOR, snapshot.now)))


def _doubt(snapshot: Snapshot, older: MemoryNode, later: MemoryNode) -> str:
    """Why it cannot be decided which of two holds; "" if it can."""
    if touched(later) - touched(older) < _CLEARLY_LATER:
        return "neither is later"
    if fixed(older):
        return "the older one is pinned or a person's own words"
    if weighs_less(later, older):
        return "the later one weighs less"
    if snapshot.origins.get(later.id) is Origin.TOOL:
        return "the later one rests on tool output"
    return ""


def contest(older: MemoryNode, later: MemoryNode, why: str, doubt: str, snapshot: Snapshot, actor: str = ACTOR) -> Step:
    """The step that marks two memories as contested and asks for a judgement."""
    now = snapshot.now
    changes: list[Change] = [PutEdge(Edge("conflicts_with", table_of(later), later.key, table_of(older), older.key, now,
                                          status="pending", confidence=0.7, reason=why))]
    for memory, other in ((older, later), (later, older)):
        if memory.status is Status.ACTIVE:
            changes += set_status(memory, Status.CONTESTED, f"{why} (with {other.id})", actor, now)
    return Step("contest", f"{quote(older)} and {quote(later)} contradict each other ({why}); {doubt}, so a person "
                "decides.", (older, later), tuple(changes))


def _pairs(snapshot: Snapshot) -> Iterator[tuple[MemoryNode, MemoryNode, str]]:
    """Pairs that contradict each other, with the reason; found among texts that share all words but the guards."""
    lasting = snapshot.lasting()
    groups: dict[tuple[object, ...], list[tuple[MemoryNode, Features]]] = defaultdict(list)
    for memory in snapshot.live():
        if memory.id in lasting or memory.kind in (Kind.SUMMARY, Kind.LESSON):
            continue
        found = features(memory.text)
        groups[(wall(memory), tuple(sorted(set(found.words))))].append((memory, found))
    for group in groups.values():
        for place, (a, first) in enumerate(group):
            for b, second in group[place + 1: place + 1 + _NEIGHBOURS]:
                value = other_value(first, second)
                if value:
                    yield a, b, f"{value[0]} against {value[1]}"
                elif opposite(first, second):
                    yield a, b, "one says the opposite of the other"


def settlements(snapshot: Snapshot) -> Iterator[Step]:
    """Steps that end a contest because no other side is left."""
    against: dict[str, set[str]] = defaultdict(set)
    for edge in snapshot.edges.get("conflicts_with", ()):
        if edge.status != "ignored":
            source, target = lineage(edge.source), lineage(edge.target)
            against[source].add(target)
            against[target].add(source)
    for memory in snapshot.live():
        others = [snapshot.memories[i] for i in sorted(against[memory.id]) if i in snapshot.memories]
        if memory.status is Status.CONTESTED and others and not any(is_open(o.status) for o in others):
            reason = "the other side no longer stands"
            yield Step("settle", f"{quote(memory)} is no longer contested: {reason}.", (memory, *others),
                       tuple(set_status(memory, Status.ACTIVE, reason, ACTOR, snapshot.now)))
