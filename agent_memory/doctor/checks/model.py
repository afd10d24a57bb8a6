"""The language model: is one named, does it answer, and what is left of its budget?"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from agent_memory.doctor.finding import Finding
from agent_memory.doctor.subject import Subject
from agent_memory.errors import AgentMemoryError
from agent_memory.flow.models import limits

TITLE = "Model"
CODES = ("model-none", "model-ok", "model-failing", "budget-zero", "budget-spent")

_GOOD = ("ok", "repaired")
_IN_A_ROW: Final = 3
_RECENT = timedelta(days=7)


def check(subject: Subject) -> Iterator[Finding]:
    """Look at the meter; nothing is asked."""
    try:
        chosen = subject.place.settings
    except AgentMemoryError:
        return  # the check of settings tells
    if not chosen.llm_model:
        yield Finding("ok", "model-none", "none is named; rules learn, nothing leaves this machine")
        return
    name = chosen.llm_model.partition(":")[0] if chosen.llm_model.startswith("command:") else chosen.llm_model
    if limits(subject.place).forbid_all():
        yield Finding("warning", "budget-zero", f"{name} is named, but a budget of 0 forbids every call: rules learn",
                      "raise the llm_ budgets, or remove llm_model")
        return
    peeked = subject.peeked()
    if peeked is None:
        return
    today = [c for c in peeked.calls if c.at.date() == subject.now.date()]
    tokens = sum(c.tokens_in + c.tokens_out for c in today)
    money = sum(c.cost_microusd for c in today) / 1e6
    spent = (f"today {tokens:,} of {chosen.llm_tokens_per_day:,} tokens and US$ {money:.2f} of "
             f"{chosen.llm_usd_per_day:.2f}")
    last = [c for c in peeked.calls if c.at > subject.now - _RECENT][-_IN_A_ROW:]
    if len(last) == _IN_A_ROW and not any(c.outcome in _GOOD for c in last):
        good = [c.at for c in peeked.calls if c.outcome in _GOOD]
        since = f"last worked {subject.ago(good[-1])}" if good else "has not worked in the last 30 days"
        yield Finding("warning", "model-failing", f"{name} gave no usable answer {_IN_A_ROW} times in a row "
                      f"({last[-1].outcome}) and {since}; rules learn instead",
                      "check the model's name, its key and its server; run usage for the calls")
    if tokens >= 0.95 * chosen.llm_tokens_per_day or money >= 0.95 * chosen.llm_usd_per_day:
        yield Finding("warning", "budget-spent", f"{name}: the day's budget is used up: {spent}; rules learn until "
                      "midnight UTC", "raise llm_tokens_per_day or llm_usd_per_day, or wait")
    elif not last or last[-1].outcome in _GOOD:
        yield Finding("ok", "model-ok", f"{name}: {spent}")
