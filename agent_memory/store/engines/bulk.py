"""Filling an empty graph from the whole journal by bulk copy.

Immutable rows stream into the engine in large pieces; only rows with state, and edges, are held until the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Final, cast

from agent_memory.model.change import Batch, PutEdge, PutNode, SetCursor, SetObserved, SetState
from agent_memory.model.graph import STATE, TABLES, Edge, Node, key_of, table_of
from agent_memory.model.memory import MemoryNode
from agent_memory.model.transcript import Cursor
from agent_memory.store.engines.columns import row
from agent_memory.store.engines.memory import EdgeKey, edge_key, replaces
from agent_memory.store.engines.write import (
    Row,
    Session,
    copy_edges,
    create_rows,
    cursor_head,
    cursor_move,
    full_edge_row,
    set_position,
)

PIECE: Final = 10_000
"""Immutable rows that are held before they go to the engine."""


class _Loader:
    """State of one load: what was seen, and what waits for its last state."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.keys: dict[str, set[str]] = {table: set() for table in TABLES}
        self.waiting: dict[str, list[Row]] = {table: [] for table in TABLES}
        self.changing: dict[str, dict[str, Node]] = {table: {} for table in STATE}
        self.edges: dict[EdgeKey, Edge] = {}
        self.cursors: dict[tuple[str, str], Cursor] = {}
        self.observed: dict[str, int] = {}
        self.position = 0
        self.unplaced = 0

    def take(self, batch: Batch) -> None:
        for change in batch.changes:
            match change:
                case PutNode(node):
                    self._put(node)
                case PutEdge(edge):
                    self._join(edge)
                case SetState(table, key, values):
                    old = self.changing[table].get(key)
                    if old is not None:
                        self.changing[table][key] = replace(old, **cast("dict[str, Any]", dict(values)))
                case SetCursor(cursor):
                    self.cursors[cursor.agent, cursor.file] = cursor
                case SetObserved(session, seq):
                    self.observed[session] = seq
                case _:
                    pass
        self.position = max(self.position, batch.position)

    def _put(self, node: Node) -> None:
        table, key = table_of(node), key_of(node)
        if key in self.keys[table]:
            return
        self.keys[table].add(key)
        if table in self.changing:
            self.changing[table][key] = node
            return
        self.waiting[table].append(row(table, node))
        if len(self.waiting[table]) >= PIECE:
            self._flush(table)

    def _flush(self, table: str) -> None:
        create_rows(self.session, table, self.waiting[table])
        self.waiting[table] = []

    def _join(self, edge: Edge) -> None:
        if edge.source not in self.keys[edge.source_table] or edge.target not in self.keys[edge.target_table]:
            self.unplaced += 1
            return
        old = self.edges.get(edge_key(edge))
        if old is None or replaces(edge, old.status):
            self.edges[edge_key(edge)] = edge

    def finish(self) -> None:
        spans: dict[str, tuple[str, int, int]] = {}
        for table, nodes in self.changing.items():
            for node in nodes.values():
                if isinstance(node, MemoryNode):
                    _, first, last = spans.get(node.id, (table, node.revision, node.revision))
                    spans[node.id] = (table, min(first, node.revision), max(last, node.revision))
            self.waiting[table] = [row(table, node) for node in nodes.values()]
        for table in TABLES:
            self._flush(table)
        create_rows(self.session, "Lineage", [{"key": key, "table": table, "first": first, "last": last}
                                              for key, (table, first, last) in spans.items()])
        groups: dict[tuple[str, str, str], list[Row]] = {}
        for edge in self.edges.values():
            groups.setdefault((edge.kind, edge.source_table, edge.target_table), []).append(full_edge_row(edge, 0))
        for (kind, source, target), rows in groups.items():
            copy_edges(self.session, kind, (source, target), rows)
        create_rows(self.session, "CursorMove", [cursor_move(c, self.position) for c in self.cursors.values()])
        create_rows(self.session, "CursorHead", [cursor_head(c, self.position) for c in self.cursors.values()])
        create_rows(self.session, "Observed", [{"key": k, "seq": s} for k, s in self.observed.items()])
        set_position(self.session, self.position)


def load(session: Session, batches: Iterable[Batch]) -> int:
    """Load batches into an empty graph; its position is set last.

    Returns:
        How many edges were left out because an end was missing when they came.
    """
    loader = _Loader(session)
    for batch in batches:
        loader.take(batch)
    loader.finish()
    return loader.unplaced
