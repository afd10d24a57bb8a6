"""The graph as lines of JSON, as one JSON document, or as Turtle. The order is the same for the same graph."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, Literal

from agent_memory.errors import UsageError
from agent_memory.model.graph import MEMORY_TABLES, table_of
from agent_memory.model.memory import MemoryNode, Status
from agent_memory.store.base import GraphStore
from agent_memory.store.items import VERSION, edge_item, node_item

Format = Literal["jsonl", "json", "ttl"]
FORMATS: Final = ("jsonl", "json", "ttl")
_USUAL: Final = frozenset({*MEMORY_TABLES.values(), "Session", "Symbol", "Project"})


def items(graph: GraphStore, *, everything: bool = False) -> Iterator[dict[str, Any]]:
    """Objects to export, by table and key.

    Usually: current revisions of memories that are not forgotten, sessions, symbols and projects. ``everything`` gives
    all nodes and edges, so that `import_` makes the same graph again; hashes of purged texts stay at home, because
    they mean nothing without this home's key, and so do cursors, which belong to the files of this machine.
    """
    names = {p.project.id: p.project.name for p in graph.projects()}
    for node in graph.nodes():
        table = table_of(node)
        if table == "Tombstone" or not (everything or table in _USUAL):
            continue
        if not everything and isinstance(node, MemoryNode) and (not node.current or node.status is Status.RETIRED):
            continue
        yield node_item(node, names)
    if everything:
        for edge in graph.all_edges():
            yield edge_item(edge)


def export(graph: GraphStore, fmt: Format = "jsonl", *, everything: bool = False) -> Iterator[str]:
    """Pieces of text that make the export; each ends in a line feed.

    Args:
        graph: An open graph.
        fmt: ``jsonl`` (one object a line), ``json`` (one document ``{"version", "items"}``) or ``ttl`` (RDF in
            Turtle, always everything, valid against graph_schema/shapes).
        everything: See `items`.

    Raises:
        UsageError: the format is unknown.
    """
    if fmt not in FORMATS:
        raise UsageError(f"unknown format {fmt!r}", hint=f"choose one of {', '.join(FORMATS)}")
    if fmt == "ttl":
        from agent_memory.store.rdf import turtle

        yield turtle(graph)
        return
    if fmt == "jsonl":
        for item in items(graph, everything=everything):
            yield json.dumps(item, ensure_ascii=False) + "\n"
        return
    yield f'{{"version": {VERSION}, "items": ['
    for number, item in enumerate(items(graph, everything=everything)):
        yield (",\n" if number else "\n") + json.dumps(item, ensure_ascii=False)
    yield "\n]}\n"
