"""Nodes, edges and cursors as rows: times are INT64 microseconds, tuples JSON strings, enumerations their values."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import Enum
from types import UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

from agent_memory.model.graph import MEMORY_TABLES, TABLES, Edge, Node, columns, key_of
from agent_memory.model.memory import MemoryNode
from agent_memory.model.transcript import Cursor

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICRO: Final = timedelta(microseconds=1)

ToRow = Callable[[Any], Any]
FromRow = Callable[[Any], Any]


def micros(at: datetime) -> int:
    """A time as whole microseconds since 1970."""
    return (at - _EPOCH) // _MICRO


def time_of(value: int) -> datetime:
    """The time of `micros`."""
    return _EPOCH + timedelta(microseconds=value)


def _same(value: Any) -> Any:
    return value


def _value(value: Enum) -> Any:
    return value.value


def _list(value: Sequence[Any]) -> str:
    return json.dumps(list(value), ensure_ascii=False)


def _tuple(value: str) -> tuple[Any, ...]:
    return tuple(json.loads(value))


def _codec(hint: Any) -> tuple[str, ToRow, FromRow]:
    """(column type, to row, from row) of a field's type; None passes through."""
    if isinstance(hint, UnionType):
        hint = next(a for a in get_args(hint) if a is not type(None))
    if get_origin(hint) is tuple:
        return "STRING", _list, _tuple
    if hint is datetime:
        return "INT64", micros, time_of
    if issubclass(hint, Enum):
        return ("INT64" if issubclass(hint, int) else "STRING"), _value, hint
    if hint is bool:
        return "BOOL", bool, bool
    if hint is int:
        return "INT64", int, int
    if hint is float:
        return "DOUBLE", float, float
    return "STRING", _same, _same


@dataclasses.dataclass(frozen=True, slots=True)
class Column:
    """One column of a table: its type in the engine and the two directions."""

    name: str
    type: str
    to_row: ToRow
    from_row: FromRow


def _table(table: str) -> tuple[Column, ...]:
    hints = get_type_hints(TABLES[table])
    found = [Column("key", "STRING", _same, _same)]
    found += [Column(name, *_codec(hints[name])) for name in columns(table)[1:]]
    return tuple(found)


COLUMNS: Final[Mapping[str, tuple[Column, ...]]] = {table: _table(table) for table in TABLES}
"""Columns by table, ``key`` first."""

_BY_NAME: Final = {table: {c.name: c for c in found} for table, found in COLUMNS.items()}
_TYPE_OF: Final = {table: kind for kind, table in MEMORY_TABLES.items()}


def row(table: str, node: Node) -> dict[str, Any]:
    """A node as column values."""
    values: dict[str, Any] = {"key": key_of(node)}
    for column in COLUMNS[table][1:]:
        value = getattr(node, column.name)
        values[column.name] = None if value is None else column.to_row(value)
    return values


def state_row(table: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """State values as column values, sorted by name."""
    known = _BY_NAME[table]
    return {name: None if values[name] is None else known[name].to_row(values[name]) for name in sorted(values)}


def node_of(table: str, values: Sequence[Any]) -> Any:
    """The node of a row in the order of `COLUMNS`."""
    data: dict[str, Any] = {c.name: None if v is None else c.from_row(v)
                            for c, v in zip(COLUMNS[table], values, strict=True)}
    key = data.pop("key")
    cls = TABLES[table]
    if cls is MemoryNode:
        return MemoryNode(type=_TYPE_OF[table], **data)
    return cls(id=key, **data)


EDGE_COLUMNS: Final = ("at", "status", "confidence", "reason")


def edge_row(edge: Edge) -> dict[str, Any]:
    """The columns of an edge beside its ends."""
    return {"at": micros(edge.at), "status": edge.status, "confidence": float(edge.confidence), "reason": edge.reason}


def edge_of(kind: str, ends: Sequence[str], values: Sequence[Any]) -> Edge:
    """The edge of (source table, source, target table, target) and `EDGE_COLUMNS` values."""
    at, status, confidence, reason = values
    source_table, source, target_table, target = ends
    return Edge(kind, source_table, source, target_table, target, time_of(at), status, confidence, reason)


MOVE_COLUMNS: Final = ("session", "identity", "offset", "tail", "lines", "seq", "state", "seen")


def move_row(cursor: Cursor) -> dict[str, Any]:
    """The columns of a cursor beside agent and file."""
    return {n: _list(cursor.seen) if n == "seen" else getattr(cursor, n) for n in MOVE_COLUMNS}


def cursor_of(agent: str, file: str, values: Sequence[Any]) -> Cursor:
    """The cursor of `MOVE_COLUMNS` values."""
    data = dict(zip(MOVE_COLUMNS, values, strict=True))
    return Cursor(agent=agent, file=file, **(data | {"seen": _tuple(data["seen"])}))


def cursor_key(agent: str, file: str) -> str:
    """Primary key of a cursor; names hold no control characters, so a unit separator keeps them apart."""
    return f"{agent}\x1f{file}"
