"""What `store` must know of what is there: by hash, topic key and operation id, with the state it may raise."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

_COLUMNS: Final = ("key, id, revision, type, kind, text, hash, topic, scope, project, session, status, current,"
                   " observer, pinned, seen, sessions")
COMMON: Final = 400
"""A term in more passages than this tells little."""


@dataclass(frozen=True, slots=True)
class Held:
    """A revision as far as storing needs it. ``status`` is the number of model.memory.Status."""

    key: str
    id: str
    revision: int
    type: str
    kind: str
    text: str
    content_hash: str
    topic_key: str
    scope: str
    project: str
    session: str
    status: int
    current: bool
    observer: str
    pinned: bool
    seen: int
    sessions: int


@dataclass(frozen=True, slots=True)
class Operation:
    """What an operation id was used for: the memory, and what the caller noted about it."""

    id: str
    memory: str
    detail: str


def position(connection: sqlite3.Connection) -> int:
    """Position of the journal that the file holds."""
    return int(connection.execute("SELECT value FROM meta WHERE name = 'position'").fetchone()[0])


def by_hash(connection: sqlite3.Connection, content_hash: str) -> list[Held]:
    """Current memories with this hash, in any status."""
    return _held(connection, "current = 1 AND hash = ? AND hash <> ''", (content_hash,))


def by_topic(connection: sqlite3.Connection, topic_key: str) -> list[Held]:
    """Current memories with this topic key, in any project and status."""
    return _held(connection, "current = 1 AND topic = ? AND topic <> ''", (topic_key,))


def by_key(connection: sqlite3.Connection, key: str) -> Held | None:
    """One revision."""
    found = _held(connection, "key = ?", (key,))
    return found[0] if found else None


def operation(connection: sqlite3.Connection, operation_id: str) -> Operation | None:
    """What an operation id was used for."""
    row = connection.execute("SELECT id, memory, detail FROM operation WHERE id = ?", (operation_id,)).fetchone()
    return Operation(*row) if row else None


def session(connection: sqlite3.Connection, given: str) -> str:
    """Our id of the session with this id or host id; "" if there is none."""
    row = connection.execute("SELECT id FROM session WHERE id = ? OR host_id = ? ORDER BY id LIMIT 1",
                             (given, given)).fetchone()
    return str(row[0]) if row else ""


def project_exists(connection: sqlite3.Connection, project: str) -> bool:
    """True if the project is stored."""
    return connection.execute("SELECT 1 FROM project WHERE id = ?", (project,)).fetchone() is not None


def message_exists(connection: sqlite3.Connection, message: str) -> bool:
    """True if the message is stored."""
    return connection.execute("SELECT 1 FROM doc WHERE key = ?", (message,)).fetchone() is not None


def next_seq(connection: sqlite3.Connection, session_id: str) -> int:
    """The sequence number after the last message of a session."""
    row = connection.execute("SELECT coalesce(max(seq) + 1, 0) FROM doc WHERE session = ? AND ord >= 0",
                             (session_id,)).fetchone()
    return int(row[0])


def alike(connection: sqlite3.Connection, tokens: Sequence[str], tag: str, limit: int = 24) -> list[Held]:
    """Visible memories that share the rarest of ``tokens``, behind the wall ``tag`` or for everyone."""
    counted = sorted((_count(connection, t), t) for t in dict.fromkeys(tokens))
    rare = [t for n, t in counted if 0 < n <= COMMON][:3]
    if not rare:
        return []
    walls = " OR ".join(f'"{w}"' for w in dict.fromkeys((tag, "g")))
    lives = " OR ".join(f'"live-{t}"' for t in ("observation", "reflection", "preference", "principle"))
    asked = " OR ".join('"' + t.replace('"', '""') + '"' for t in rare)
    match = f"tag : ({walls}) AND tag : ({lives}) AND body : ({asked})"
    return _held(connection, "n IN (SELECT p.doc FROM words w JOIN passage p ON p.n = w.rowid WHERE words MATCH ? "
                             "ORDER BY w.rowid DESC LIMIT ?)", (match, limit))


def _count(connection: sqlite3.Connection, token: str) -> int:
    row = connection.execute("SELECT doc FROM terms WHERE term = ?", (token,)).fetchone()
    return int(row[0]) if row else 0


def _held(connection: sqlite3.Connection, where: str, values: Iterable[object]) -> list[Held]:
    rows = connection.execute(f"SELECT {_COLUMNS} FROM doc WHERE {where} ORDER BY id, revision", tuple(values))
    return [_one(*row) for row in rows]


def _one(*row: Any) -> Held:
    values = [*row]
    values[12], values[14] = bool(row[12]), bool(row[14])
    return Held(*values)
