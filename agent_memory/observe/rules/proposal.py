"""A proposal on its way: what the rules found, before retraction and ranking decide."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent_memory.model.memory import Kind, Priority, Scope
from agent_memory.model.transcript import Message, ToolEvent
from agent_memory.observe.rules.terms import terms

Record = Message | ToolEvent


@dataclass(slots=True)
class Proposal:
    """One observation in the making. ``unit`` is its place in its message, ``score`` how sure the rules are."""

    text: str
    kind: Kind
    priority: Priority
    cites: tuple[Record, ...]
    rule: str
    score: float
    unit: int = 0
    person: bool = False
    scope: Scope = Scope.PROJECT
    weak: bool = False  # a thought or one-off that only counts if nothing better says it
    order: tuple[int, int] = field(default=(0, 0))

    @property
    def seq(self) -> int:
        """Where it was said."""
        return self.cites[0].seq

    @property
    def terms(self) -> frozenset[str]:
        """Content words."""
        return terms(self.text)
