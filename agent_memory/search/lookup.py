"""Find memories by what is exactly known: content hash, topic key, operation id, id prefix."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from pathlib import Path

from agent_memory.search.reader import open_reader

_SQL = "SELECT key, id, type, scope, project, session, status, hash, topic, text FROM doc WHERE current = 1 AND "


@dataclass(frozen=True, slots=True)
class Known:
    """A current revision as far as look-ups need it. ``status`` is the number of model.memory.Status."""

    key: str
    id: str
    type: str
    scope: str
    project: str
    session: str
    status: int
    content_hash: str
    topic_key: str
    text: str


def by_hash(path: Path, content_hash: str) -> list[Known]:
    """Current memories whose normalised text has this hash, in any status, in order of id."""
    return _find(path, "hash = ? ORDER BY id", (content_hash,)) if content_hash else []


def by_topic(path: Path, topic_key: str, project: str) -> list[Known]:
    """Current memories of a project ("" for none) with this topic key."""
    return _find(path, "topic = ? AND project = ? ORDER BY id", (topic_key, project)) if topic_key else []


def by_operation(path: Path, operation: str) -> list[Known]:
    """Current memories that an operation id of a caller made."""
    return _find(path, "operation = ? ORDER BY id", (operation,)) if operation else []


def by_prefix(path: Path, prefix: str, limit: int = 20) -> list[Known]:
    """Current memories whose id starts with ``prefix``, sorted, at most ``limit``."""
    low = prefix.lower()
    return _find(path, "id >= ? AND id < ? AND hash <> '' ORDER BY id LIMIT ?", (low, low + "\uffff", limit))


def _find(path: Path, where: str, values: tuple[object, ...]) -> list[Known]:
    connection = open_reader(path)
    if connection is None:
        return []
    try:
        return _rows(connection, where, values)
    finally:
        connection.close()


def _rows(connection: sqlite3.Connection, where: str, values: tuple[object, ...]) -> list[Known]:
    return [Known(*row) for row in connection.execute(_SQL + where, values)]
