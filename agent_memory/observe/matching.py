"""Is it known already? The same text by hash, nearly the same by likeness; negations and numbers must agree."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz

from agent_memory.model.memory import MemoryNode, Status
from agent_memory.observe.rules.terms import terms
from agent_memory.text.normal import content_hash, normalise

NEAR = 90.0
"""Likeness (0 to 100) from which two wordings say the same."""
RESTATED = 0.85
"""An agent's sentence whose content words stand to this share in a known memory restates it."""
COMPARED = 200
_NUMBER = re.compile(r"\d+")
_NOT = re.compile(r"\b(?:no|not|never|don't|dont|without|nicht|kein\w*|nie|ohne|pas|jamais|sans|nunca|sin)\b|"
                  r"ません|ない|禁止|不|别|別|没|勿",
                  re.IGNORECASE)


def same_meaning(a: str, b: str) -> bool:
    """True if two texts are wordings of one thing: alike, with the same numbers and the same denial.

    >>> same_meaning("Use pnpm, not npm.", "use pnpm not npm"), same_meaning("Timeout is 3 s.", "Timeout is 5 s.")
    (True, False)
    """
    x, y = normalise(a), normalise(b)
    if x == y:
        return True
    if sorted(_NUMBER.findall(x)) != sorted(_NUMBER.findall(y)) or len(_NOT.findall(x)) != len(_NOT.findall(y)):
        return False
    return fuzz.ratio(x, y, score_cutoff=NEAR) >= NEAR


class Known:
    """The memories of a project, found by what a new text says. Looks only at memories that share words with it."""

    def __init__(self, memories: Iterable[MemoryNode]) -> None:
        self._by_hash: dict[str, list[MemoryNode]] = defaultdict(list)
        self._by_term: dict[str, list[int]] = defaultdict(list)
        self._by_id: dict[str, MemoryNode] = {}
        self._all: list[MemoryNode] = []
        for memory in memories:
            self.add(memory)

    def add(self, memory: MemoryNode) -> None:
        """Know one more."""
        self._by_hash[memory.content_hash].append(memory)
        for term in terms(memory.text):
            self._by_term[term].append(len(self._all))
        self._all.append(memory)
        self._by_id[memory.id] = memory

    def by_id(self, memory_id: str) -> MemoryNode | None:
        """The memory that was learned from the same words before, whatever became of it."""
        return self._by_id.get(memory_id)

    def find(self, text: str) -> MemoryNode | None:
        """The memory that says the same, if any: one that can be seen before one that was forgotten."""
        exact = self._by_hash.get(content_hash(text), [])
        return _best(exact) or _best([m for m in self._near(text) if same_meaning(text, m.text)])

    def restated(self, text: str) -> MemoryNode | None:
        """A memory that holds nearly all content words and all numbers of a text."""
        mine = terms(text)
        if len(mine) < 3:
            return None
        return _best([m for m in self._near(text) if len(mine & terms(m.text)) >= RESTATED * len(mine)])

    def _near(self, text: str) -> list[MemoryNode]:
        """Memories that share the rarest words of a text, at most COMPARED."""
        lists = sorted((self._by_term[t] for t in terms(text) if t in self._by_term), key=len)
        found: dict[int, None] = {}
        for places in lists[:4]:
            for place in places[-COMPARED:]:
                found.setdefault(place)
                if len(found) >= COMPARED:
                    break
        return [self._all[i] for i in sorted(found)]


def _best(memories: Sequence[MemoryNode]) -> MemoryNode | None:
    """The one to compare with: visible ones first, then forgotten ones; superseded ones may be said anew."""
    ranked = {Status.ACTIVE: 0, Status.CONTESTED: 0, Status.STALE: 1, Status.RETIRED: 2}
    fit = [m for m in memories if m.status in ranked]
    return min(fit, key=lambda m: (ranked[m.status], m.id)) if fit else None
