"""Hard budgets: what a call may cost at most is reserved before it is made, what it did cost is metered after it.

A budget is in tokens (in and out together) and in money, for a UTC day and for one session; what reflecting spends in
one run counts as one session. 0 means that no call is made at all, None that there is no limit. The price comes from
the provider, else an assumed price for any token, so that an unknown model is never free by accident.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from agent_memory import ids
from agent_memory.errors import BudgetExhausted
from agent_memory.llm.base import Price
from agent_memory.model.graph import ModelCall


@dataclass(frozen=True, slots=True)
class Limits:
    """Budgets; ``usd_per_million_tokens`` is the price that is assumed where the provider knows none."""

    tokens_per_day: int | None = 500_000
    tokens_per_session: int | None = 100_000
    usd_per_day: float | None = 1.0
    usd_per_session: float | None = 0.25
    usd_per_million_tokens: float = 10.0

    def forbid_all(self) -> bool:
        """True if some budget is 0."""
        return 0 in (self.tokens_per_day, self.tokens_per_session, self.usd_per_day, self.usd_per_session)


@dataclass(frozen=True, slots=True)
class Reserved:
    """Room that is held for one call."""

    tokens_in: int
    tokens_out: int
    microusd: int
    purpose: str
    session: str


class Meter:
    """Keeps one process within its budgets and records every call.

    Args:
        limits: the budgets.
        model: name of the model, for the records.
        price: the provider's price, None if unknown; or what tells it, asked when first needed, since it may import.
        spent: calls that were metered before (those of today are enough, and those of the session).
        record: makes a metered call durable at once, such as ``lambda call: store.append([PutNode(call)], …)``.
        now: the time that calls are recorded with; its UTC day is the day of the budget.
    """

    def __init__(self, limits: Limits, *, model: str, price: Price | Callable[[], Price | None] | None,
                 spent: Iterable[ModelCall] = (), record: Callable[[ModelCall], None], now: datetime) -> None:
        self.limits = limits
        self.model = model
        self._ask_price = price
        self._known_price: Price | None = None
        self._now = now
        self._record = record
        self._held: list[Reserved] = []
        self._run: list[ModelCall] = []
        before = list(spent)
        self._known = len(before)
        self._day = [c for c in before if c.at.date() == now.date()]
        self._sessions = [c for c in before if c.session]

    def _price(self) -> Price:
        if self._known_price is None:
            told = self._ask_price() if callable(self._ask_price) else self._ask_price
            assumed = self.limits.usd_per_million_tokens
            self._known_price = told or Price(assumed, assumed)
        return self._known_price

    def reserve(self, tokens_in: int, tokens_out: int, *, purpose: str, session: str) -> Reserved:
        """Hold room for a call of at most this size.

        Raises:
            BudgetExhausted: there is not enough left; no call must be made.
        """
        day = [*self._day, *self._run]
        own = [c for c in (*(self._sessions if session else ()), *self._run) if c.session == session]
        held = [h for h in self._held if h.session == session]
        limits = self.limits
        for name, limit, calls, holds in (("day", limits.tokens_per_day, day, self._held),
                                          ("session", limits.tokens_per_session, own, held)):
            used = (sum(c.tokens_in + c.tokens_out for c in calls) + sum(h.tokens_in + h.tokens_out for h in holds))
            _refuse(f"tokens a {name}", limit, used, tokens_in + tokens_out, "")
        price = self._price()
        wanted = Reserved(tokens_in, tokens_out, price.microusd(tokens_in, tokens_out), purpose, session)
        for name, money, calls, holds in (("day", limits.usd_per_day, day, self._held),
                                          ("session", limits.usd_per_session, own, held)):
            cost = sum(c.cost_microusd for c in calls) + sum(h.microusd for h in holds)
            _refuse(f"money a {name}", None if money is None else money * 1e6, cost, wanted.microusd, " micro-dollars")
        self._held.append(wanted)
        return wanted

    def settle(self, held: Reserved, *, tokens_in: int, tokens_out: int, outcome: str) -> ModelCall:
        """Give the room back and record what was used; outcomes are listed at `ModelCall`."""
        self._held.remove(held)
        number = self._known + len(self._run)
        key = ids.derive(self._now, "model-call", self.model, held.purpose, held.session, str(number))
        call = ModelCall(key, self._now, self.model, held.purpose, held.session, tokens_in, tokens_out,
                         self._price().microusd(tokens_in, tokens_out), outcome)
        self._run.append(call)
        self._record(call)
        return call

    def calls(self) -> tuple[ModelCall, ...]:
        """What was metered in this process."""
        return tuple(self._run)


def _refuse(what: str, limit: float | None, used: float, wanted: float, unit: str) -> None:
    if limit is None or (limit > 0 and used + wanted <= limit):
        return
    if limit == 0:
        raise BudgetExhausted(f"the budget for {what} is 0", hint="No model was asked. Raise it in the settings.")
    raise BudgetExhausted(
        f"the budget for {what} leaves no room: {used:,.0f} of {limit:,.0f}{unit} are used, the call may need "
        f"{wanted:,.0f}",
        hint="No model was asked. Raise the budget in the settings, or wait for the next day; `usage` shows the calls.")
