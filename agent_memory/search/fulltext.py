"""The two full-text tables: passages in, rows of tokens out. Contentless, so a removal must repeat what was put."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime

from agent_memory.search.passages import spans
from agent_memory.text.analyze import grams, index_text

_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")


def date_words(created: float | None) -> str:
    """A date as people say it, in UTC: ``18 November 2026``; "" for no date."""
    if created is None:
        return ""
    at = datetime.fromtimestamp(created, UTC)
    return f"{at.day} {_MONTHS[at.month - 1]} {at.year}"


class Fulltext:
    """Writes passages of docs inside the caller's transaction. ``flush`` must be called at its end."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._next = int(connection.execute("SELECT coalesce(max(n), 0) + 1 FROM passage").fetchone()[0])
        self._passages: list[tuple[int, int, int, int]] = []
        self._words: list[tuple[int, str, str]] = []
        self._grams: list[tuple[int, str, str]] = []

    def add(self, doc: int, tag: str, text: str, context: str) -> None:
        """Index ``text`` of a doc; ``context`` (speaker, date, tags) goes with every passage."""
        extra = index_text(context)
        for start, stop in spans(text):
            piece = text[start:stop]
            self._passages.append((self._next, doc, start, stop))
            self._words.append((self._next, tag, f"{index_text(piece)} {extra}"))
            self._grams.append((self._next, tag, grams(piece)))
            self._next += 1
        if len(self._passages) >= 2000:
            self.flush()

    def flush(self) -> None:
        """Write what was collected."""
        self._db.executemany("INSERT INTO passage VALUES(?,?,?,?)", self._passages)
        self._db.executemany("INSERT INTO words(rowid, tag, body) VALUES(?,?,?)", self._words)
        self._db.executemany("INSERT INTO grams(rowid, tag, body) VALUES(?,?,?)", self._grams)
        self._passages, self._words, self._grams = [], [], []

    def retag(self, doc: int, old: str, new: str, text: str, context: str) -> None:
        """Give the passages of a doc another tag."""
        self.flush()
        extra = index_text(context)
        for n, start, stop in self._spans(doc):
            piece = text[start:stop]
            for table, body in (("words", f"{index_text(piece)} {extra}"), ("grams", grams(piece))):
                self._db.execute(f"INSERT INTO {table}({table}, rowid, tag, body) VALUES('delete',?,?,?)",
                                 (n, old, body))
                self._db.execute(f"INSERT INTO {table}(rowid, tag, body) VALUES(?,?,?)", (n, new, body))

    def remove(self, doc: int, tag: str, text: str, context: str) -> None:
        """Take the passages of a doc out."""
        self.flush()
        extra = index_text(context)
        for n, start, stop in self._spans(doc):
            piece = text[start:stop]
            for table, body in (("words", f"{index_text(piece)} {extra}"), ("grams", grams(piece))):
                self._db.execute(f"INSERT INTO {table}({table}, rowid, tag, body) VALUES('delete',?,?,?)",
                                 (n, tag, body))
        self._db.execute("DELETE FROM passage WHERE doc = ?", (doc,))

    def _spans(self, doc: int) -> list[tuple[int, int, int]]:
        return self._db.execute("SELECT n, start, stop FROM passage WHERE doc = ?", (doc,)).fetchall()
