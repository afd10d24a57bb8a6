"""From scored candidates to the few that are shown: exact words first, life and time as small factors, no repeats.

Factors are bounded: all together between 0.8 and 1.25, while an exact match adds more than any score can reach, so
that no pin, colour or count lifts an irrelevant memory over it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from agent_memory.model.memory import Status
from agent_memory.recall import related
from agent_memory.recall.when import Span
from agent_memory.text.analyze import Query, fold, index_text

EXACT: Final = 1.5
PHRASE: Final = 0.4
IN_SPAN: Final = 0.15
KIND: Final = 1.15
LEAST, MOST = 0.8, 1.25
CUT: Final = 0.5
"""Memories below this share of the best score are not shown."""
CUT_SPOKEN: Final = 0.15
"""The same for messages and items, of which more are evidence."""
FLOOR: Final = 0.15
"""Share of the question's information that at least one hit must hold; below, the answer is nothing."""
SAME: Final = 0.85
LOOKED_AT: Final = 3_000
"""Of a longer text, this many characters and the passage that matched are compared with the question."""
_NUMBERS = re.compile(r"\d+")


@dataclass(slots=True)
class Candidate:
    """A document on its way to a hit. ``terms`` are those of the question that it holds."""

    n: int
    row: dict[str, Any]
    score: float
    factors: dict[str, float] = field(default_factory=dict)
    terms: tuple[str, ...] = ()
    covered: float = 0.0
    duplicates: int = 0
    passage: str = ""

    @property
    def spoken(self) -> bool:
        """True for messages and items, which have no life of their own."""
        return self.row["type"] in ("item", "message")


def weigh(candidate: Candidate, query: Query, terms: Sequence[str], weights: dict[str, float], span: Span | None,
          now: float, members: Mapping[str, str] | None = None) -> None:
    """Fill in what speaks for and against a candidate, and its final score.

    ``members`` are tokens of things by the term that names their class (recall/related.py).
    """
    row = candidate.row
    text = row["text"] if len(row["text"]) <= LOOKED_AT else f"{row['text'][:LOOKED_AT]} {candidate.passage}"
    held = set(index_text(f"{text} {row['tags']} {row['topic']}").split())
    candidate.terms = tuple(t for t in terms if t in held)
    total = sum(weights.values())
    said = dict.fromkeys(candidate.terms, 1.0)
    for token, term in (members or {}).items():
        if token in held and term in weights:
            said.setdefault(term, related.SHARE)
    meant = related.kinds(terms).get(row["kind"])
    if meant is not None and not candidate.spoken:
        said.setdefault(meant, related.SHARE)
    candidate.covered = sum(weights[t] * share for t, share in said.items()) / total if total else 1.0
    wholes = sum(1 for w in query.wholes if w in held)
    factors = candidate.factors
    if wholes and len(query.wholes) * 2 >= len(query.words):  # a look-up; in a long question a name is one word of many
        factors["exact"] = EXACT * wholes / len(query.wholes)
    if _holds_phrase(fold(text), query.text):
        factors["phrase"] = PHRASE
    if span is not None and row["created"] is not None and span.holds(row["created"]):
        factors["time"] = IN_SPAN
    score = candidate.score + sum(factors.values())
    if not candidate.spoken:
        life = _life(row, now)
        if meant is not None:
            life["kind asked for"] = KIND
        product = min(MOST, max(LEAST, math.prod(life.values())))
        factors.update(life)
        score *= product
    candidate.score = score


def _holds_phrase(text: str, phrase: str) -> bool:
    at = text.find(phrase) if len(phrase) > 1 else -1
    while at >= 0:
        before, after = text[at - 1:at], text[at + len(phrase):at + len(phrase) + 1]
        if not (_inside(before, phrase[0]) or _inside(after, phrase[-1])):
            return True
        at = text.find(phrase, at + 1)
    return False


def _inside(neighbour: str, edge: str) -> bool:
    """True if a word of a spaced script goes on beyond the edge of a phrase."""
    return neighbour.isascii() and neighbour.isalnum() and edge.isascii() and edge.isalnum()


def _life(row: dict[str, Any], now: float) -> dict[str, float]:
    """Factors from the life of a memory, each near 1."""
    factors = {1: {}, 2: {"yellow": 1.02}, 3: {"red": 1.05}}[row["priority"]].copy()
    if row["pinned"]:
        factors["pinned"] = 1.08
    if row["status"] == Status.CONTESTED:
        factors["contested"] = 0.95
    elif row["status"] != Status.ACTIVE:
        factors["past"] = 0.9
    if row["created"] is not None:
        factors["recent"] = round(1 + 0.06 * math.exp(-max(0.0, now - row["created"]) / (90 * 86400)), 3)
    return factors


def collapse(order: Sequence[Candidate], limit: int) -> list[Candidate]:
    """One for all that say the same, in the place of the best."""
    shown: list[tuple[Candidate, frozenset[str], tuple[str, ...]]] = []
    for candidate in order:
        if len(shown) >= limit * 2:
            break
        text = "" if candidate.spoken else candidate.row["text"]  # what was said is only ever compared as it is
        tokens = frozenset(index_text(text).split())
        numbers = tuple(sorted(_NUMBERS.findall(text)))
        twin = next((c for c, t, d in shown if d == numbers and _alike(candidate, c, tokens, t)), None)
        if twin is None:
            shown.append((candidate, tokens, numbers))
        else:
            twin.duplicates += 1 + candidate.duplicates
    return [c for c, _, _ in shown]


def _alike(one: Candidate, other: Candidate, mine: frozenset[str], theirs: frozenset[str]) -> bool:
    if one.spoken or other.spoken:
        if one.row["external"] and one.row["external"] == other.row["external"]:
            return bool(one.row["session"] == other.row["session"])  # pieces of one long item
        return bool(one.row["text"] == other.row["text"]) and one.row["speaker"] == other.row["speaker"]
    if not mine or not theirs or one.row["status"] != other.row["status"]:
        return False
    return len(mine & theirs) / len(mine | theirs) >= SAME and not (mine ^ theirs) & _NEGATIONS


_NEGATIONS: Final = frozenset({"not", "no", "never", "don", "without", "instead", "stop", "avoid"})
