"""What a batch must look like before it becomes durable: the model's rules, and values that every engine can hold.

An engine's transaction must never fail halfway, so that types, ranges and lengths are checked here, in Python.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from types import UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

from agent_memory.errors import BatchRefused
from agent_memory.model.change import Batch, Change, PutEdge, PutNode, SetCursor, SetObserved, SetState, problems
from agent_memory.model.graph import TABLES, key_of, table_of
from agent_memory.model.memory import MemoryNode

KEY_BYTES: Final = 1024
"""Longest key of a node that engines take without trouble."""

TEXT_BYTES: Final = 200_000
"""Longest single string of a node; capture bounds what it stores far below this."""

_INT: Final = 1 << 63
_HINTS: Final[dict[type, dict[str, Any]]] = {}


def refuse_bad(batch: Batch) -> None:
    """Check a batch.

    Raises:
        BatchRefused: with every problem found; nothing was written.
    """
    found = [*problems(batch)]
    if batch.at.tzinfo is None:
        found.append("time of the batch without a zone")
    for change in batch.changes:
        found += _wrong(change)
    if found:
        shown = "; ".join(found[:5]) + (f"; and {len(found) - 5} more" if len(found) > 5 else "")
        raise BatchRefused(f"batch of {batch.actor or 'unknown'} refused: {shown}", hint="Nothing was written.")


def _wrong(change: Change) -> list[str]:
    match change:
        case PutNode(node):
            name = f"{table_of(node)} {key_of(node)[:80]}"
            bad_id = isinstance(node, MemoryNode) and (not node.id or "@" in node.id or node.revision < 0)
            return [*_fields(name, node), *_key(name, key_of(node)), *([f"{name}: unusable id"] if bad_id else [])]
        case PutEdge(edge):
            return _fields(f"edge {edge.kind}", edge)
        case SetState(table, key, values):
            return _state(table, key, values) if table in TABLES else []
        case SetCursor(cursor):
            return _fields(f"cursor {cursor.agent}", cursor)
        case SetObserved(session, seq):
            return [] if isinstance(session, str) and _is_int(seq) else ["observed: session or seq of a wrong type"]
    return []


def _key(name: str, key: str) -> list[str]:
    return [f"{name}: key longer than {KEY_BYTES} bytes"] if len(key.encode("utf-8", "replace")) > KEY_BYTES else []


def _fields(name: str, value: Any) -> list[str]:
    hints = _hints(type(value))
    return [f"{name}: {f.name} is {problem}" for f in dataclasses.fields(value)
            if (problem := _check(hints[f.name], getattr(value, f.name)))]


def _state(table: str, key: str, values: Mapping[str, Any]) -> list[str]:
    hints = _hints(TABLES[table])
    return [f"{table} {key[:80]}: {column} is {problem}" for column, value in values.items()
            if column in hints and (problem := _check(hints[column], value))]


def _hints(cls: type) -> dict[str, Any]:
    found = _HINTS.get(cls)
    if found is None:
        found = _HINTS[cls] = get_type_hints(cls)
    return found


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -_INT <= value < _INT


def _check(hint: Any, value: Any) -> str:
    """"" if ``value`` fits ``hint``, else what it is instead."""
    if isinstance(hint, UnionType):
        if value is None:
            return ""
        hint = next(a for a in get_args(hint) if a is not type(None))
    if get_origin(hint) is tuple:
        inner = get_args(hint)[0]
        if not isinstance(value, tuple):
            return f"no tuple but {type(value).__name__}"
        return next((problem for v in value if (problem := _check(inner, v))), "")
    return _check_plain(hint, value)


def _check_plain(hint: type, value: Any) -> str:
    if hint is datetime:
        if not isinstance(value, datetime):
            return f"no time but {type(value).__name__}"
        return "" if value.tzinfo is not None else "a time without a zone"
    if hint is bool:
        return "" if isinstance(value, bool) else f"no bool but {type(value).__name__}"
    if issubclass(hint, Enum):
        return "" if isinstance(value, hint) else f"no {hint.__name__} but {type(value).__name__}"
    if hint is int:
        return "" if _is_int(value) else f"no 64-bit number but {type(value).__name__}"
    if hint is float:
        good = isinstance(value, float | int) and not isinstance(value, bool) and math.isfinite(value)
        return "" if good else "no finite number"
    if hint is str:
        if not isinstance(value, str):
            return f"no text but {type(value).__name__}"
        return "" if len(value) <= TEXT_BYTES else f"longer than {TEXT_BYTES} characters"
    return ""
