"""One node or edge as one exported object, and back (docs/reference/export.md).

Every item has the keys of ``COMMON`` (``source`` is always an object, lists are never null) and, beside them, the
remaining fields of its node under their own names, so that an item is enough to put the node again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from typing import Any, Final, get_type_hints

from agent_memory import clock, ids
from agent_memory.model.change import PutEdge, PutNode, build, encode
from agent_memory.model.graph import MEMORY_TABLES, TABLES, Edge, Node, key_of, table_of
from agent_memory.model.memory import KIND_ALIASES, Kind, MemoryNode, Priority, Status
from agent_memory.text.normal import content_hash

VERSION: Final = 1
COMMON: Final = ("type", "id", "text", "kind", "priority", "project", "project_id", "status", "created_at", "source")
MEMORY_TYPES: Final = frozenset(t.value for t in MEMORY_TABLES)
_TABLE_OF_TYPE: Final = {re.sub(r"(?<!^)(?=[A-Z])", "_", t).lower(): t for t in TABLES}
_TYPE_OF_TABLE: Final = {table: kind for kind, table in _TABLE_OF_TYPE.items()}
_PLACE: Final = ("agent", "session", "file", "line", "line_end", "sha256", "message")
"""Fields that an item holds in ``source``."""
_TIME: Final = {"Session": "started_at", "Project": "created_at", "Message": "at", "ToolEvent": "at", "Happening": "at",
                "ModelCall": "at", "Tombstone": "at"}
_WORDS: Final = {"Session": "title", "Symbol": "name", "File": "path", "Project": "name", "Agent": "title",
                 "Happening": "detail", "ToolEvent": "input", "Message": "text"}


def type_name(table: str) -> str:
    """The type that items of a node table carry.

    >>> type_name("ToolEvent")
    'tool_event'
    """
    return _TYPE_OF_TABLE[table]


def table_name(kind: object) -> str | None:
    """The node table of an item's type; None for other types."""
    return _TABLE_OF_TYPE.get(kind) if isinstance(kind, str) else None


def node_item(node: Node, project_names: Mapping[str, str]) -> dict[str, Any]:
    """A node as one object. ``project_names`` gives the name of each project id."""
    table = table_of(node)
    plain: dict[str, Any] = encode(PutNode(node))["node"]
    project_id = plain.get("project", "") or ""
    item: dict[str, Any] = {
        "type": type_name(table), "id": plain["id"], "text": plain.get(_WORDS.get(table, "text")) or "",
        "kind": plain.get("kind", ""), "priority": "", "project": project_names.get(project_id, ""),
        "project_id": project_id, "status": plain.get("status", ""),
        "created_at": plain.get(_TIME.get(table, "created_at")) or "", "source": _source(table, plain),
    }
    if isinstance(node, MemoryNode):
        item |= {"priority": node.priority.word, "status": node.status.word}
    elif table == "Project":
        item |= {"project": plain["name"], "project_id": plain["id"]}
    elif table == "Session":
        item["status"] = "ended" if plain["ended_at"] else "open"
    rest = {k: v for k, v in plain.items() if k not in item and k not in _PLACE and k != "project"}
    return item | rest


def _source(table: str, plain: Mapping[str, Any]) -> dict[str, Any]:
    line, end = plain.get("line") or 0, plain.get("line_end") or 0
    session = plain["id"] if table == "Session" else plain.get("session", "")
    source = {"agent": plain.get("agent", ""), "session": session, "file": plain.get("file", ""),
              "lines": [line, end or line] if line or end else [], "sha256": plain.get("sha256", "")}
    if plain.get("message"):
        source["message"] = plain["message"]
    return source


def edge_item(edge: Edge) -> dict[str, Any]:
    """An edge as one object; its ends are below ``edge``."""
    plain = encode(PutEdge(edge))["edge"]
    return {"type": "edge", "id": f"{edge.source} {edge.kind} {edge.target}", "text": edge.reason, "kind": edge.kind,
            "priority": "", "project": "", "project_id": "", "status": edge.status, "created_at": plain["at"],
            "source": {"agent": "", "session": "", "file": "", "lines": [], "sha256": ""}, "edge": plain}


