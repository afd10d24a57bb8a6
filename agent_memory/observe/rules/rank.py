"""How much a session deserves: repeats inside it fall away, and the number is bounded by what was said."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from agent_memory.model.memory import Priority
from agent_memory.observe.rules.proposal import Proposal
from agent_memory.observe.rules.scene import Scene, by_person

REPEAT = 0.67
"""A later proposal that shares this much of its content words with an earlier one says the same."""
PLANNED = 0.6
"""The same for a step of a plan, which repeats what led to it."""
COMPARED = 50
"""With this many earlier proposals a word is compared, so that work stays linear."""
FEWEST, MOST = 4, 600


def budget(scenes: Sequence[Scene]) -> int:
    """How many observations a session deserves at most, from the number and length of its messages."""
    people = sum(1 + min(len(s.message.text) // 160, 4) for s in scenes if by_person(s.message))
    agents = sum(1 + min(len(s.message.text) // 200, 4) for s in scenes if not by_person(s.message))
    return max(FEWEST, min(MOST, 5 + round(0.75 * people + 0.45 * agents)))


def repeats(proposals: Sequence[Proposal]) -> dict[int, int]:
    """Index of each proposal that says what another one says better → index of that other one."""
    order = sorted(
        range(len(proposals)),
        key=lambda i: (-proposals[i].priority, -proposals[i].person, proposals[i].seq, proposals[i].unit),
    )
    holders: dict[str, list[int]] = defaultdict(list)
    gone: dict[int, int] = {}
    for i in order:
        mine = proposals[i].terms
        shared = Counter(k for term in mine for k in holders[term][:COMPARED])
        needed = (PLANNED if proposals[i].rule == "plan" else REPEAT) * len(mine)
        same = [k for k, n in shared.items() if n >= needed]
        if same:
            gone[i] = min(same)
            continue
        for term in mine:
            holders[term].append(i)
    return gone


def best(proposals: Sequence[Proposal], limit: int) -> set[int]:
    """Indexes of those that stay when ``limit`` may."""
    order = sorted(
        range(len(proposals)),
        key=lambda i: (
            -proposals[i].score - 1.5 * (proposals[i].priority - Priority.GREEN),
            proposals[i].seq,
            proposals[i].unit,
        ),
    )
    return set(order[:limit])
