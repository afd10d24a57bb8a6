"""The graph arm: scores spread to what stands beside a find, and to everything in the session it stands in."""

from __future__ import annotations

import heapq
import sqlite3
from collections import defaultdict
from collections.abc import Sequence

from agent_memory.recall.filters import Filters
from agent_memory.recall.lexical import Place, slices
from agent_memory.search.blocks import Key, block_of

NEXT = 0.3
BLOCK = 0.3
MOST_BLOCKS = 300
MOST_SPREADING = 200


def spread_to_neighbours(connection: sqlite3.Connection, scores: dict[int, float], filters: Filters,
                         places: dict[int, Place], weight: float) -> dict[int, float]:
    """What each document gains from the ones before and after it in its session (the answer beside the question)."""
    wanted: dict[tuple[str, int], float] = defaultdict(float)
    for n, score in heapq.nlargest(MOST_SPREADING, scores.items(), key=lambda item: (item[1], -item[0])):
        place = places[n]
        if place.session:
            for other in (place.ord - 1, place.ord + 1):
                if (other < 0) == (place.ord < 0):
                    wanted[place.session, other] += weight * score
    here = {(p.session, p.ord): n for n, p in places.items() if p.session}
    missing = [key for key in wanted if key not in here]
    where, values = filters.where()
    for part in slices(range(len(missing)), 200):
        keys = [missing[i] for i in part]
        for n, session, ordinal, project in connection.execute(
                f"WITH wanted(session, ord) AS (VALUES {', '.join(['(?, ?)'] * len(keys))}) "
                "SELECT d.n, d.session, d.ord, d.project FROM wanted w JOIN doc d ON d.session = w.session AND "
                f"d.ord = w.ord WHERE {where}", [v for k in keys for v in k] + values):
            places[n] = Place(session, ordinal, project)
            here[session, ordinal] = n
    return {here[key]: gain for key, gain in wanted.items() if key in here}


def block_scores(connection: sqlite3.Connection, terms: Sequence[str]) -> dict[Key, float]:
    """How well each part of a session answers as a whole, best is 1. A part of one document says nothing new."""
    if not terms:
        return {}
    match = " OR ".join('"' + t.replace('"', "") + '"' for t in terms)
    rows = connection.execute(
        "SELECT b.session, b.number, b.docs, f.score FROM (SELECT rowid AS n, -rank AS score FROM blocks WHERE blocks "
        "MATCH ? ORDER BY rank LIMIT ?) f JOIN block b ON b.n = f.n", (match, MOST_BLOCKS)).fetchall()
    best = max((r[3] for r in rows), default=0.0)
    return {(session, number): score / best for session, number, docs, score in rows if docs > 1 and best > 0}


def block_gain(place: Place, scores: dict[Key, float]) -> float:
    """What a document gains from the part of the session it stands in."""
    return BLOCK * scores.get(block_of(place.session, place.ord), 0.0) if place.session else 0.0
