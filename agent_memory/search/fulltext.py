"""The full-text table: passages in, rows of tokens out. Contentless, so a removal must repeat what was put."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime

from agent_memory.search.passages import spans
from agent_memory.text.analyze import index_text

_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")


def date_words(created: float | None) -> str:
    """A date as people say it, in UTC: ``18 November 2026``; "" for no date."""
    if created is None:
        return ""
    at = datetime.fromtimestamp(created, UTC)
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}"


def context_words(speaker: str, created: float | None, tags: str, topic: str) -> str:
    """What goes with every passage of a document: who spoke, the date, tags and topic."""
    return " ".join(t for t in (speaker, date_words(created), tags, topic) if t)


def passage_bodies(text: str, context: str, places: Sequence[tuple[int, int]]) -> list[str]:
    """The tokens of each passage of a document, with its context."""
    extra = index_text(context)
    return [f"{index_text(text[start:stop])} {extra}" for start, stop in places]


class Fulltext:
    """Writes passages of docs inside the caller's transaction. ``flush`` must be called at its end."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._next = int(connection.execute("SELECT coalesce(max(n), 0) + 1 FROM passage").fetchone()[0])
        self._passages: list[tuple[int, int, int, int]] = []
        self._words: list[tuple[int, str, str]] = []

    def add(self, doc: int, tag: str, text: str, context: str) -> str:
        """Index ``text`` of a doc; ``context`` (speaker, date, tags) goes with every passage. Gives all tokens."""
        places = spans(text)
        bodies = passage_bodies(text, context, places)
        for (start, stop), body in zip(places, bodies, strict=True):
            self._passages.append((self._next, doc, start, stop))
            self._words.append((self._next, tag, body))
            self._next += 1
        if len(self._passages) >= 2000:
            self.flush()
        return " ".join(bodies)

    def flush(self) -> None:
        """Write what was collected."""
        self._db.executemany("INSERT INTO passage VALUES(?,?,?,?)", self._passages)
        self._db.executemany("INSERT INTO words(rowid, tag, body) VALUES(?,?,?)", self._words)
        self._passages, self._words = [], []

    def retag(self, doc: int, old: str, new: str, text: str, context: str) -> None:
        """Give the passages of a doc another tag."""
        for n, body in self._bodies(doc, text, context):
            self._take(n, old, body)
            self._db.execute("INSERT INTO words(rowid, tag, body) VALUES(?,?,?)", (n, new, body))

    def remove(self, doc: int, tag: str, text: str, context: str) -> None:
        """Take the passages of a doc out."""
        for n, body in self._bodies(doc, text, context):
            self._take(n, tag, body)
        self._db.execute("DELETE FROM passage WHERE doc = ?", (doc,))

    def _take(self, n: int, tag: str, body: str) -> None:
        self._db.execute("INSERT INTO words(words, rowid, tag, body) VALUES('delete',?,?,?)", (n, tag, body))

    def _bodies(self, doc: int, text: str, context: str) -> list[tuple[int, str]]:
        self.flush()
        rows = self._db.execute("SELECT n, start, stop FROM passage WHERE doc = ? ORDER BY n", (doc,)).fetchall()
        bodies = passage_bodies(text, context, [(start, stop) for _, start, stop in rows])
        return [(row[0], body) for row, body in zip(rows, bodies, strict=True)]
