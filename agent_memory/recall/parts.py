"""The second look at what the words found: how much of each document consists of parts of the question's words.

A cosine over four-character parts finds what shares no token (``iterable`` in ``isiterable``), forgives endings, and is
fair to short and long documents. It is counted on the text itself, so nothing is stored for it but a length and the
number of documents that hold each part.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence

from agent_memory.recall.lexical import slices
from agent_memory.text.analyze import Query
from agent_memory.text.analyze_grams import query_grams, similarity

MOST_GRAMS = 120
MOST_BYTES = 600_000
"""Text that is looked at for one question; documents behind it keep their rank by words."""


def ask_parts(connection: sqlite3.Connection, query: Query, documents: Sequence[int]) -> dict[int, float]:
    """Scores of documents (best first), best is 1."""
    weights = _weights(connection, query_grams(query.words)[:MOST_GRAMS])
    scores: dict[int, float] = {}
    seen = 0
    for part in slices(documents, 100):
        rows = {n: (text, norm) for n, text, norm in connection.execute(
            f"SELECT n, text, norm FROM doc WHERE n IN ({', '.join(map(str, part))})")}
        for n in part:
            text, norm = rows[n]
            seen += len(text)
            scores[n] = similarity(text, weights, norm)
        if seen > MOST_BYTES:
            break
    best = max(scores.values(), default=0.0)
    return {n: s / best for n, s in scores.items()} if best > 0 else {}


def _weights(connection: sqlite3.Connection, grams: Sequence[bytes]) -> dict[bytes, float]:
    """Weight of each part: rare ones count more (inverse document frequency, squared as in a cosine)."""
    total = connection.execute("SELECT coalesce(max(n), 0) FROM doc").fetchone()[0]
    known: dict[bytes, int] = {}
    for part in slices(grams, 200):
        known.update(connection.execute(
            f"SELECT gram, docs FROM gram WHERE gram IN ({', '.join('?' * len(part))})", list(part)).fetchall())
    return {g: (1 + math.log((1 + total) / (1 + known[g]))) ** 2 for g in grams if g in known}
