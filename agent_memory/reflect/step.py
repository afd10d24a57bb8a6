"""One step of a plan: what it changes, why in one sentence, and what it was planned from."""

from __future__ import annotations

from dataclasses import dataclass

from agent_memory.model.change import Change, PutNode, SetState
from agent_memory.model.memory import MemoryNode

ACTOR = "reflector/1"
"""Who writes; the number changes when the rules do."""


@dataclass(frozen=True, slots=True)
class Step:
    """A change of memory that can be explained, and that is only applied while its inputs are as they were.

    ``what`` is a short stable word: merge, promote, refresh, supersede, contest, settle, demote, archive, return,
    retire.
    """

    what: str
    why: str
    inputs: tuple[MemoryNode, ...]
    changes: tuple[Change, ...]


def changed_by(step: Step) -> set[str]:
    """Ids of the memories that a step changes or makes."""
    found = set()
    for change in step.changes:
        if isinstance(change, SetState):
            found.add(change.key.rpartition("@")[0])
        elif isinstance(change, PutNode) and isinstance(change.node, MemoryNode):
            found.add(change.node.id)
    return found


def quote(memory: MemoryNode, limit: int = 60) -> str:
    """The beginning of a memory's text in quotation marks, for explanations."""
    text = " ".join(memory.text.split())
    return f"“{text if len(text) <= limit else text[: limit - 1].rstrip() + '…'}”"


def times(count: int, noun: str, several: str = "") -> str:
    """A count with its noun.

    >>> times(1, "session"), times(3, "session")
    ('1 session', '3 sessions')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {several or noun + 's'}"
