"""What a batch may do: a closed union of idempotent changes, and their JSON form in the journal.

Applying a batch twice equals applying it once: a node or edge that is there already stays as it is, state is set to
absolute values, cursors move to where they are told.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from types import UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

from agent_memory import clock
from agent_memory.model import graph
from agent_memory.model.graph import TABLES, Edge, Node, table_of
from agent_memory.model.memory import MemoryNode, MemoryType
from agent_memory.model.transcript import Cursor


@dataclass(frozen=True, slots=True)
class PutNode:
    """Put a node unless one with its key is there already."""

    node: Node


@dataclass(frozen=True, slots=True)
class PutEdge:
    """Put an edge unless one of its kind joins the pair already. A judged relation replaces a pending one."""

    edge: Edge


@dataclass(frozen=True, slots=True)
class SetState:
    """Set fixed-width columns of a node that exists. ``values`` holds columns of graph.STATE only."""

    table: str
    key: str
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class SetCursor:
    """Remember how far a transcript was read (``cursor``), or how far a session was observed."""

    cursor: Cursor


@dataclass(frozen=True, slots=True)
class SetObserved:
    """Remember that a session was observed up to and including ``seq``."""

    session: str
    seq: int


@dataclass(frozen=True, slots=True)
class Purge:
    """Remove nodes for good, with their edges, by table and key. Applied by rebuilding."""

    keys: tuple[tuple[str, str], ...]


Change = PutNode | PutEdge | SetState | SetCursor | SetObserved | Purge


@dataclass(frozen=True, slots=True)
class Batch:
    """Changes that become durable and visible together. ``position`` is 0 until the journal gives it one."""

    at: datetime
    actor: str  # which command or stage wrote it
    changes: tuple[Change, ...]
    position: int = 0


_AS_IS: Final = frozenset((str, int, float, bool, type(None)))


def _plain(value: Any) -> Any:
    if type(value) in _AS_IS:
        return value
    if isinstance(value, datetime):
        return clock.text(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple | list):
        return [_plain(v) for v in value]
    return value


_NAMES: Final[dict[type, tuple[str, ...]]] = {}


def _fields(value: Any) -> dict[str, Any]:
    names = _NAMES.get(type(value))
    if names is None:
        names = _NAMES[type(value)] = tuple(f.name for f in dataclasses.fields(value))
    return {name: _plain(getattr(value, name)) for name in names}


Restore = Callable[[Any], Any]


def _restorer(hint: Any) -> Restore | None:
    """How a plain value becomes one of type ``hint``; None where it is one already. Not called for None."""
    if isinstance(hint, UnionType):
        hint = next(a for a in get_args(hint) if a is not type(None))
    if hint is datetime:
        return clock.parse
    if get_origin(hint) is tuple:
        inner = _restorer(get_args(hint)[0])
        return tuple if inner is None else lambda values: tuple(inner(v) for v in values)
    return hint if isinstance(hint, type) and issubclass(hint, Enum) else None


_RESTORERS: Final[dict[type, dict[str, Restore | None]]] = {}


def _restorers(cls: type) -> dict[str, Restore | None]:
    found = _RESTORERS.get(cls)
    if found is None:
        found = _RESTORERS[cls] = {name: _restorer(hint) for name, hint in get_type_hints(cls).items()}
    return found


def build(cls: type, data: Mapping[str, Any]) -> Any:
    """A frozen value of ``cls`` from plain data; unknown keys are ignored, missing ones take their default."""
    values = {}
    for name, restore in _restorers(cls).items():
        if name in data:
            value = data[name]
            values[name] = value if restore is None or value is None else restore(value)
    return cls(**values)


def restore_state(table: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """State values of a table from plain data."""
    known = _restorers(TABLES[table])
    return {name: value if value is None or (restore := known[name]) is None else restore(value)
            for name, value in values.items()}


def encode(change: Change) -> dict[str, Any]:
    """A change as plain JSON data; `decode` gives it back."""
    match change:
        case PutNode(node):
            return {"do": "node", "table": table_of(node), "node": _fields(node)}
        case PutEdge(edge):
            return {"do": "edge", "edge": _fields(edge)}
        case SetState(table, key, values):
            return {"do": "state", "table": table, "key": key, "values": {k: _plain(v) for k, v in values.items()}}
        case SetCursor(cursor):
            return {"do": "cursor", "cursor": _fields(cursor)}
        case SetObserved(session, seq):
            return {"do": "observed", "session": session, "seq": seq}
        case Purge(keys):
            return {"do": "purge", "keys": [list(k) for k in keys]}


def decode(data: Mapping[str, Any]) -> Change:
    """The change that plain data describes.

    Raises:
        ValueError: the data names no change we know.
    """
    match data.get("do"):
        case "node":
            return PutNode(build(TABLES[data["table"]], data["node"]))
        case "edge":
            return PutEdge(build(Edge, data["edge"]))
        case "state":
            return SetState(data["table"], data["key"], restore_state(data["table"], data["values"]))
        case "cursor":
            return SetCursor(build(Cursor, data["cursor"]))
        case "observed":
            return SetObserved(data["session"], data["seq"])
        case "purge":
            return Purge(tuple((t, k) for t, k in data["keys"]))
        case other:
            raise ValueError(f"unknown change {other!r}")


def problems(batch: Batch) -> list[str]:
    """What is wrong with a batch, in plain words; empty if it may be written.

    Checked before anything is durable, so that an engine's transaction never fails halfway.
    """
    found: list[str] = []
    for change in batch.changes:
        match change:
            case PutNode(node):
                if not graph.key_of(node):
                    found.append(f"{table_of(node)} without a key")
                if isinstance(node, MemoryNode) and not (node.text.strip() or node.type is MemoryType.MEMENTO):
                    found.append(f"memory {node.key} has no text")
            case PutEdge(edge):
                if edge.kind not in graph.EDGES:
                    found.append(f"unknown edge kind {edge.kind!r}")
                elif (edge.source_table, edge.target_table) not in graph.EDGES[edge.kind]:
                    found.append(f"{edge.kind} cannot join {edge.source_table} to {edge.target_table}")
                elif not edge.source or not edge.target:
                    found.append(f"{edge.kind} without an end")
            case SetState(table, key, values):
                if table not in graph.STATE:
                    found.append(f"{table} has no state")
                elif bad := sorted(set(values) - graph.STATE[table]):
                    found.append(f"{table} {key}: {', '.join(bad)} cannot be set")
            case SetCursor() | SetObserved() | Purge():
                pass
    return found
