"""What words and parts of words the index knows: how many documents hold a gram, and which words look alike.

``gram`` counts documents by gram, for the weight of a part of a word. ``vocab`` lists each word once, with a trigram
index over the list, so that a mistyped or cut word of a question finds the words that were meant.
"""

from __future__ import annotations

import sqlite3
from collections import Counter

from agent_memory.text.analyze_grams import layout, measure

LONGEST_WORD = 40


class Vocabulary:
    """Counts that a run adds; ``flush`` writes them inside the caller's transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = connection
        self._grams: Counter[bytes] = Counter()
        self._words: set[bytes] = set()

    def add(self, text: str) -> float:
        """Count a document in; gives the length of its gram vector."""
        norm, grams = measure(text)
        self._grams.update(grams)
        self._words.update(layout(text).split())
        return norm

    def remove(self, text: str) -> None:
        """Count a document out. Its words stay listed until no document holds them (see `forget`)."""
        self._grams.subtract(measure(text)[1])

    def flush(self) -> None:
        """Write what was counted."""
        self._db.executemany(
            "INSERT INTO gram VALUES(?, ?) ON CONFLICT DO UPDATE SET docs = docs + excluded.docs",
            [(g, c) for g, c in sorted(self._grams.items()) if c])
        for word in sorted(self._words):
            if 3 <= len(word) <= LONGEST_WORD:
                text = word.decode("utf-8", "replace")
                n = self._db.execute("INSERT OR IGNORE INTO vocab(word) VALUES(?)", (text,))
                if n.rowcount > 0:
                    self._db.execute("INSERT INTO alike(rowid, word) VALUES(?, ?)", (n.lastrowid, text))
        self._grams.clear()
        self._words.clear()

    def forget(self, text: str) -> None:
        """After a purge: drop the words of a removed text that no remaining document holds, and empty counts."""
        self.flush()
        self._db.execute("DELETE FROM gram WHERE docs <= 0")
        for word in sorted(set(layout(text).split())):
            plain = word.decode("utf-8", "replace")
            if self._db.execute("SELECT 1 FROM doc WHERE instr(lower(text), ?) LIMIT 1", (plain,)).fetchone():
                continue
            found = self._db.execute("SELECT n FROM vocab WHERE word = ?", (plain,)).fetchone()
            if found:
                self._db.execute("INSERT INTO alike(alike, rowid, word) VALUES('delete', ?, ?)", (found[0], plain))
                self._db.execute("DELETE FROM vocab WHERE n = ?", found)
