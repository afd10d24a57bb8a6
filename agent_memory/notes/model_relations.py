"""Ask a model which memories do not fit together: what no comparison of words sees. It proposes, and nothing more.

It is shown the same numbered chunks that the reflector shows, newest first, and a bounded number of them. An answer
that names what was not shown is sent back once; after that the words alone decide, and the report says so.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import Any, Final, Protocol

from agent_memory.errors import BudgetExhausted, ModelError
from agent_memory.llm.asking import Model, Unusable
from agent_memory.llm.base import Question, Turn
from agent_memory.model.memory import MemoryNode
from agent_memory.reflect import showing
from agent_memory.reflect.snapshot import touched

QUESTIONS: Final = 4
"""Questions in one scan at most."""
RELATIONS: Final = ("supersedes", "conflicts_with", "scoped")
"""What a model may say of a pair; that two memories agree needs nobody's judgement."""
_KEYS: Final = frozenset({"a", "b", "relation", "confidence", "reason"})
_LONGEST_REASON: Final = 300

SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {"relations": {"type": "array", "items": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"},
                       "relation": {"type": "string", "enum": list(RELATIONS)},
                       "confidence": {"type": "number"}, "reason": {"type": "string"}},
        "required": sorted(_KEYS), "additionalProperties": False}}},
    "required": ["relations"], "additionalProperties": False}
"""What a model must answer with."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What someone thinks of a pair; of *supersedes* ``source`` is the one that would stay."""

    source: MemoryNode
    target: MemoryNode
    relation: str
    confidence: float
    reason: str


class Proposer(Protocol):
    """Proposes relations beyond those that words give away."""

    def propose(self, memories: Sequence[MemoryNode], known: Collection[frozenset[str]]
                ) -> tuple[list[Proposal], tuple[str, ...]]:
        """Proposals for pairs of ids that are not ``known``, each pair once, and plain sentences for the person."""


class ModelProposer:
    """Asks a language model (llm/asking.py)."""

    def __init__(self, model: Model, *, questions: int = QUESTIONS) -> None:
        self._model = model
        self._questions = questions

    def propose(self, memories: Sequence[MemoryNode], known: Collection[frozenset[str]]
                ) -> tuple[list[Proposal], tuple[str, ...]]:
        """See `Proposer`."""
        found: dict[frozenset[str], Proposal] = {}
        notes: dict[str, None] = {}
        asked = 0
        for shown in showing.chunks(memories, {m.id for m in memories}):
            if len(shown) < 2:
                continue
            if asked >= self._questions:
                notes["Not all memories were shown to the model."] = None
                break
            asked += 1
            try:
                answer = self._model.ask(_question(shown), partial(_read, shown=shown), purpose="conflicts")
            except BudgetExhausted as problem:
                notes[f"The model was not asked: {problem.message}."] = None
                break
            except ModelError as problem:
                notes[f"{problem.message}; only words were compared."] = None
                continue
            for one in answer.value or ():
                pair = frozenset((one.source.id, one.target.id))
                if pair not in known:
                    found.setdefault(pair, one)
        return list(found.values()), tuple(notes)


@cache
def _instructions() -> str:
    return (files("agent_memory.notes") / "prompts" / "relations.md").read_text(encoding="utf-8")


def _question(shown: Sequence[MemoryNode]) -> Question:
    lines = [showing.line(number, memory) for number, memory in enumerate(shown, 1)]
    return Question((Turn("system", _instructions()), Turn("user", "\n".join(lines))), SCHEMA, "relations", 2_000)


def _read(value: object, shown: Sequence[MemoryNode]) -> list[Proposal]:
    """An answer as proposals; all of it is right, or none of it is used.

    Raises:
        Unusable: something in it is malformed or was not shown.
    """
    items = value.get("relations") if isinstance(value, dict) and set(value) == {"relations"} else None
    if not isinstance(items, list):
        raise Unusable('it must be {"relations": […]}')
    return [_one(item, shown, f"relation {number}") for number, item in enumerate(items, 1)]


def _one(item: object, shown: Sequence[MemoryNode], where: str) -> Proposal:
    if not isinstance(item, dict) or set(item) != _KEYS:
        raise Unusable(f"{where} must have {', '.join(sorted(_KEYS))}")
    a, b = (_memory(item[key], shown, where) for key in ("a", "b"))
    if a.id == b.id:
        raise Unusable(f"{where} names one memory twice")
    if item["relation"] not in RELATIONS:
        raise Unusable(f"{where}: {str(item['relation'])[:20]!r} is no relation")
    sure = item["confidence"]
    if isinstance(sure, bool) or not isinstance(sure, int | float) or not 0 <= sure <= 1:
        raise Unusable(f"{where}: confidence must be between 0 and 1")
    if not isinstance(item["reason"], str):
        raise Unusable(f"{where}: reason must be a string")
    reason = " ".join(item["reason"].split())[:_LONGEST_REASON]
    if item["relation"] == "supersedes" and touched(a) < touched(b):
        raise Unusable(f"{where}: the memory that supersedes must be the later one")
    return Proposal(a, b, item["relation"], float(sure), reason)


def _memory(number: object, shown: Sequence[MemoryNode], where: str) -> MemoryNode:
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= len(shown):
        raise Unusable(f"{where}: {str(number)[:20]} is not a number that was shown")
    return shown[number - 1]
