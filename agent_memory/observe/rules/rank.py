"""How much a session deserves: repeats inside it fall away, and the number is bounded by what was said."""

from __future__ import annotations

from collections.abc import Sequence

from agent_memory.model.memory import Priority
from agent_memory.observe.rules.proposal import Proposal
from agent_memory.observe.rules.scene import Scene, by_person
from agent_memory.observe.rules.terms import covered

REPEAT = 0.67
"""A later proposal that shares this much of its content words with an earlier one says the same."""
FEWEST, MOST = 4, 40


def budget(scenes: Sequence[Scene]) -> int:
    """How many observations a session deserves at most, from the number and length of its messages."""
    people = sum(1 + min(len(s.message.text) // 160, 4) for s in scenes if by_person(s.message))
    agents = sum(1 for s in scenes if not by_person(s.message))
    return max(FEWEST, min(MOST, 3 + round(0.7 * people + 0.3 * agents)))


def repeats(proposals: Sequence[Proposal]) -> dict[int, int]:
    """Index of each proposal that says what another one says better → index of that other one."""
    order = sorted(range(len(proposals)), key=lambda i: (-proposals[i].priority, -proposals[i].person, proposals[i].seq,
                                                          proposals[i].unit))
    kept: list[int] = []
    gone: dict[int, int] = {}
    for i in order:
        p = proposals[i]
        for k in kept:
            if p.rule == "open" and proposals[k].rule != "open":
                continue
            if covered(p.terms, proposals[k].terms) >= REPEAT:
                gone[i] = k
                break
        else:
            kept.append(i)
    return gone


def best(proposals: Sequence[Proposal], limit: int) -> set[int]:
    """Indexes of those that stay when ``limit`` may."""
    order = sorted(range(len(proposals)), key=lambda i: (-proposals[i].score - 1.5 * (proposals[i].priority - Priority.GREEN),
                                                          proposals[i].seq, proposals[i].unit))
    return set(order[:limit])
