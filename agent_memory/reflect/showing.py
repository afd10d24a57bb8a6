"""What a model is shown of memories: numbered lines, in chunks of bounded size, each with its nearest others.

A question never grows with the graph: a chunk holds at most CHUNK_MEMORIES memories of one wall (project, or meant for
everywhere) and about CHUNK_TOKENS tokens.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator

from agent_memory.llm.base import tokens
from agent_memory.model.memory import MemoryNode
from agent_memory.reflect.likeness import features
from agent_memory.reflect.snapshot import fixed, wall

CHUNK_MEMORIES = 60
CHUNK_TOKENS = 6_000
_NEW_IN_CHUNK = 30
_NEIGHBOURS = 3


def line(number: int, memory: MemoryNode) -> str:
    """A memory as a model is shown it."""
    said = f"{memory.created_at:%Y-%m-%d}, {memory.type.value}, {memory.kind.value}, sessions {memory.sessions}"
    return f"[{number}] ({said}{', fixed' if fixed(memory) else ''}) {' '.join(memory.text.split())}"


def chunks(members: Iterable[MemoryNode], fresh: Collection[str]) -> Iterator[list[MemoryNode]]:
    """Memories to show together: those with the ids ``fresh``, newest first, with their nearest others of the same
    wall; within a chunk oldest first."""
    walls: dict[tuple[str, str], list[MemoryNode]] = defaultdict(list)
    for memory in members:
        walls[wall(memory)].append(memory)
    for _, inside in sorted(walls.items()):
        index: dict[str, list[MemoryNode]] = defaultdict(list)
        for memory in inside:
            for word in set(features(memory.text).words):
                index[word].append(memory)
        ahead = sorted((m for m in inside if m.id in fresh), key=lambda m: (m.created_at, m.id))
        while ahead:
            yield sorted(_fill(ahead, index), key=lambda m: (m.created_at, m.id))


def _fill(ahead: list[MemoryNode], index: dict[str, list[MemoryNode]]) -> list[MemoryNode]:
    """Take memories off the end of ``ahead`` into one chunk, each with its nearest others, while there is room."""
    chunk: dict[str, MemoryNode] = {}
    size = taken = 0
    while ahead and taken < _NEW_IN_CHUNK:
        for memory in [ahead[-1], *_nearest(ahead[-1], index)]:
            cost = tokens(memory.text) + 24
            if memory.id in chunk:
                continue
            if len(chunk) >= CHUNK_MEMORIES or size + cost > CHUNK_TOKENS:
                break
            chunk[memory.id] = memory
            size += cost
        if ahead[-1].id not in chunk and chunk:
            break  # it begins the next chunk
        ahead.pop()  # taken, or larger than a whole question
        taken += 1
    return list(chunk.values())


def _nearest(memory: MemoryNode, index: dict[str, list[MemoryNode]]) -> list[MemoryNode]:
    shared: Counter[str] = Counter()
    by_id: dict[str, MemoryNode] = {}
    for word in sorted(set(features(memory.text).words)):
        for other in index[word][-200:]:
            if other.id != memory.id:
                shared[other.id] += 1
                by_id[other.id] = other
    return [by_id[i] for i, _ in sorted(shared.items(), key=lambda x: (-x[1], x[0]))[:_NEIGHBOURS]]
