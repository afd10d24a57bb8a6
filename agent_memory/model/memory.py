"""What was learned: one memory node, its kinds, priorities, states and scopes.

A memory is a lineage. ``id`` is stable; each text is a node ``id@revision``, joined by ``revises``.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum


class MemoryType(StrEnum):
    """The node table a memory lives in."""

    OBSERVATION = "observation"
    REFLECTION = "reflection"
    PREFERENCE = "preference"
    PRINCIPLE = "principle"
    MEMENTO = "memento"


class Kind(StrEnum):
    """What a memory says."""

    DECISION = "decision"
    PREFERENCE = "preference"
    LESSON = "lesson"
    FACT = "fact"
    CONTEXT = "context"
    PATTERN = "pattern"
    ARCHITECTURE = "architecture"
    SUMMARY = "summary"
    NOTE = "note"


KIND_ALIASES = {"error": Kind.LESSON, "errors": Kind.LESSON, "lessons": Kind.LESSON}


class Priority(IntEnum):
    """How much harm forgetting would do. Stored as a number, shown as a colour."""

    GREEN = 1
    YELLOW = 2
    RED = 3

    @property
    def word(self) -> str:
        """The name used in exports and settings: red, yellow, green."""
        return self.name.lower()

    @property
    def emoji(self) -> str:
        """The mark used in views."""
        return {Priority.RED: "🔴", Priority.YELLOW: "🟡", Priority.GREEN: "🟢"}[self]


class Status(IntEnum):
    """Where a memory stands in its life. Stored as a number."""

    ACTIVE = 1
    CONTESTED = 2
    SUPERSEDED = 3
    STALE = 4  # archived by decay; still found when asked for
    RETIRED = 5  # forgotten; hidden everywhere, can be restored

    @property
    def word(self) -> str:
        """The name used in exports."""
        return self.name.lower()


class Scope(StrEnum):
    """Who may see a memory: its project, this person everywhere, or everything on purpose."""

    PROJECT = "project"
    PERSONAL = "personal"
    GLOBAL = "global"


VISIBLE = frozenset({Status.ACTIVE, Status.CONTESTED})


@dataclass(frozen=True, slots=True)
class MemoryNode:
    """One revision of one memory, with everything that filters, ranking and trust need.

    Fields from ``status`` on are state: fixed-width, set in place. All before are immutable; new text, kind, scope
    or topic makes a new revision. Times are aware UTC. ``tags`` are sorted. ``sources`` are places beyond the first,
    as ``file:line``.
    """

    id: str
    revision: int
    type: MemoryType
    kind: Kind
    text: str
    raw: str  # the text before compression, "" where equal
    content_hash: str  # SHA-256 of the normalised text
    topic_key: str
    scope: Scope
    project: str  # Project id, "" for none
    tags: tuple[str, ...]
    agent: str
    session: str  # Session id
    message: str  # id of the Message or ToolEvent it was learned from
    file: str
    line: int
    line_end: int
    sha256: str
    sources: tuple[str, ...]
    observer: str  # "rules/1", "model/…/1", "person", "api", "reflector/1", "import"
    rule: str  # which rule or citation, for --explain
    operation: str  # operation id of the caller, "" for none
    created_at: datetime  # when it was said
    recorded_at: datetime  # when we stored this revision
    valid_from: datetime | None
    # state
    status: Status = Status.ACTIVE
    current: bool = True  # the newest revision of its lineage
    priority: Priority = Priority.GREEN
    confidence: float = 0.5
    pinned: bool = False
    done: bool = False  # a goal that was reached
    seen: int = 1  # how often it was said or stored
    sessions: int = 1  # in how many sessions
    last_seen_at: datetime | None = None
    valid_until: datetime | None = None
    review_after: datetime | None = None
    expires_at: datetime | None = None

    @property
    def key(self) -> str:
        """Primary key of the node: ``id@revision``."""
        return f"{self.id}@{self.revision}"


def kind_of(word: str) -> Kind | None:
    """The kind that a word names, also by its other names; None if unknown.

    >>> kind_of("Error"), kind_of("nonsense")
    (<Kind.LESSON: 'lesson'>, None)
    """
    word = word.strip().lower()
    if word in KIND_ALIASES:
        return KIND_ALIASES[word]
    return Kind(word) if word in Kind._value2member_map_ else None
