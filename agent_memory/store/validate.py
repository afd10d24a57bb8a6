"""What a batch must look like before it becomes durable: the model's rules, and values that every engine can hold.

An engine's transaction must never fail halfway, so that types, ranges and lengths are checked here, in Python.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Enum
from types import UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

from agent_memory.errors import BatchRefused
from agent_memory.model.change import Batch, Change, PutEdge, PutNode, SetCursor, SetObserved, SetState, problems
from agent_memory.model.graph import TABLES, key_of, table_of
from agent_memory.model.memory import MemoryNode

Check = Callable[[Any], str]
"""Gives "" for a good value, else what it is instead."""

KEY_BYTES: Final = 1024
"""Longest key of a node that engines take without trouble."""

TEXT_CHARACTERS: Final = 4_000_000
"""Longest single string of a node. Both engines take five times as much, singly and in bulk; capture bounds what
it stores far below this, and recall/items.py cuts longer items into several messages."""

_INT: Final = 1 << 63
_CHECKS: Final[dict[type, dict[str, Check]]] = {}


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
    return [f"{name}: {field} is {problem}" for field, check in _checks(type(value)).items()
            if (problem := check(getattr(value, field)))]


def _state(table: str, key: str, values: Mapping[str, Any]) -> list[str]:
    checks = _checks(TABLES[table])
    return [f"{table} {key[:80]}: {column} is {problem}" for column, value in values.items()
            if column in checks and (problem := checks[column](value))]


def _checks(cls: type) -> dict[str, Check]:
    found = _CHECKS.get(cls)
    if found is None:
        found = _CHECKS[cls] = {name: _check_of(hint) for name, hint in get_type_hints(cls).items()}
    return found


def _check_of(hint: Any) -> Check:
    if isinstance(hint, UnionType):
        inner = _check_of(next(a for a in get_args(hint) if a is not type(None)))
        return lambda value: "" if value is None else inner(value)
    if get_origin(hint) is tuple:
        each = _check_of(get_args(hint)[0])
        return lambda value: next((p for v in value if (p := each(v))), "") if isinstance(value, tuple) \
            else f"no tuple but {type(value).__name__}"
    if isinstance(hint, type) and issubclass(hint, Enum):
        return lambda value: "" if isinstance(value, hint) else f"no {hint.__name__} but {type(value).__name__}"
    return _PLAIN[hint]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        return f"no text but {type(value).__name__}"
    return "" if len(value) <= TEXT_CHARACTERS else f"longer than {TEXT_CHARACTERS} characters"


def _time(value: Any) -> str:
    if not isinstance(value, datetime):
        return f"no time but {type(value).__name__}"
    return "" if value.tzinfo is not None else "a time without a zone"


def _truth(value: Any) -> str:
    return "" if isinstance(value, bool) else f"no bool but {type(value).__name__}"


def _number(value: Any) -> str:
    return "" if _is_int(value) else f"no 64-bit number but {type(value).__name__}"


def _fraction(value: Any) -> str:
    good = isinstance(value, float | int) and not isinstance(value, bool) and math.isfinite(value)
    return "" if good else "no finite number"


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -_INT <= value < _INT


_PLAIN: Final[dict[type, Check]] = {str: _text, datetime: _time, bool: _truth, int: _number, float: _fraction}
