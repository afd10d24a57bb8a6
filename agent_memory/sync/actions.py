"""What a pass may do to the graph: a closed union. Each action names the view in which the person said it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from agent_memory.model.memory import Kind, MemoryType, Priority, Scope


@dataclass(frozen=True, slots=True)
class ChangeText:
    """The person changed the words of a memory."""

    id: str
    view: str
    text: str


@dataclass(frozen=True, slots=True)
class AddMemory:
    """The person wrote a bullet that is no memory yet."""

    id: str
    view: str
    text: str
    kind: Kind
    type: MemoryType
    scope: Scope
    project: str
    priority: Priority
    tags: tuple[str, ...]
    done: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class RetireMemory:
    """The person deleted a bullet."""

    id: str
    view: str


@dataclass(frozen=True, slots=True)
class RestoreMemory:
    """The person put a bullet back whose memory was forgotten, or wrote on while it was put away."""

    id: str
    view: str
    reason: str


@dataclass(frozen=True, slots=True)
class MoveMemory:
    """The person put a bullet under another heading or into another view; None leaves a field as it is."""

    id: str
    view: str
    kind: Kind | None = None
    scope: Scope | None = None
    project: str | None = None
    goal: bool = False  # it becomes open work


@dataclass(frozen=True, slots=True)
class SetPriority:
    """The person changed the priority mark."""

    id: str
    view: str
    priority: Priority


@dataclass(frozen=True, slots=True)
class SetDone:
    """The person ticked or unticked a goal."""

    id: str
    view: str
    done: bool


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sides changed the same bullet. ``other`` is kept as a memory of its own, and both are marked.

    ``other_id`` is "" if there is no other text: the person deleted what the graph changed, so it is kept and marked.
    """

    id: str
    view: str
    other_id: str
    other: str
    reason: str


Action = (ChangeText | AddMemory | RetireMemory | RestoreMemory | MoveMemory | SetPriority | SetDone | Conflict)
