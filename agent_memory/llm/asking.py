"""Ask a model until there is a checked answer, within a time, a number of tries and a budget.

- Formats go down a ladder: JSON schema, JSON mode, plain text. What a model takes is remembered for the process.
- Rate limits, failures of the server, time-outs and cut connections are retried with growing pauses; a server's
  Retry-After is honoured up to the time that is left.
- An answer that is not what was asked for is sent back once with the reason. Then it is a ModelError, and the caller
  goes on with rules.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from agent_memory.errors import ModelError
from agent_memory.llm.base import LADDER, CallFailed, Failure, Format, Llm, Question, Reply, Turn, tokens
from agent_memory.llm.budget import Meter, Reserved
from agent_memory.llm.parse import Parsed, Said, parse

T = TypeVar("T")
_RETRIED = frozenset({Failure.RATE, Failure.SERVER, Failure.TIMEOUT, Failure.CONNECTION})
_SENT = frozenset({Failure.TIMEOUT, Failure.CONNECTION})
_LONGEST_PAUSE = 20.0
_RULES_HINT = "Rules were used instead; nothing is lost, and the next run asks again."

_taken: dict[str, Format] = {}
"""The strictest format that a model has been seen to take, in this process."""


class Unusable(Exception):
    """An answer is JSON but not what was asked for; the message is shown to the model once."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """A checked answer; ``value`` is None if the model said that there is nothing. ``repaired`` after a second try."""

    value: T | None
    repaired: bool = False


class Model:
    """A provider within its budget.

    Args:
        llm: the provider.
        meter: reserves and records.
        timeout: seconds for one request.
        seconds: for a whole question, with pauses, retries and the repair.
        attempts: requests for one question at most, the repair not counted.
        sleep, elapsed: for tests.
    """

    def __init__(self, llm: Llm, meter: Meter, *, timeout: float = 60.0, seconds: float = 180.0, attempts: int = 4,
                 sleep: Callable[[float], None] = time.sleep, elapsed: Callable[[], float] = time.monotonic) -> None:
        self.llm = llm
        self.meter = meter
        self.timeout = timeout
        self.seconds = seconds
        self.attempts = attempts
        self._sleep = sleep
        self._elapsed = elapsed

    @property
    def name(self) -> str:
        """Name of the model."""
        return self.llm.model

    def ask(self, question: Question, check: Callable[[object], T], *, purpose: str, session: str = "") -> Answer[T]:
        """Ask, and check the answer.

        Args:
            question: turns, schema and size.
            check: turns the JSON into a value, or raises `Unusable` with what is wrong.
            purpose: observe, reflect or conflicts, for the meter.
            session: our id of the session that is observed, for its budget.

        Raises:
            BudgetExhausted: no room for the call; nothing was sent.
            ModelError: no usable answer; the message says why.
        """
        deadline = self._elapsed() + self.seconds
        reason = ""
        for second in (False, True):
            reply, held = self._call(question, deadline, purpose, session)
            parsed = parse(reply.text)
            if reply.cut and parsed.said is not Said.JSON:
                parsed = Parsed(Said.INVALID)
            if parsed.said is Said.REFUSAL:
                self._settle(held, reply, "refused")
                raise ModelError(f"{self.name} refused to answer", hint=_RULES_HINT)
            if parsed.said is Said.NOTHING:
                self._settle(held, reply, "ok")
                return Answer(None, second)
            try:
                if parsed.said is Said.INVALID:
                    raise Unusable("it was cut off, give fewer items" if reply.cut else "it is not JSON")
                value = check(parsed.value)
            except Unusable as problem:
                reason = str(problem)
                self._settle(held, reply, "invalid")
                question = _repair(question, reply, reason)
                continue
            except BaseException:
                self._settle(held, reply, "invalid")
                raise
            self._settle(held, reply, "repaired" if second else "ok")
            return Answer(value, second)
        raise ModelError(f"{self.name} gave no usable answer, also when asked again: {reason}", hint=_RULES_HINT)

    def _settle(self, held: Reserved, reply: Reply, outcome: str) -> None:
        self.meter.settle(held, tokens_in=reply.tokens_in or held.tokens_in,
                          tokens_out=reply.tokens_out or tokens(reply.text), outcome=outcome)

    def _call(self, question: Question, deadline: float, purpose: str, session: str) -> tuple[Reply, Reserved]:
        """One answer, whatever it says; the room held for it is still to be settled."""
        form = _taken.get(self.name, LADDER[0])
        question = _worded(question)
        size = sum(tokens(t.text) + 4 for t in question.turns)
        tries = 0
        while True:
            held = self.meter.reserve(size, question.max_tokens, purpose=purpose, session=session)
            left = deadline - self._elapsed()
            try:
                reply = self.llm.complete(question, form, timeout=max(min(self.timeout, left), 0.001))
            except CallFailed as failed:
                self.meter.settle(held, tokens_in=size if failed.kind in _SENT else 0, tokens_out=0,
                                  outcome="timeout" if failed.kind is Failure.TIMEOUT else "error")
                if failed.kind is Failure.FORMAT and form is not LADDER[-1]:
                    form = LADDER[LADDER.index(form) + 1]
                    continue
                tries += 1
                self._pause_or_give_up(failed, tries, deadline)
                if failed.kind is Failure.SERVER and form is not LADDER[-1]:
                    form = LADDER[LADDER.index(form) + 1]  # some servers fail on a schema they do not know
            except BaseException:
                self.meter.settle(held, tokens_in=size, tokens_out=0, outcome="error")
                raise
            else:
                _taken[self.name] = form
                return reply, held

    def _pause_or_give_up(self, failed: CallFailed, tries: int, deadline: float) -> None:
        left = deadline - self._elapsed()
        pause = failed.retry_after if failed.retry_after is not None else min(2.0 ** (tries - 1), _LONGEST_PAUSE)
        if failed.kind not in _RETRIED or tries >= self.attempts or max(pause, 0.0) >= left:
            after = f" after {tries} tries" if tries > 1 else ""
            raise ModelError(f"{self.name} did not answer{after}: {failed.message}", hint=_RULES_HINT)
        self._sleep(max(pause, 0.0))


def _worded(question: Question) -> Question:
    """The prompt shows the schema in every format: a provider that drops the option in silence must not matter."""
    shown = f"Answer with one JSON object and nothing else. Its JSON schema:\n{json.dumps(question.schema)}"
    return replace(question, turns=(Turn("system", f"{question.turns[0].text}\n\n{shown}"), *question.turns[1:]))


def _repair(question: Question, reply: Reply, reason: str) -> Question:
    """The same question, the answer to it, and what was wrong with that."""
    said = reply.text[:4_000] or "(empty)"
    return replace(question, turns=(
        *question.turns, Turn("assistant", said),
        Turn("user", f"This cannot be used: {reason}. Answer again, with valid JSON only and in the given schema.")))
