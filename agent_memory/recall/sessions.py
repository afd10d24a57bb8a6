"""What was said, over the sessions it was said in: a session with several finds counts more, and a page shows several.

Only for messages and items. Memories are few and cut hard; what was said is evidence, of which one session can fill a
page and hide the one that holds the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agent_memory.recall.weigh import Candidate

LIFT: Final = 0.1
"""What a document of the best session gains."""
FURTHER: Final = 0.3
"""A session counts as its best find and this share of its next three."""
PAGE: Final = 10
KEPT: Final = 8
"""The first places of a page go by score alone, the rest to sessions that are not on it yet."""
SHOWN: Final = 5
WORTH: Final = 0.7
"""A session's best find must have this share of the score of what it displaces."""


def lift(candidates: Sequence[Candidate]) -> dict[str, float]:
    """Add to each spoken candidate what its session says for it; gives the worth of each session, best is 1."""
    scores: dict[str, list[float]] = {}
    for candidate in sorted(candidates, key=lambda c: -c.score):
        if candidate.spoken and candidate.row["session"]:
            scores.setdefault(candidate.row["session"], []).append(candidate.score)
    worth = {session: found[0] + FURTHER * sum(found[1:4]) for session, found in scores.items()}
    best = max(worth.values(), default=0.0)
    if len(worth) < 2 or best <= 0:
        return {}
    worth = {session: value / best for session, value in worth.items()}
    for candidate in candidates:
        if candidate.spoken and candidate.row["session"]:
            candidate.factors["session as a whole"] = round(LIFT * worth[candidate.row["session"]], 3)
            candidate.score += LIFT * worth[candidate.row["session"]]
    return worth


def spread(order: Sequence[Candidate], worth: dict[str, float], limit: int) -> list[Candidate]:
    """The order, best first, in which the end of the first page belongs to further sessions, if they are worth it."""
    page = min(limit, PAGE)
    kept = page * KEPT // PAGE
    if page < PAGE or len(order) <= page or not worth:
        return list(order)
    head = list(order[:kept])
    seen = {c.row["session"] for c in head}
    least = order[page - 1].score * WORTH
    further: list[Candidate] = []
    for session in sorted(worth, key=lambda s: (-worth[s], s))[:SHOWN]:
        if session in seen or len(further) == page - kept or len(seen) >= SHOWN:
            continue
        first = next((c for c in order[kept:] if c.spoken and c.row["session"] == session), None)
        if first is not None and first.score >= least:
            further.append(first)
            seen.add(session)
    rest = [c for c in order[kept:] if c not in further]
    gap = page - kept - len(further)
    return [*head, *rest[:gap], *further, *rest[gap:]]
