"""How a memory came to be what it is: its texts, what befell it and why, where it was said, what it is tied to."""

from __future__ import annotations

from dataclasses import dataclass

from agent_memory.errors import NotFoundError
from agent_memory.forget.selection import resolve
from agent_memory.model.graph import Edge, Happening
from agent_memory.model.memory import MemoryNode
from agent_memory.store.base import GraphStore


@dataclass(frozen=True, slots=True)
class Source:
    """A place where a memory was said: table and key of the record, file and lines ("" and 0 where unknown)."""

    table: str
    key: str
    file: str = ""
    line: int = 0
    line_end: int = 0
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class History:
    """Everything known about one memory. ``revisions`` are oldest first, ``happenings`` in order of time."""

    memory: MemoryNode
    revisions: tuple[MemoryNode, ...]
    happenings: tuple[Happening, ...]
    sources: tuple[Source, ...]
    relations: tuple[Edge, ...]


def history(graph: GraphStore, given: str) -> History:
    """The history of the memory named by id or its first characters.

    Raises:
        NotFoundError, AmbiguousError, UsageError: see `resolve`.
    """
    memory_id = resolve(graph, given)
    memory = graph.memory(memory_id)
    if memory is None:
        raise NotFoundError(f"no memory has the id {given!r}", hint="nothing was changed")
    revisions = graph.revisions(memory_id)
    edges = graph.edges(touching=[m.key for m in revisions])
    first = revisions[0] if revisions else memory
    sources = {first.message: Source("", first.message, first.file, first.line, first.line_end, first.sha256)}
    for edge in edges:
        if edge.kind == "derived_from":
            known = sources.get(edge.target)
            sources[edge.target] = Source(edge.target_table, edge.target, *(
                (known.file, known.line, known.line_end, known.sha256) if known else ()))
    relations = tuple(e for e in edges if e.kind not in ("derived_from", "in_session", "in_project", "revises"))
    return History(memory, tuple(revisions), tuple(graph.happenings(memory_id)),
                   tuple(s for s in sources.values() if s.key or s.file), relations)
