"""Figures of one system over labelled questions: how much is found, how early, how quickly, and how sure that is."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass
class Result:
    """Figures of one system over one set; lists have one value a question, times are in milliseconds."""

    recall5: list[float] = field(default_factory=list)
    recall10: list[float] = field(default_factory=list)
    reciprocal: list[float] = field(default_factory=list)
    gain: list[float] = field(default_factory=list)
    session5: list[float] = field(default_factory=list)
    categories: list[str] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    index_seconds: float = 0.0
    bytes: int = 0

    def add(self, ranked: Sequence[str], relevant: set[str], session_of: dict[str, str], category: str = "") -> None:
        """Score one answer. ``relevant`` is not empty."""
        hits = [doc in relevant for doc in ranked]
        self.recall5.append(sum(hits[:5]) / len(relevant))
        self.recall10.append(sum(hits[:10]) / len(relevant))
        self.reciprocal.append(next((1 / (i + 1) for i, hit in enumerate(hits[:10]) if hit), 0.0))
        ideal = sum(1 / math.log2(i + 2) for i in range(min(10, len(relevant))))
        self.gain.append(sum(hit / math.log2(i + 2) for i, hit in enumerate(hits[:10])) / ideal)
        sessions = list(dict.fromkeys(session_of[d] for d in ranked))[:5]
        self.session5.append(float(bool(set(sessions) & {session_of[d] for d in relevant})))
        self.categories.append(category)

    def by_category(self) -> dict[str, float]:
        """R@10 of each category of questions."""
        return {name: statistics.fmean(r for r, c in zip(self.recall10, self.categories, strict=True) if c == name)
                for name in sorted(set(self.categories))}

    def quantile(self, share: float) -> float:
        """The time below which ``share`` of the questions were answered, in milliseconds."""
        times = sorted(self.milliseconds)
        return times[int(share * (len(times) - 1))]


def interval(values: Sequence[float], rounds: int = 1000) -> tuple[float, float]:
    """95 % interval of the mean by bootstrap over questions."""
    chance = random.Random(7)
    means = sorted(statistics.fmean(chance.choices(values, k=len(values))) for _ in range(rounds))
    return means[int(0.025 * rounds)], means[int(0.975 * rounds)]
