"""A model that answers from a script, for tests and recorded runs."""

from __future__ import annotations

from collections.abc import Iterable

from agent_memory.llm.base import CallFailed, Format, Price, Question, Reply


class ReplayLlm:
    """Gives scripted answers in order and remembers what it was asked. A scripted `CallFailed` is raised."""

    def __init__(self, answers: Iterable[str | Reply | CallFailed], *, model: str = "replay",
                 price: Price | None = None) -> None:
        self.model = model
        self.asked: list[tuple[Question, Format]] = []
        self._answers = iter(answers)
        self._price = price

    def complete(self, question: Question, form: Format, *, timeout: float) -> Reply:
        """The next answer of the script; an exhausted script is an assertion of the test."""
        del timeout
        self.asked.append((question, form))
        answer = next(self._answers, None)
        if answer is None:
            raise AssertionError("the script has no answer left")
        if isinstance(answer, CallFailed):
            raise answer
        return Reply(answer) if isinstance(answer, str) else answer

    def price(self) -> Price | None:
        """The scripted price."""
        return self._price
