"""Filling an empty graph from the whole journal by bulk copy: rows go to CSV files, which the engine copies in.

Immutable rows are written as they come; only rows with state, and edges, are held until the end. The CSV files stand
beside the graph file, are owner-only, and are removed in any case. Only for a file that is not in use yet: what COPY
brings is durable after the next checkpoint only.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, Final, cast

from agent_memory import files
from agent_memory.model.change import Batch, PutEdge, PutNode, SetCursor, SetObserved, SetState
from agent_memory.model.graph import RELATIONS, STATE, TABLES, Edge, Node, key_of, table_of
from agent_memory.model.memory import MemoryNode
from agent_memory.model.transcript import Cursor
from agent_memory.store.engines.columns import COLUMNS, EDGE_COLUMNS, micros, row
from agent_memory.store.engines.memory import EdgeKey, edge_key, replaces
from agent_memory.store.engines.write import Session, create_rows, cursor_head, cursor_move, set_position

_OPTIONS: Final = """(file_format='csv', header=false, parallel=false, delim=',', quote='"', escape='"', """ \
    "auto_detect=false)"
_LINEAGE: Final = (("key", "STRING"), ("table", "STRING"), ("first", "INT64"), ("last", "INT64"))
_EDGE: Final = (("a", "STRING"), ("b", "STRING"), ("at", "INT64"), ("status", "STRING"), ("confidence", "DOUBLE"),
                ("reason", "STRING"))


def _cell(value: Any) -> str:
    if type(value) is str:
        return '"' + value.replace('"', '""') + '"'
    return "" if value is None else str(value)


class _Sheets:
    """One CSV file for each thing to copy."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.open: dict[str, IO[str]] = {}
        shutil.rmtree(folder, ignore_errors=True)
        files.make_folder(folder)

    def write(self, name: str, values: Iterable[Any]) -> None:
        sheet = self.open.get(name)
        if sheet is None:
            sheet = self.open[name] = (self.folder / f"{name}.csv").open("w", encoding="utf-8", newline="")
        sheet.write(",".join(map(_cell, values)) + "\n")

    def copy(self, session: Session, name: str, table: str, columns: Sequence[tuple[str, str]], pair: str = "") -> None:
        """Copy a sheet into a table. An empty text would arrive as NULL: it is made text again on the way."""
        sheet = self.open.pop(name, None)
        if sheet is None:
            return
        sheet.close()
        path = str(self.folder / f"{name}.csv").replace("\\", "\\\\").replace("'", "\\'")
        headers = ", ".join(f"c{i} {kind}" for i, (_, kind) in enumerate(columns))
        values = ", ".join(f"coalesce(c{i}, '')" if kind == "STRING" else f"c{i}"
                           for i, (_, kind) in enumerate(columns))
        source = f"LOAD WITH HEADERS ({headers}) FROM '{path}' {_OPTIONS} RETURN {values}"
        session.run(f"COPY `{table}` FROM ({source}) {pair}")

    def end(self) -> None:
        for sheet in self.open.values():
            sheet.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class _Loader:
    """State of one load: what was seen, and what waits for its last state."""

    def __init__(self, session: Session, sheets: _Sheets) -> None:
        self.session = session
        self.sheets = sheets
        self.keys: dict[str, set[str]] = {table: set() for table in TABLES}
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
        else:
            self.sheets.write(table, row(table, node).values())

    def _join(self, edge: Edge) -> None:
        if edge.source not in self.keys[edge.source_table] or edge.target not in self.keys[edge.target_table]:
            self.unplaced += 1
            return
        key = edge_key(edge)
        old = self.edges.get(key)
        if old is None or replaces(edge, old.status):
            self.edges[key] = edge

    def finish(self) -> None:
        self._finish_nodes()
        pairs: dict[str, tuple[str, str, str]] = {}
        for edge in self.edges.values():
            name = f"{edge.kind}-{edge.source_table}-{edge.target_table}"
            pairs[name] = (edge.kind, edge.source_table, edge.target_table)
            values = (edge.source, edge.target, micros(edge.at), edge.status, float(edge.confidence), edge.reason)
            self.sheets.write(name, (*values, 0) if edge.kind in RELATIONS else values)
        for name, (kind, source, target) in pairs.items():
            columns = (*_EDGE, ("rank", "INT64")) if kind in RELATIONS else _EDGE
            self.sheets.copy(self.session, name, kind, columns, f"(from='{source}', to='{target}')")
        create_rows(self.session, "CursorMove", [cursor_move(c, self.position) for c in self.cursors.values()])
        create_rows(self.session, "CursorHead", [cursor_head(c, self.position) for c in self.cursors.values()])
        create_rows(self.session, "Observed", [{"key": k, "seq": s} for k, s in self.observed.items()])
        set_position(self.session, self.position)

    def _finish_nodes(self) -> None:
        spans: dict[str, tuple[str, int, int]] = {}
        for table, nodes in self.changing.items():
            for node in nodes.values():
                self.sheets.write(table, row(table, node).values())
                if isinstance(node, MemoryNode):
                    _, first, last = spans.get(node.id, (table, node.revision, node.revision))
                    spans[node.id] = (table, min(first, node.revision), max(last, node.revision))
        for key, values in spans.items():
            self.sheets.write("Lineage", (key, *values))
        for table in TABLES:
            self.sheets.copy(self.session, table, table, [(c.name, c.type) for c in COLUMNS[table]])
        self.sheets.copy(self.session, "Lineage", "Lineage", _LINEAGE)


def load(session: Session, folder: Path, batches: Iterable[Batch]) -> int:
    """Load batches into an empty graph; its position is set last.

    Args:
        session: the open engine.
        folder: for the CSV files; made and removed.
        batches: the whole journal.

    Returns:
        How many edges were left out because an end was missing when they came.
    """
    sheets = _Sheets(folder)
    try:
        loader = _Loader(session, sheets)
        for batch in batches:
            loader.take(batch)
        loader.finish()
    finally:
        sheets.end()
    return loader.unplaced


assert tuple(name for name, _ in _EDGE[2:]) == EDGE_COLUMNS
