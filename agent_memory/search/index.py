"""Apply journal batches to the search file, or make it anew from all of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from types import TracebackType
from typing import Any

from agent_memory.errors import StoreError
from agent_memory.model.change import Batch, Change, Purge, PutEdge, PutNode, SetState
from agent_memory.model.graph import MEMORY_TABLES, Happening, Project
from agent_memory.model.memory import MemoryNode
from agent_memory.model.transcript import Message, Session
from agent_memory.search import project, schema, vectors
from agent_memory.search.blocks import Blocks
from agent_memory.search.fulltext import Fulltext, context_words
from agent_memory.search.project import COLUMNS, Row
from agent_memory.search.vocabulary import Vocabulary

_MEMORIES = frozenset(MEMORY_TABLES.values())
_INSERT = f"INSERT INTO doc(n, norm, {', '.join(COLUMNS)}) VALUES({', '.join('?' * (len(COLUMNS) + 2))})"
_VALUES = attrgetter(*COLUMNS)
_KEPT_EDGES = frozenset({"supersedes", "conflicts_with", "compatible", "scoped", "related", "not_conflict", "condenses",
                         "merged_from", "mentions"})


class SearchIndex:
    """The search file of a home, written by the one process that holds the exclusive lease.

    Any number of processes may read meanwhile. A failure is a StoreError; the file then still shows the last position
    that was applied whole, and `rebuild` makes it anew.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._open: sqlite3.Connection | None = None

    def __enter__(self) -> SearchIndex:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def position(self) -> int:
        """Position of the last batch applied; 0 if the file is missing, empty, damaged or of another version."""
        if self._open is None and not self._path.exists():
            return 0
        try:
            return _position(self._connection())
        except sqlite3.DatabaseError:
            return 0

    def apply(self, batches: Sequence[Batch]) -> None:
        """Apply batches in order, in one transaction that also records the position. Known ones are skipped.

        Raises:
            StoreError: the batches do not follow on the file's position (rebuild it), or SQLite failed.
        """
        try:
            connection = self._connection()
            if schema.version(connection) != schema.VERSION:
                connection = self._fresh()
            done = _position(connection)
            todo = [b for b in batches if b.position > done or not b.position]
            if not todo:
                return
            if todo[0].position > done + 1:
                raise StoreError(f"the search file stands at {done}, but the next batch is {todo[0].position}",
                                 hint="The search file was left as it was; it has to be rebuilt from the journal.")
            with _Transaction(connection):
                purged = _Writer(connection).run(todo)
            if purged:
                _wipe(connection)
                if vectors.models(self._path):
                    vectors.forget(self._path, {vectors.key_of(text) for *_, text in vectors.passages(connection)})
        except sqlite3.Error as error:
            raise _failed(self._path, error) from error

    def rebuild(self, batches: Iterable[Batch]) -> None:
        """Make the file anew from all batches and swap it in at once; readers see the old one until then.

        Raises:
            StoreError: SQLite failed; the old file is still in place.
        """
        self.close()
        temporary = self._path.with_name(self._path.name + ".new")
        _remove(temporary)
        try:
            connection = schema.connect(temporary)
            try:
                connection.execute("PRAGMA synchronous=OFF")
                connection.execute("PRAGMA cache_size=-65536")
                with _Transaction(connection):
                    schema.create(connection)
                    _Writer(connection).run(batches)
                _optimize(connection)
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                connection.execute("PRAGMA journal_mode=DELETE")
            finally:
                connection.close()
        except sqlite3.Error as error:
            _remove(temporary)
            raise _failed(self._path, error) from error
        for suffix in ("-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        temporary.replace(self._path)
        self._connection()

    def close(self) -> None:
        """Release the file. Closing twice is fine."""
        if self._open is not None:
            self._open.close()
            self._open = None

    def _connection(self) -> sqlite3.Connection:
        if self._open is None:
            connection = schema.connect(self._path)
            if not schema.version(connection):
                with _Transaction(connection):
                    schema.create(connection)
            self._open = connection
        return self._open

    def _fresh(self) -> sqlite3.Connection:
        self.close()
        _remove(self._path)
        return self._connection()


class _Transaction:
    """``BEGIN IMMEDIATE`` … ``COMMIT``, or ``ROLLBACK`` on an error."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __enter__(self) -> None:
        self._connection.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK" if kind else "COMMIT")


class _Writer:
    """Applies changes inside a transaction. ``run`` tells whether anything was purged."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._text = Fulltext(connection)
        self._blocks = Blocks(connection)
        self._vocabulary = Vocabulary(connection)
        self._next = int(connection.execute("SELECT coalesce(max(n), 0) + 1 FROM doc").fetchone()[0])
        self._ends: dict[tuple[str, bool], int] = {}
        self._purged = False

    def run(self, batches: Iterable[Batch]) -> bool:
        last = 0
        for batch in batches:
            at = batch.at.timestamp()
            for change in batch.changes:
                self._change(change, at)
            last = batch.position or last
        self._flush()
        if last:
            self._db.execute("UPDATE meta SET value = ? WHERE name = 'position'", (str(last),))
        return self._purged

    def _change(self, change: Change, at: float) -> None:
        match change:
            case PutNode(MemoryNode() as node):
                self._memory(node, at)
            case PutNode(Message() as node):
                row = project.message_row(node)
                if row is not None:
                    self._put(row)
            case PutNode(Session() as node):
                self._db.execute("INSERT OR IGNORE INTO session VALUES(?,?,?,?,?,?,?,?,?,?)",
                                 (node.id, node.agent, node.host_id, node.project, node.parent, node.cwd, node.branch,
                                  node.title, node.file, project.seconds(node.started_at)))
            case PutNode(Project() as node):
                self._db.execute("INSERT OR IGNORE INTO project VALUES(?,?,?)", (node.id, node.name, node.root))
                self._db.executemany("INSERT OR IGNORE INTO alias VALUES(?,?)", [(k, node.id) for k in node.keys])
            case PutNode(Happening(what="alias") as node):
                self._db.execute("INSERT OR IGNORE INTO alias VALUES(?,?)", (node.value, node.subject))
            case PutNode(Happening(what="operation") as node):
                self._db.execute("INSERT OR IGNORE INTO operation VALUES(?,?,?)",
                                 (node.value, node.subject, node.detail))
            case PutEdge(edge) if edge.kind in _KEPT_EDGES:
                self._db.execute("INSERT INTO edge VALUES(?,?,?,?) ON CONFLICT DO UPDATE SET status = excluded.status "
                                 "WHERE excluded.status NOT IN ('pending', edge.status)",
                                 (edge.source, edge.kind, edge.target, edge.status))
            case SetState(table, key, values) if table in _MEMORIES:
                self._state(key, project.state_values(values), at)
            case Purge(keys):
                for _, key in keys:
                    self._purge(key)
            case _:
                pass

    def _memory(self, node: MemoryNode, at: float) -> None:
        row = project.memory_row(node)
        if row is not None and self._put(row) and node.revision == 1:
            self._db.execute("INSERT INTO history VALUES(?,?,?)", (node.id, at, int(node.status)))

    def _put(self, row: Row) -> bool:
        """Insert a row and its passages; False if its key is there already."""
        if self._db.execute("SELECT 1 FROM doc WHERE key = ?", (row.key,)).fetchone():
            return False
        row = replace(row, ord=self._ordinal(row))
        self._db.execute(_INSERT, (self._next, self._vocabulary.add(row.text), *_VALUES(row)))
        context = context_words(row.speaker, row.created, row.tags, row.topic)
        self._blocks.add(row.session, row.ord, self._text.add(self._next, row.tag, row.text, context))
        self._next += 1
        return True

    def _ordinal(self, row: Row) -> int:
        """Place in the session: 0, 1, 2 … for messages and -1, -2, -3 … for memories, so that they never neighbour."""
        spoken = row.type in ("message", "item")
        end = self._ends.get((row.session, spoken))
        if end is None:
            sql = "SELECT max(ord) + 1 FROM doc WHERE session = ? AND ord >= 0" if spoken else \
                  "SELECT min(ord) - 1 FROM doc WHERE session = ? AND ord < 0"
            found = self._db.execute(sql, (row.session,)).fetchone()[0]
            end = int(found) if found is not None else (0 if spoken else -1)
        self._ends[row.session, spoken] = end + (1 if spoken else -1)
        return end

    def _state(self, key: str, values: dict[str, Any], at: float) -> None:
        found = self._db.execute("SELECT n, id, type, scope, project, status, current, tag FROM doc WHERE key = ?",
                                 (key,)).fetchone()
        if found is None or not values:
            return
        n, id_, type_, scope, project_, status, current, old = found
        new = project.memory_tag(type_, scope, project_, values.get("status", status), values.get("current", current))
        assignments = ", ".join(f"{column} = ?" for column in values)
        self._db.execute(f"UPDATE doc SET {assignments}, tag = ? WHERE n = ?", (*values.values(), new, n))
        if "status" in values and values["status"] != status:
            self._db.execute("INSERT INTO history VALUES(?,?,?)", (id_, at, values["status"]))
        if new != old:
            self._text.retag(n, old, new, *self._words_of(n))

    def _flush(self) -> None:
        self._text.flush()
        self._blocks.flush()
        self._vocabulary.flush()

    def _words_of(self, n: int) -> tuple[str, str]:
        text, speaker, created, tags, topic = self._db.execute(
            "SELECT text, speaker, created, tags, topic FROM doc WHERE n = ?", (n,)).fetchone()
        return text, context_words(speaker, created, tags, topic)

    def _purge(self, key: str) -> None:
        self._purged = True
        found = self._db.execute("SELECT n, id, tag, session, ord FROM doc WHERE key = ?", (key,)).fetchone()
        self._db.execute("DELETE FROM edge WHERE source = ? OR target = ?", (key, key))
        self._db.execute("DELETE FROM session WHERE id = ?", (key,))
        if found is None:
            return
        n, id_, tag, session, ordinal = found
        text, context = self._words_of(n)
        self._flush()
        self._blocks.remove(n, session, ordinal)
        self._text.remove(n, tag, text, context)
        self._vocabulary.remove(text)
        self._db.execute("DELETE FROM doc WHERE n = ?", (n,))
        self._vocabulary.forget(text)
        if not self._db.execute("SELECT 1 FROM doc WHERE id = ?", (id_,)).fetchone():
            self._db.execute("DELETE FROM history WHERE id = ?", (id_,))
            self._db.execute("DELETE FROM operation WHERE memory = ?", (id_,))


def _position(connection: sqlite3.Connection) -> int:
    if schema.version(connection) != schema.VERSION:
        return 0
    return int(connection.execute("SELECT value FROM meta WHERE name = 'position'").fetchone()[0])


def _optimize(connection: sqlite3.Connection) -> None:
    for table in ("words", "blocks", "alike"):
        connection.execute(f"INSERT INTO {table}({table}) VALUES('optimize')")


def _wipe(connection: sqlite3.Connection) -> None:
    """After a purge no old byte stays: segments are merged, free pages and the log are given up."""
    _optimize(connection)
    connection.execute("VACUUM")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def _failed(path: Path, error: sqlite3.Error) -> StoreError:
    return StoreError(f"the search file {path} failed: {error}",
                      hint="The journal and the graph are unharmed; the search file can be rebuilt from them.")
