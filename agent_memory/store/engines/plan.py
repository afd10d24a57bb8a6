"""What a batch comes down to, worked out in Python before a transaction begins.

Nodes that are new carry their states already; states, edges and cursors that cancel out are gone. So the transaction
only creates what is missing and sets numbers of what is there: no statement of it can fail on the data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from agent_memory.model.change import Batch, PutEdge, PutNode, SetCursor, SetObserved, SetState
from agent_memory.model.graph import RELATIONS, Edge, Node, key_of, table_of
from agent_memory.model.memory import MemoryNode
from agent_memory.model.transcript import Cursor
from agent_memory.store.engines.memory import EdgeKey, edge_key, replaces

Standing = Callable[[Edge], "tuple[int, str] | None"]
"""(rank, status) of the edge that stands in the graph for this kind and ends, or None."""


@dataclass(slots=True)
class Plan:
    """Net effect of a batch. ``states`` are of nodes that exist; ``spans`` the revisions put, by memory id."""

    nodes: dict[str, dict[str, Node]] = field(default_factory=dict)
    edges: dict[EdgeKey, tuple[Edge, int]] = field(default_factory=dict)
    states: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    cursors: dict[tuple[str, str], Cursor] = field(default_factory=dict)
    observed: dict[str, int] = field(default_factory=dict)
    spans: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    unplaced: int = 0


def wanted(batch: Batch) -> dict[str, set[str]]:
    """Keys that a batch speaks of, by table: those whose presence must be known."""
    keys: dict[str, set[str]] = {}
    for change in batch.changes:
        match change:
            case PutNode(node):
                keys.setdefault(table_of(node), set()).add(key_of(node))
            case PutEdge(edge):
                keys.setdefault(edge.source_table, set()).add(edge.source)
                keys.setdefault(edge.target_table, set()).add(edge.target)
            case SetState(table, key, _):
                keys.setdefault(table, set()).add(key)
            case _:
                pass
    return keys


def plan(batch: Batch, present: Mapping[str, set[str]], standing: Standing) -> Plan:
    """The net effect of ``batch`` on a graph in which ``present`` are there of the keys it speaks of."""
    made = Plan()
    for change in batch.changes:
        match change:
            case PutNode(node):
                _put(made, present, node)
            case PutEdge(edge):
                _join(made, present, standing, edge)
            case SetState(table, key, values):
                new = made.nodes.get(table, {}).get(key)
                if new is not None:
                    made.nodes[table][key] = replace(new, **cast("dict[str, Any]", dict(values)))
                elif key in present.get(table, ()):
                    made.states.setdefault((table, key), {}).update(values)
            case SetCursor(cursor):
                made.cursors[cursor.agent, cursor.file] = cursor
            case SetObserved(session, seq):
                made.observed[session] = seq
            case _:
                pass
    return made


def _put(made: Plan, present: Mapping[str, set[str]], node: Node) -> None:
    table, key = table_of(node), key_of(node)
    if key in present.get(table, ()):
        return
    if made.nodes.setdefault(table, {}).setdefault(key, node) is node and isinstance(node, MemoryNode):
        _, first, last = made.spans.get(node.id, (table, node.revision, node.revision))
        made.spans[node.id] = (table, min(first, node.revision), max(last, node.revision))


def _join(made: Plan, present: Mapping[str, set[str]], standing: Standing, edge: Edge) -> None:
    source_is_new = edge.source in made.nodes.get(edge.source_table, ())
    target_is_new = edge.target in made.nodes.get(edge.target_table, ())
    if not ((source_is_new or edge.source in present.get(edge.source_table, ()))
            and (target_is_new or edge.target in present.get(edge.target_table, ()))):
        made.unplaced += 1
        return
    key = edge_key(edge)
    if key in made.edges:
        old, rank = made.edges[key]
        if replaces(edge, old.status):
            made.edges[key] = (edge, rank)
        return
    there = None if source_is_new or target_is_new else standing(edge)
    if there is None:
        made.edges[key] = (edge, 0)
    elif edge.kind in RELATIONS and replaces(edge, there[1]):
        made.edges[key] = (edge, there[0] + 1)