def node_of(item: Mapping[str, Any], now: datetime) -> Node:
    """The node that an item describes. What older exporters or other tools leave out of a memory gets its default.

    A memory needs ``type`` and ``text`` only; without an id of our form it gets one that follows from what it says.

    Raises:
        ValueError: the item is no node, lacks a field, or a field has the wrong form; the message says which.
    """
    table = table_name(item.get("type"))
    if table is None:
        raise ValueError(f"unknown type {item.get('type')!r}")
    plain = dict(item)
    source = item.get("source")
    if isinstance(source, Mapping):
        plain |= {k: source[k] for k in _PLACE if k in source and (table != "Session" or k != "session")}
        lines = source.get("lines")
        if isinstance(lines, list | tuple) and len(lines) == 2:
            plain |= {"line": lines[0], "line_end": lines[1]}
    plain["project"] = item.get("project_id", "")
    if table in MEMORY_TABLES.values():
        plain |= {"priority": _number(Priority, item.get("priority") or "green"),
                  "status": _number(Status, item.get("status") or "active"), "kind": _kind(item.get("kind") or "fact")}
        _fill_memory(plain, now)
    _fill(plain)
    for name in ("tags", "sources", "keys"):
        if not isinstance(plain.get(name, []), list):
            raise ValueError(f"{name} is not a list of texts")
    try:
        node: Node = build(TABLES[table], plain)
    except (TypeError, ValueError, KeyError) as problem:
        raise ValueError(f"{item.get('type')}: {problem}") from problem
    _check(node)
    return node


def edge_of(item: Mapping[str, Any]) -> Edge:
    """The edge that an item describes.

    Raises:
        ValueError: its ends or time are missing or malformed.
    """
    data = item.get("edge")
    if not isinstance(data, Mapping):
        raise ValueError("edge without its ends")
    try:
        edge: Edge = build(Edge, data)
    except (TypeError, ValueError) as problem:
        raise ValueError(f"edge: {problem}") from problem
    texts = (edge.kind, edge.source_table, edge.source, edge.target_table, edge.target, edge.status, edge.reason)
    if not all(isinstance(t, str) for t in texts) or not isinstance(edge.confidence, int | float):
        raise ValueError("edge with a field of the wrong type")
    return edge


def _number(kind: type[Priority] | type[Status], word: object) -> int:
    if isinstance(word, str) and word.upper() in kind.__members__:
        return int(kind[word.upper()])
    raise ValueError(f"unknown {kind.__name__.lower()} {word!r}")


def _kind(word: object) -> str:
    if isinstance(word, str) and (found := KIND_ALIASES.get(word.lower(), word.lower())) in Kind._value2member_map_:
        return str(found)
    raise ValueError(f"unknown kind {word!r}")


def _fill(plain: dict[str, Any]) -> None:
    for name in ("agent", "session", "file", "sha256", "message", "parent"):
        plain.setdefault(name, "")
    for name in ("line", "line_end"):
        plain.setdefault(name, 0)


def _fill_memory(plain: dict[str, Any], now: datetime) -> None:
    text = plain.get("text")
    if not isinstance(text, str) or not (text.strip() or plain["type"] == "memento"):
        raise ValueError("text is missing or empty")
    plain["created_at"] = plain.get("created_at") or clock.text(now)
    if not isinstance(plain["created_at"], str):
        raise ValueError("created_at is not a time")
    defaults: dict[str, Any] = {
        "revision": 1, "raw": "", "topic_key": "", "scope": "project", "tags": [], "sources": [], "observer": "import",
        "rule": "", "operation": "", "recorded_at": clock.text(now), "valid_from": None}
    for name, value in defaults.items():
        plain.setdefault(name, value)
    plain["content_hash"] = content_hash(text)
    given = plain.get("id")
    if not (isinstance(given, str) and ids.is_id(given)):
        at = clock.parse(plain["created_at"])
        plain["id"] = ids.derive(at, "import", plain["type"], str(given or ""), plain["project"], plain["content_hash"])


def _check(node: Node) -> None:
    """Every field has the type that tables expect: JSON lets a number stand where a text belongs."""
    hints = get_type_hints(type(node))
    for spot in fields(node):
        value, hint = getattr(node, spot.name), hints[spot.name]
        if hint is str and not isinstance(value, str):
            raise ValueError(f"{spot.name} is not a text")
        if hint is bool and not isinstance(value, bool):
            raise ValueError(f"{spot.name} is not true or false")
        if hint is int and (isinstance(value, bool) or not isinstance(value, int)):
            raise ValueError(f"{spot.name} is not a whole number")
        if hint is float and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise ValueError(f"{spot.name} is not a number")
        if hint == tuple[str, ...] and not all(isinstance(v, str) for v in value):
            raise ValueError(f"{spot.name} is not a list of texts")
    key = key_of(node)
    if not key or len(key) > 400 or any(ord(c) < 32 for c in key):
        raise ValueError("id is empty, too long, or holds control characters")
