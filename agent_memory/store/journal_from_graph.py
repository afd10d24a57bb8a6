"""A graph written as a journal that makes it again. When each state was set is not in it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from agent_memory.model.change import Batch, Change, PutEdge, PutNode, SetCursor, SetObserved
from agent_memory.store.base import GraphStore
from agent_memory.store.journal import Journal

_PIECE: Final = 2000
_LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)


def batches_of(graph: GraphStore) -> Iterator[Batch]:
    """Batches that make the same graph again, without positions."""
    piece: list[Change] = []
    for change in _changes(graph):
        piece.append(change)
        if len(piece) == _PIECE:
            yield Batch(_LONG_AGO, "rebuild: journal made from the graph", tuple(piece))
            piece = []
    yield Batch(_LONG_AGO, "rebuild: journal made from the graph", tuple(piece))


def _changes(graph: GraphStore) -> Iterator[Change]:
    yield from (PutNode(node) for node in graph.nodes())
    yield from (PutEdge(edge) for edge in graph.all_edges())
    yield from (SetCursor(cursor) for cursor in graph.cursors())
    yield from (SetObserved(session, seq) for session, seq in graph.observed_all().items())


def write_journal(graph: GraphStore, target: Path) -> None:
    """Write a graph as a new journal."""
    journal = Journal(target)
    for batch in batches_of(graph):
        journal.append_all([batch])
