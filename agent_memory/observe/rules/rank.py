"""How much a session deserves: repeats inside it fall away, and the number is bounded by what was said."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence

from agent_memory.model.memory import Kind, Priority
from agent_memory.observe.rules.proposal import Proposal
from agent_memory.observe.rules.scene import Scene, by_person
from agent_memory.observe.rules.terms import identifiers, terms
from agent_memory.observe.rules.values import apart

REPEAT = 0.67
"""A later proposal that shares this much of its content words with an earlier one says the same."""
PLANNED = 0.4
"""The same for a step of a plan and a decision in an agent's list, which repeat what led to them."""
COMPARED = 50
"""With this many earlier proposals a word is compared, so that work stays linear."""
FEWEST, MOST = 4, 600
_PARTS = re.compile(r"[\W_]+")


def budget(scenes: Sequence[Scene]) -> int:
    """How many observations a session deserves at most, from the number and length of its messages."""
    people = sum(1 + min(len(s.message.text) // 160, 4) for s in scenes if by_person(s.message))
    agents = sum(1 + min(len(s.message.text) // 200, 4) for s in scenes if not by_person(s.message))
    return max(FEWEST, min(MOST, 5 + round(0.75 * people + 0.45 * agents)))


def repeats(proposals: Sequence[Proposal]) -> dict[int, int]:
    """Index of each proposal that says what another one says better → index of that other one."""
    order = sorted(
        range(len(proposals)),
        key=lambda i: (-proposals[i].priority, -_own(proposals[i]), proposals[i].seq, proposals[i].unit),
    )
    holders: dict[str, list[int]] = defaultdict(list)
    gone: dict[int, int] = {}
    for i in order:
        mine = _weighed(proposals[i].text)
        shared: Counter[int] = Counter()
        for key, weight in mine.items():
            for k in holders[key][:COMPARED]:
                shared[k] += weight
        needed = _needed(proposals[i]) * sum(mine.values())
        same = [k for k, n in shared.items() if n >= needed and _comparable(proposals[i], proposals[k])]
        if same:
            gone[i] = min(same)
            continue
        for key in mine:
            holders[key].append(i)
    return gone


def _own(p: Proposal) -> int:
    """A person's own words come first, then plans they approved, then an agent's."""
    return 2 * p.person - (p.rule == "plan")


def _comparable(later: Proposal, earlier: Proposal) -> bool:
    """What is left open says something else than the decision it is about; so does the same rule for another thing."""
    if later.person and earlier.person and later.rule != "plan" and apart(later.text, earlier.text):
        return False
    return later.rule != "open" or earlier.kind is Kind.CONTEXT


def _needed(p: Proposal) -> float:
    if p.rule == "plan" or p.rule.startswith("heading:decision"):
        return PLANNED
    return REPEAT


def _weighed(text: str) -> dict[str, int]:
    """What a text speaks of, for comparing: folded, cut short, with identifiers and numbers weighing double.

    >>> sorted(_weighed("Rows go to `import_quarantaene` at 3").items())
    [('3', 2), ('go', 1), ('import', 2), ('quara', 2), ('rows', 1)]
    """
    named = {w for name in identifiers(text) for w in _PARTS.split(_folded(name)) if w}
    found: dict[str, int] = {}
    for term in terms(text):
        for part in _PARTS.split(_folded(term)):
            if not part:
                continue
            heavy = part[0].isdigit() or any(name.startswith(part) for name in named)
            key = part if part[0].isdigit() or not part.isascii() else part[:5]
            found[key] = max(found.get(key, 0), 1 + heavy)
    return found


def _folded(text: str) -> str:
    if text.isascii():
        return text.lower()
    lowered = text.lower().replace("ä", "ae").replace("ö", "oe").replace("ü", "ue").replace("ß", "ss")
    return "".join(c for c in unicodedata.normalize("NFD", lowered) if not unicodedata.combining(c))


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
