"""Near-duplicates: what was said twice in other words becomes one memory that was seen more often.

Candidates come from an inverted index over each text's rarest words, within one wall, type, kind and set of guards, so
that ten thousand memories are compared in about linear time. Each pair is then compared for real; only what is the same
as the one that stays is merged into it, never through a chain of ever less alike texts.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from math import ceil

import networkx as nx

from agent_memory.model.change import Change, PutEdge
from agent_memory.model.graph import Edge, table_of
from agent_memory.model.lifecycle import state, supersede
from agent_memory.model.memory import Kind, MemoryNode
from agent_memory.reflect.likeness import COVER, Features, features, same
from agent_memory.reflect.snapshot import Snapshot, by_person, fixed, touched, wall
from agent_memory.reflect.step import ACTOR, Step, quote, times

_CROWD = 64
"""In a block that is larger, each text is compared with so many neighbours in order of its words."""

_KNOWLEDGE = frozenset({Kind.FACT, Kind.CONTEXT, Kind.NOTE, Kind.ARCHITECTURE})


def _family(memory: MemoryNode) -> str:
    """Kinds that may be joined: four ways to state a fact are one, all others stay apart."""
    return "knowledge" if memory.kind in _KNOWLEDGE else memory.kind.value


def _rarest(words: Iterable[str], frequency: Counter[str]) -> list[str]:
    """The words of which two texts that share enough must share one (prefix filtering)."""
    ranked = sorted(set(words), key=lambda w: (frequency[w], w))
    return ranked[: len(ranked) - ceil(COVER * len(ranked)) + 1]


def _block_word(word: str) -> str:
    """Forms of one word fall into one block."""
    return word[:4] if word.isascii() else word[:2]


def pairs(memories: Iterable[MemoryNode]) -> Iterator[tuple[MemoryNode, MemoryNode]]:
    """Pairs that say the same."""
    groups: dict[tuple[object, ...], list[tuple[MemoryNode, Features]]] = defaultdict(list)
    for memory in memories:
        f = features(memory.text)
        groups[(wall(memory), memory.type, _family(memory), memory.done, f.negations, f.guards)].append((memory, f))
    for group in groups.values():
        yield from _pairs_in(group)


def _pairs_in(group: list[tuple[MemoryNode, Features]]) -> Iterator[tuple[MemoryNode, MemoryNode]]:
    if len(group) < 2:
        return
    shapes = [{_block_word(w) for w in f.words} for _, f in group]
    frequency = Counter(w for shape in shapes for w in shape)
    blocks: dict[str, list[int]] = defaultdict(list)
    for index, shape in enumerate(shapes):
        for word in _rarest(shape, frequency) or [""]:
            blocks[word].append(index)
    seen: set[tuple[int, int]] = set()
    for members in blocks.values():
        if len(members) > _CROWD:
            members.sort(key=lambda i: (sorted(group[i][1].words), group[i][0].id))
        for place, left in enumerate(members):
            for right in members[place + 1: place + 1 + _CROWD]:
                pair = (min(left, right), max(left, right))
                if pair not in seen:
                    seen.add(pair)
                    if _within(shapes[left], shapes[right]) and same(group[left][1], group[right][1]):
                        yield group[pair[0]][0], group[pair[1]][0]


def _within(a: set[str], b: set[str]) -> bool:
    """A cheap test before the real one: if one text holds all words of the other, so it is with their beginnings."""
    return a <= b or b <= a


def merges(snapshot: Snapshot) -> Iterator[Step]:
    """One step for each memory that takes up others."""
    graph: nx.Graph[str] = nx.Graph()
    for a, b in pairs(snapshot.live()):
        if not _parted(snapshot, a, b):
            graph.add_edge(a.id, b.id)
    for component in sorted(nx.connected_components(graph), key=min):
        members = sorted((snapshot.memories[i] for i in component), key=lambda m: (not fixed(m), m.created_at, m.id))
        while members:
            keeper, *rest = members
            others = [m for m in rest if not fixed(m) and graph.has_edge(keeper.id, m.id)]
            if others:
                yield merge(keeper, others, snapshot.now, "says the same")
            members = [m for m in rest if m not in others]


def _parted(snapshot: Snapshot, a: MemoryNode, b: MemoryNode) -> bool:
    """True if someone has already judged the pair, or both are a person's own."""
    return snapshot.related(a, b) or (fixed(a) and fixed(b))


def merge(keeper: MemoryNode, others: list[MemoryNode], now: datetime, reason: str, actor: str = ACTOR) -> Step:
    """The step by which ``keeper`` takes up ``others``: counters add up, the others are superseded, nothing is lost."""
    changes: list[Change] = []
    for other in others:
        changes += supersede(keeper, other, reason, actor, now)
        changes.append(PutEdge(Edge("merged_from", table_of(keeper), keeper.key, table_of(other), other.key, now,
                                    reason=reason)))
    changes.append(state(keeper, counters([keeper, *others])))
    said = "; ".join(quote(m) for m in others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
    own = " (a person's words)" if by_person(keeper) else ""
    return Step("merge", f"{quote(keeper)}{own} takes up {times(len(others), 'memory', 'memories')}: {said} {reason}.",
                (keeper, *others), tuple(changes))


def counters(members: list[MemoryNode]) -> dict[str, object]:
    """State of a memory that stands for ``members``: seen and sessions add up, a shared session counts once."""
    first = Counter(m.session for m in members if m.session)
    shared = sum(n - 1 for n in first.values())
    return {
        "seen": sum(m.seen for m in members),
        "sessions": max(max(m.sessions for m in members), sum(m.sessions for m in members) - shared),
        "last_seen_at": max(touched(m) for m in members),
        "priority": max(m.priority for m in members),
        "confidence": max(m.confidence for m in members),
    }
