"""What model calls have cost, summed up from the meter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from agent_memory.model.graph import ModelCall


class Metered(Protocol):
    """A graph that holds metered calls (store/base.py)."""

    def model_calls(self, since: datetime | None = None) -> list[ModelCall]:
        """Metered calls, oldest first."""


@dataclass(frozen=True, slots=True)
class Line:
    """Calls of one model for one purpose in one span of time. Money in micro-dollars."""

    span: str  # "today", "7 days", "30 days", "all"
    model: str
    purpose: str
    calls: int
    failed: int  # no usable answer
    tokens_in: int
    tokens_out: int
    microusd: int


@dataclass(frozen=True, slots=True)
class UsageReport:
    """Sums by span, model and purpose, in this order; and when a call last gave a usable answer or failed."""

    lines: tuple[Line, ...]
    last_ok: datetime | None = None
    last_failed: datetime | None = None
    sessions: tuple[tuple[str, int], ...] = field(default=())  # (session, tokens), most tokens first, ten at most

    def total(self, span: str) -> Line:
        """All lines of a span in one."""
        own = [x for x in self.lines if x.span == span]
        return Line(span, "", "", *(sum(getattr(x, n) for x in own)
                                    for n in ("calls", "failed", "tokens_in", "tokens_out", "microusd")))


_GOOD = ("ok", "repaired")


def usage(graph: Metered, now: datetime) -> UsageReport:
    """Sum up metered calls as of ``now``; days are UTC days for today's budget, else spans of 24 hours."""
    calls = graph.model_calls()
    spans = (("today", [c for c in calls if c.at.date() == now.date()]),
             ("7 days", [c for c in calls if c.at > now - timedelta(days=7)]),
             ("30 days", [c for c in calls if c.at > now - timedelta(days=30)]), ("all", calls))
    lines = tuple(line for span, own in spans for line in _lines(span, own))
    by_session: dict[str, int] = {}
    for call in calls:
        if call.session:
            by_session[call.session] = by_session.get(call.session, 0) + call.tokens_in + call.tokens_out
    most = sorted(by_session.items(), key=lambda x: (-x[1], x[0]))[:10]
    return UsageReport(lines, max((c.at for c in calls if c.outcome in _GOOD), default=None),
                       max((c.at for c in calls if c.outcome not in _GOOD), default=None), tuple(most))


def _lines(span: str, calls: Iterable[ModelCall]) -> list[Line]:
    groups: dict[tuple[str, str], list[ModelCall]] = {}
    for call in calls:
        groups.setdefault((call.model, call.purpose), []).append(call)
    return [Line(span, model, purpose, len(own), sum(c.outcome not in _GOOD for c in own),
                 sum(c.tokens_in for c in own), sum(c.tokens_out for c in own), sum(c.cost_microusd for c in own))
            for (model, purpose), own in sorted(groups.items())]
