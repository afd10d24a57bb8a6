"""The graph arm: scores spread to what stands beside a find, and to everything in the session it stands in."""

from __future__ import annotations

import sqlite3
from collections import defaultdict

from agent_memory.recall.filters import Filters
from agent_memory.recall.lexical import Place, _slices

NEXT = 0.3
SESSION = 0.2


def spread_to_neighbours(connection: sqlite3.Connection, scores: dict[int, float], filters: Filters,
                         places: dict[int, Place], weight: float = NEXT) -> dict[int, float]:
    """What each document gains from the ones before and after it in its session (the answer beside the question)."""
    wanted: dict[tuple[str, int], float] = defaultdict(float)
    for n, score in scores.items():
        place = places[n]
        if place.session:
            for other in (place.ord - 1, place.ord + 1):
                if (other < 0) == (place.ord < 0):
                    wanted[place.session, other] += weight * score
    here = {(p.session, p.ord): n for n, p in places.items() if p.session}
    missing = [key for key in wanted if key not in here]
    where, values = filters.where()
    for part in _slices(range(len(missing)), 200):
        keys = [missing[i] for i in part]
        for n, session, ordinal, project in connection.execute(
                f"SELECT d.n, d.session, d.ord, d.project FROM doc d WHERE (d.session, d.ord) IN (VALUES "
                f"{', '.join(['(?, ?)'] * len(keys))}) AND {where}", [v for k in keys for v in k] + values):
            places[n] = Place(session, ordinal, project)
            here[session, ordinal] = n
    return {here[key]: gain for key, gain in wanted.items() if key in here}


def session_scores(scores: dict[int, float], places: dict[int, Place]) -> dict[str, float]:
    """How well each session as a whole answers, best is 1: its finds together, the later ones counting less."""
    found: dict[str, list[float]] = defaultdict(list)
    for n, score in scores.items():
        if places[n].session:
            found[places[n].session].append(score)
    total = {s: sum(v / (i + 1) for i, v in enumerate(sorted(vs, reverse=True))) for s, vs in found.items()}
    best = max(total.values(), default=1.0) or 1.0
    return {s: v / best for s, v in total.items()}
