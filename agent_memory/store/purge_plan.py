"""What a purge would take out: the memories that are meant, the records they were learned from, and whatever else holds
their text. Only looks; purge.py acts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from rapidfuzz import fuzz

from agent_memory.model.graph import MEMORY_TABLES, Node, key_of, table_of
from agent_memory.model.memory import MemoryNode
from agent_memory.model.transcript import Message, ToolEvent
from agent_memory.store.base import GraphStore, MemoryFilter
from agent_memory.store.gone import MIN_PIECE, fingerprint, pieces
from agent_memory.store.holders import Finder, Hit, hits, lineage
from agent_memory.text.normal import normalise

_ALIKE: Final = 85.0
"""A sentence of the source is the memory's own if it is that much like it (0 to 100)."""
_TELLING: Final = 25
"""Sentences of a source with this many characters are told apart from others by themselves."""


@dataclass(frozen=True, slots=True)
class PurgePlan:
    """Everything that goes.

    ``memories`` are the current revisions of what is meant, ``texts`` all their texts in all revisions, ``others``
    further nodes that hold one of the texts or are what a memory was learned from. ``transcripts`` are the hosts' own
    files that hold them: they are not ours and stay.
    """

    memories: tuple[MemoryNode, ...]
    texts: tuple[str, ...]
    others: tuple[Hit, ...]
    transcripts: tuple[str, ...]
    doomed: frozenset[tuple[str, str]] = field(repr=False)
    sources: tuple[Node, ...] = field(repr=False, default=())

    @property
    def subjects(self) -> frozenset[str]:
        """Ids of memories of which nothing stays, so that what befell them goes too."""
        return frozenset(m.id for m in self.memories)


def plan_purge(graph: GraphStore, memories: Sequence[MemoryNode], *, texts: Iterable[str] = ()) -> PurgePlan:
    """What purging these memories takes out.

    Args:
        graph: An open graph.
        memories: Current revisions of what is meant; forgotten ones too.
        texts: Further words of which no byte may stay.
    """
    own = [m for chosen in memories for m in graph.revisions(chosen.id)]
    wanted = tuple(dict.fromkeys([*(t for m in own for t in lineage(m)), *(t for t in texts if t.strip())]))
    finder = Finder(wanted)
    doomed = {(table_of(m), m.key) for m in own}
    cited = {(e.target_table, e.target) for e in graph.edges(("derived_from",), [m.key for m in own])} if own else set()
    said = {m.message for m in own if m.message}
    others: list[Hit] = []
    sources: list[Node] = []
    for node in graph.nodes():
        place = table_of(node), key_of(node)
        source = place in cited or (isinstance(node, Message | ToolEvent) and node.id in said)
        if place in doomed:
            continue
        found = next(iter(hits([node], finder)), None) or (Hit(*place, (), True) if source else None)
        if found is not None:
            others.append(found)
            if found.whole:
                sources.append(node)
    others += _whole_lineages(graph, others)
    doomed |= {(h.table, h.key) for h in others if h.whole}
    files = sorted({n.file for n in (*sources, *own) if isinstance(n, Message | ToolEvent | MemoryNode) and n.file})
    return PurgePlan(tuple(memories), wanted, tuple(others), tuple(files), frozenset(doomed), tuple(sources))


def _whole_lineages(graph: GraphStore, others: Sequence[Hit]) -> list[Hit]:
    """All revisions of memories of which the current one goes: a memory cannot live without it."""
    tables = set(MEMORY_TABLES.values())
    gone = {h.key for h in others if h.table in tables}
    more = []
    if gone:
        for memory in graph.memories(MemoryFilter()):
            if memory.key in gone:
                more += [Hit(table_of(m), m.key, (), True) for m in graph.revisions(memory.id) if m.key not in gone]
    return more


def tombstones(plan: PurgePlan, key: bytes) -> tuple[str, ...]:
    """Fingerprints to leave behind: of the texts, of the sources as a whole, and of the sentences that said them."""
    found = {fingerprint(key, text) for text in plan.texts}
    finder = Finder(plan.texts)
    wanted = [normalise(t) for t in plan.texts]
    for node in plan.sources:
        for text in _texts(node):
            found.add(fingerprint(key, text))
            found |= {fingerprint(key, piece) for piece in _own_sentences(text, finder, wanted)}
    return tuple(sorted(found))


def _texts(node: Node) -> list[str]:
    if isinstance(node, Message | MemoryNode):
        return [node.text] if len(normalise(node.text)) >= MIN_PIECE else []
    if isinstance(node, ToolEvent):
        return [t for t in (node.input, node.output) if len(normalise(t)) >= MIN_PIECE]
    return []


def _own_sentences(text: str, finder: Finder, wanted: Sequence[str]) -> list[str]:
    """Sentences of a source that say what is purged; all telling ones where none can be singled out."""
    parts = pieces(text)
    said = [p for p in parts if finder.inside(p) or any(
        normalise(p) in w or fuzz.ratio(normalise(p), w) >= _ALIKE for w in wanted)]
    return said or [p for p in parts if len(normalise(p)) >= _TELLING]


def counted(plan: PurgePlan) -> dict[str, int]:
    """How many nodes go, by table."""
    numbers: dict[str, int] = {}
    for table, _ in plan.doomed:
        numbers[table] = numbers.get(table, 0) + 1
    return dict(sorted(numbers.items()))


