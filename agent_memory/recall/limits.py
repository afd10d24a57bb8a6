"""How much of a start payload each host accepts, and how it counts.

Claude Code moves more than 10,000 characters (UTF-16 units) of a hook's output to a file, Codex more than about 2,500
tokens; rules files of the other hosts are kept below 6,000 characters. All limits keep a margin.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

DEFAULT_BUDGET = 24_000
VITAL = 2_000
"""Characters that every host shows even where it hides the rest; the vital part must fit."""

_DENSE = (("\u0900", "\u109f"), ("\u1780", "\u17ff"), ("\u2e80", "\ud7ff"), ("\uf900", "\ufaff"), ("\uff00", "\uffef"))
"""Scripts of which tokenizers need more than a token a character: Indic, Thai to Burmese, Khmer, Chinese to Korean."""


@dataclass(frozen=True, slots=True)
class Limit:
    """The most a host takes: ``units`` of UTF-16, ``tokens`` by a careful estimate; 0 for no limit."""

    units: int = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Sizes:
    """How large a start payload may be: characters, memories (0: as many as fit), and the share of the best score that
    a memory must reach."""

    characters: int = DEFAULT_BUDGET
    memories: int = 0
    threshold: float = 0.0


def sizes(told: Mapping[str, float]) -> Sizes:
    """What the settings say, without loading them: the environment, else what was left beside the views.

    A value that is no number, or none that settings would take, counts as not said: a start does not fail by it.
    """
    return Sizes(int(_number("BUDGET", told.get("characters"), DEFAULT_BUDGET, 500, 10**9)),
                 int(_number("LIMIT", told.get("memories"), 0, 0, 10**9)),
                 _number("THRESHOLD", told.get("threshold"), 0.0, 0.0, 1.0))


def _number(name: str, told: float | None, default: float, least: float, most: float) -> float:
    for value in (os.environ.get(f"AGENT_MEMORY_CONTEXT_{name}") or None, told):
        try:
            found = None if value is None else float(value)
        except ValueError:
            continue
        if found is not None and least <= found <= most:
            return found
    return default


HOSTS: dict[str, Limit] = {
    "claude": Limit(units=9_500),
    "codex": Limit(tokens=2_300),
    "grok": Limit(units=6_000),
    "windsurf": Limit(units=6_000),
}


def units(text: str) -> int:
    """Length in UTF-16 units, as JavaScript counts.

    >>> units("a👍")
    3
    """
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def tokens(text: str) -> int:
    """A careful estimate of tokens: three ASCII characters each, more for scripts that tokenizers know less.

    >>> tokens("abcdef"), tokens("日本")
    (2, 3)
    """
    special = "" if text.isascii() else [c for c in text if c > "\x7f"]
    dense = sum(1 for c in special if any(low <= c <= high for low, high in _DENSE))
    astral = sum(1 for c in special if c > "\uffff")
    return -(-(len(text) - len(special)) // 3) + -(-dense * 3 // 2) + astral * 3 + len(special) - dense - astral


def fits(text: str, budget: int, limit: Limit) -> bool:
    """True if ``text`` is within ``budget`` characters and the host's limit."""
    return (len(text) <= budget and (not limit.units or units(text) <= limit.units)
            and (not limit.tokens or tokens(text) <= limit.tokens))


class Room:
    """What is left of a budget while lines are chosen, without measuring the whole text again for each."""

    def __init__(self, budget: int, limit: Limit) -> None:
        self._chars, self._units, self._tokens = budget, limit.units, limit.tokens
        self._limit = limit

    def take(self, text: str, *, must: bool = False) -> bool:
        """Use room for ``text``; False, and nothing is used, if there is too little (unless it ``must``)."""
        cost = (len(text), units(text) if self._limit.units else 0, tokens(text) if self._limit.tokens else 0)
        fit = (cost[0] <= self._chars and (not self._limit.units or cost[1] <= self._units)
               and (not self._limit.tokens or cost[2] <= self._tokens))
        if fit or must:
            self._chars -= cost[0]
            self._units -= cost[1]
            self._tokens -= cost[2]
        return fit
