"""How well observations fit what was expected of a session. Used by `bench/observer.py` and by tests.

An expectation names facts (``must``), harmless extras (``ok``), what is noise (``noise``), strings that may not be kept
(``never``) and a ``budget``. A pattern rule holds if all of ``all_of``, one of each group of ``any_of`` and none of
``none_of`` occur in the observation's normalised text.

recall: share of facts that some observation states. credit: the same, weighted by priority (3, 2, 1), where one
observation pays for two facts at most. precision: share of observations that state a fact or a harmless extra, are no
noise and are not one more wording of facts stated before. f1: harmonic mean of credit and precision, divided by how
far the number of observations exceeds the budget. A leaked string makes it 0.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

WEIGHTS = {"red": 3, "yellow": 2, "green": 1}
LONGEST = 300
PAYS_FOR = 2
_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "‐": "-", "‑": "-", "–": "-", "—": "-", "`": None})
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Seen:
    """One observation as the scorer sees it. ``places`` are (file name, line)."""

    text: str
    kind: str
    priority: str
    places: frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Score:
    """The figures of one session; shares are None where nothing could be judged."""

    sample: str
    observations: int
    budget: int
    recall: float
    credit: float
    precision: float
    f1: float
    noise: int
    leaked: int
    kind: float | None
    priority: float | None
    source: float | None
    missed: tuple[str, ...] = field(default=())
    noisy: tuple[str, ...] = field(default=())
    unmatched: tuple[str, ...] = field(default=())


def normal(text: str) -> str:
    """The form of a text that patterns are tried on."""
    return _SPACE.sub(" ", unicodedata.normalize("NFKC", text).translate(_QUOTES).replace("**", "")).strip()


def holds(rule: Mapping[str, Any], text: str) -> bool:
    """True if a pattern rule holds for a normalised text."""

    def occurs(pattern: str) -> bool:
        return re.search(unicodedata.normalize("NFKC", pattern), text, re.IGNORECASE) is not None

    return (
        all(occurs(p) for p in rule.get("all_of", ()))
        and all(any(occurs(p) for p in group) for group in rule.get("any_of", ()))
        and not any(occurs(p) for p in rule.get("none_of", ()))
    )


def score(expected: Mapping[str, Any], seen: Sequence[Seen]) -> Score:
    """Judge the observations of one session."""
    texts = [normal(s.text) for s in seen]
    facts: Sequence[Mapping[str, Any]] = expected["must"]
    states = [[i for i, text in enumerate(texts) if holds(fact, text)] for fact in facts]
    noisy = {i for i, text in enumerate(texts) for rule in expected.get("noise", ()) if holds(rule, text)}
    harmless = {i for i, text in enumerate(texts) for rule in expected.get("ok", ()) if holds(rule, text)}
    useful = {i for found in states for i in found}
    first = {found[0] for found in states if found}
    good = (useful | harmless) - noisy
    repeats = {i for i in useful if i not in first}
    weights = [WEIGHTS[fact["priority"]] for fact in facts]
    credit = sum(weights[f] for f in _paid(states, texts, weights)) / sum(weights) if weights else 0.0
    precision = len(good - repeats) / len(texts) if texts else 0.0
    over = max(0.0, len(texts) / expected["budget"] - 1)
    blob = json.dumps([s.text for s in seen], ensure_ascii=False).lower()
    leaked = sum(1 for literal in expected.get("never", ()) if literal.lower() in blob)
    f1 = 2 * credit * precision / (credit + precision) / (1 + over) if credit + precision and not leaked else 0.0
    return Score(
        expected["sample"],
        len(texts),
        expected["budget"],
        sum(bool(found) for found in states) / len(states),
        credit,
        precision,
        f1,
        len(noisy),
        leaked,
        _share(
            _any(seen[i].kind in {fact["kind"], *fact.get("kind_also", ())} for i in found)
            for fact, found in zip(facts, states, strict=True)
        ),
        _share(
            _any(seen[i].priority == fact["priority"] for i in found) for fact, found in zip(facts, states, strict=True)
        ),
        _share(
            _any(bool(seen[i].places & _places(fact, expected)) for i in found)
            for fact, found in zip(facts, states, strict=True)
        ),
        tuple(fact["id"] for fact, found in zip(facts, states, strict=True) if not found),
        tuple(texts[i] for i in sorted(noisy)),
        tuple(text for i, text in enumerate(texts) if i not in useful | harmless | noisy),
    )


def _paid(states: Sequence[Sequence[int]], texts: Sequence[str], weights: Sequence[int]) -> set[int]:
    """Facts that are paid for: heaviest first, by the observation with most room, re-seating where that helps."""
    seats: dict[int, list[int]] = {}

    def seat(fact: int, tried: set[int]) -> bool:
        for i in states[fact]:
            if i in tried or len(texts[i]) > LONGEST:
                continue
            tried.add(i)
            held = seats.setdefault(i, [])
            if len(held) < PAYS_FOR:
                held.append(fact)
                return True
            for other in list(held):
                if seat(other, tried):
                    held.remove(other)
                    held.append(fact)
                    return True
        return False

    return {fact for fact in sorted(range(len(states)), key=lambda f: -weights[f]) if seat(fact, set())}


def _places(fact: Mapping[str, Any], expected: Mapping[str, Any]) -> set[tuple[str, int]]:
    main = expected["transcripts"][0].rsplit("/", 1)[-1]
    found = set()
    for place in fact["source_lines"]:
        name, _, line = str(place).rpartition(":")
        found.add((name.rsplit("/", 1)[-1] or main, int(line)))
    return found


def _any(values: Any) -> bool | None:
    judged = list(values)
    return any(judged) if judged else None


def _share(values: Any) -> float | None:
    judged = [v for v in values if v is not None]
    return sum(judged) / len(judged) if judged else None


def mean(scores: Sequence[Score]) -> Score:
    """The last row of a table: means of shares, sums of counts."""

    def average(name: str) -> float | None:
        return _share(getattr(s, name) for s in scores)

    return Score(
        f"all {len(scores)}",
        sum(s.observations for s in scores),
        sum(s.budget for s in scores),
        average("recall") or 0.0,
        average("credit") or 0.0,
        average("precision") or 0.0,
        average("f1") or 0.0,
        sum(s.noise for s in scores),
        sum(s.leaked for s in scores),
        average("kind"),
        average("priority"),
        average("source"),
    )
