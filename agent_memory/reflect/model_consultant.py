"""Ask a model what rules cannot see: paraphrases, quiet reversals, what is worth keeping for good.

It is shown numbered memories of one wall (project, or meant for everywhere) in chunks of bounded size, new ones with
their nearest older neighbours, and answers with a patch (patch.py). A question never grows with the graph, and the
number of questions in a run is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from agent_memory.errors import BudgetExhausted, ModelError
from agent_memory.llm.asking import Model
from agent_memory.llm.base import Question, Turn
from agent_memory.model.memory import MemoryNode, MemoryType
from agent_memory.reflect import patch, showing
from agent_memory.reflect.snapshot import Snapshot
from agent_memory.reflect.step import Step

QUESTIONS = 8
"""Questions in one run at most; the newest memories come first."""


class ModelConsultant:
    """Consults a language model (llm/asking.py)."""

    def __init__(self, model: Model, *, questions: int = QUESTIONS) -> None:
        self._model = model
        self._questions = questions
        self.actor = f"reflector/{model.name}/1"

    def propose(self, snapshot: Snapshot, new: Sequence[MemoryNode]) -> tuple[list[Step], tuple[str, ...]]:
        """Ask about new memories, chunk by chunk; a patch that is refused or missing leaves its chunk as it was."""
        found: list[Step] = []
        notes: dict[str, None] = {}
        for number, ids in enumerate(_chunks(snapshot, new)):
            if number >= self._questions:
                notes["Not all new memories were shown to the model; the next run goes on with rules."] = None
                break
            live = {m.id for m in snapshot.live()}
            shown = [snapshot.memories[i] for i in ids if i in live]
            if len(shown) < 2:
                continue
            try:
                steps, note = self._ask(snapshot, shown)
            except BudgetExhausted as problem:
                notes[f"The model was not asked to reflect: {problem.message}."] = None
                break
            except ModelError as problem:
                notes[f"{problem.message}; memories stay as the rules left them."] = None
                continue
            if note:
                notes[note] = None
            for step in steps:
                snapshot.advance(step.changes)
            found += steps
        return found, tuple(notes)

    def _ask(self, snapshot: Snapshot, shown: list[MemoryNode]) -> tuple[list[Step], str]:
        answer = self._model.ask(_question(shown), lambda value: patch.read(value, shown), purpose="reflect")
        if not answer.value:
            return [], ""
        why = patch.refusal(answer.value, snapshot, len(shown))
        if why:
            return [], f"A patch of the model was dropped as a whole: {why}."
        return patch.steps(answer.value, snapshot, self.actor), ""


@cache
def _instructions() -> str:
    return (files("agent_memory.reflect") / "prompts" / "reflect.md").read_text(encoding="utf-8")


def _question(shown: Sequence[MemoryNode]) -> Question:
    lines = [showing.line(number, memory) for number, memory in enumerate(shown, 1)]
    return Question((Turn("system", _instructions()), Turn("user", "\n".join(lines))), patch.SCHEMA, "patch", 2_000)


def _chunks(snapshot: Snapshot, new: Sequence[MemoryNode]) -> Iterator[list[str]]:
    """Ids to show together: the new memories with their nearest others; what was made lasting is not shown again."""
    lasting = snapshot.lasting()
    members = [m for m in snapshot.live() if m.type is MemoryType.OBSERVATION or m.id not in lasting]
    for chunk in showing.chunks(members, {m.id for m in new}):
        yield [m.id for m in chunk]
