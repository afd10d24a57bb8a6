"""Which of the weighed candidates are shown: few and good, or none; each session its place; no repeats."""

from __future__ import annotations

from collections.abc import Sequence

from agent_memory.recall import sessions, weigh
from agent_memory.recall.weigh import Candidate


def choose(candidates: Sequence[Candidate], limit: int) -> tuple[list[Candidate], list[Candidate]]:
    """At most ``limit`` of the weighed candidates as hits, best first, and up to three that just missed."""
    worth = sessions.lift(candidates)
    order = sorted(candidates, key=lambda c: (-c.score, -(c.row["created"] or 0.0), c.row["id"]))
    if not order or max(c.covered for c in order) < weigh.FLOOR:
        return [], order[:3]
    best = order[0].score
    kept = [c for c in order if c.score >= best * (weigh.CUT_SPOKEN if c.spoken else weigh.CUT)]
    missed = [c for c in order if c.score < best * (weigh.CUT_SPOKEN if c.spoken else weigh.CUT)]
    kept = sessions.spread(weigh.collapse(kept, limit), worth, limit)
    return kept[:limit], [*kept[limit:limit + 3], *missed[:3]][:3]
