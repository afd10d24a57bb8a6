"""The observer with a model: windows of numbered lines in, checked candidates out; rules where the model fails.

The model is shown only what is fresh (and some lines before it), so that what a session costs grows with its length
and not with how often it is observed. What it says is checked: it may cite only lines it was shown, a decision or
preference must rest on somebody's words, numbers must stand in the lines. A window without a usable answer is observed
by rules, and the person is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Protocol

from agent_memory.errors import BudgetExhausted, ModelError
from agent_memory.llm.asking import Model
from agent_memory.llm.base import Question, Turn
from agent_memory.model.candidate import Candidate, Dropped, Observed, SessionView
from agent_memory.observe.model_answer import SCHEMA, candidates, read
from agent_memory.observe.model_windows import CARRY, WINDOW, Window, windows

_NOTED = 40
"""So many of the latest notes are shown with the next window."""
_FAILURES = 2
"""After so many windows in a row without an answer the model is left alone for this session."""


class Observer(Protocol):
    """What can observe a session."""

    def observe(self, view: SessionView) -> Observed:
        """Candidates that stand at the end of the records."""


class ModelObserver:
    """Observes with a language model.

    Args:
        model: the provider within its budget (llm/asking.py).
        fallback: observes what the model could not, usually the rules.
        window: tokens of new lines in one question.
        carry: tokens of earlier lines shown with them.
    """

    def __init__(self, model: Model, *, fallback: Observer, window: int = WINDOW, carry: int = CARRY) -> None:
        self.name = f"model/{model.name}/1"
        self._model = model
        self._fallback = fallback
        self._window = window
        self._carry = carry

    def observe(self, view: SessionView) -> Observed:
        """Candidates for the fresh part of a session; earlier memories are not this run's business (covers_from)."""
        kept: list[Candidate] = []
        dropped: list[Dropped] = []
        failed: list[Window] = []
        notes: list[str] = []
        in_a_row = 0
        for window in windows(view, size=self._window, carry=self._carry):
            if in_a_row >= _FAILURES:
                failed.append(window)
                continue
            try:
                gone = self._ask(view, window, kept, dropped)
            except ModelError as problem:
                in_a_row = _FAILURES if isinstance(problem, BudgetExhausted) else in_a_row + 1
                failed.append(window)
                notes.append(f"{problem.message[:1].upper()}{problem.message[1:]}; rules were used instead.")
                continue
            in_a_row = 0
            kept = [c for c in kept if c not in gone]
        if failed:
            kept += self._by_rules(view, failed, kept, dropped)
        kept.sort(key=lambda c: c.cites[0].seq)
        return Observed(tuple(kept), tuple(dropped), tuple(dict.fromkeys(notes)), view.fresh_from)

    def _ask(self, view: SessionView, window: Window, kept: list[Candidate], dropped: list[Dropped]) -> list[Candidate]:
        """Add what one window says; returns those noted before that it takes back."""
        noted = kept[-_NOTED:]
        answer = self._model.ask(_question(view, window, noted), read, purpose="observe", session=view.session.id)
        if answer.value is None:
            return []
        found, left = candidates(answer.value, window, kept)
        gone = [noted[n - 1] for n in sorted(set(answer.value.taken_back)) if 1 <= n <= len(noted)]
        line = window.new[0].record.line
        dropped += [*left, *(Dropped(c.text, c.rule, f"taken back after line {line}", c.cites[0].line, c.cites[0].file)
                             for c in gone)]
        kept += found
        return gone

    def _by_rules(self, view: SessionView, failed: Sequence[Window], kept: Sequence[Candidate],
                  dropped: list[Dropped]) -> list[Candidate]:
        missed = {line.record.seq for window in failed for line in window.new}
        rules = self._fallback.observe(view)
        known = {c.text for c in kept}
        dropped += [d for d in rules.dropped if d.line in {x.record.line for w in failed for x in w.new}]
        return [c for c in rules.candidates if c.cites[0].seq in missed and c.text not in known]


@cache
def _instructions() -> str:
    return (files("agent_memory.observe") / "prompts" / "observe.md").read_text(encoding="utf-8")


def _question(view: SessionView, window: Window, noted: Sequence[Candidate]) -> Question:
    parts = [f"Project: {view.project_name}"] if view.project_name else []
    if noted:
        parts += ["Already noted:", *(f"({n}) {c.text}" for n, c in enumerate(noted, 1)), ""]
    turns = (Turn("system", _instructions()), Turn("user", "\n".join([*parts, window.text()])))
    return replace(Question(turns, SCHEMA, "observations"), max_tokens=3_000)
