"""Neighbouring documents of a session as one text, so that a session can answer as a whole.

A block is up to SIZE messages, or memories, of one session in a row. Its full-text row is replaced when documents join
or leave; since the table keeps no text, the old row is told again from the documents it was made of.
"""

from __future__ import annotations

import sqlite3

from agent_memory.search.fulltext import context_words, passage_bodies
from agent_memory.search.passages import spans

SIZE = 64
Key = tuple[str, int]  # session, number of the block; memories have negative numbers


def block_of(session: str, ordinal: int) -> Key:
    """The block that a place in a session belongs to."""
    return session, (ordinal // SIZE if ordinal >= 0 else -((-ordinal - 1) // SIZE) - 1)


def places(key: Key) -> tuple[int, int]:
    """First and last ordinal of a block."""
    number = key[1]
    return (number * SIZE, number * SIZE + SIZE - 1) if number >= 0 else (number * SIZE, (number + 1) * SIZE - 1)


class Blocks:
    """Blocks touched by a run; ``flush`` writes them inside the caller's transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._added: dict[Key, list[str]] = {}
        self._collected = 0

    def add(self, session: str, ordinal: int, body: str) -> None:
        """A document with these tokens joined its block. Documents join in order."""
        if session:
            self._added.setdefault(block_of(session, ordinal), []).append(body)
            self._collected += 1
            if self._collected >= 5000:
                self.flush()

    def remove(self, doc: int, session: str, ordinal: int) -> None:
        """A document leaves its block; to be called, with nothing left to flush, before its row is deleted."""
        key = block_of(session, ordinal)
        found = self._db.execute("SELECT n FROM block WHERE session = ? AND number = ?", key).fetchone()
        if found is None:
            return
        bodies = self._bodies(key)
        self._replace(found[0], [b for _, b in bodies], [b for n, b in bodies if n != doc])

    def flush(self) -> None:
        """Write what was collected; the rows of ``doc`` must be there."""
        for key, added in self._added.items():
            found = self._db.execute("SELECT n FROM block WHERE session = ? AND number = ?", key).fetchone()
            if found is None:
                n = self._db.execute("INSERT INTO block(session, number, docs) VALUES(?, ?, ?)",
                                     (*key, len(added))).lastrowid
                self._db.execute("INSERT INTO blocks(rowid, body) VALUES(?, ?)", (n, " ".join(added)))
            else:
                bodies = [b for _, b in self._bodies(key)]
                self._replace(found[0], bodies[:len(bodies) - len(added)], bodies)
        self._added.clear()
        self._collected = 0

    def _replace(self, n: int, old: list[str], new: list[str]) -> None:
        self._db.execute("INSERT INTO blocks(blocks, rowid, body) VALUES('delete', ?, ?)", (n, " ".join(old)))
        if new:
            self._db.execute("INSERT INTO blocks(rowid, body) VALUES(?, ?)", (n, " ".join(new)))
            self._db.execute("UPDATE block SET docs = ? WHERE n = ?", (len(new), n))
        else:
            self._db.execute("DELETE FROM block WHERE n = ?", (n,))

    def _bodies(self, key: Key) -> list[tuple[int, str]]:
        low, high = places(key)
        rows = self._db.execute("SELECT n, text, speaker, created, tags, topic FROM doc WHERE session = ? AND ord "
                                "BETWEEN ? AND ? ORDER BY n", (key[0], low, high)).fetchall()
        return [(n, " ".join(passage_bodies(text, context_words(*rest), spans(text)))) for n, text, *rest in rows]
