"""What an observer proposes before the pipeline validates, dedupes and stores it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from agent_memory.model.memory import Kind, Priority, Scope
from agent_memory.model.transcript import Message, Session, ToolEvent

MAX_TEXT = 300
"""An observation says one thing in at most this many characters."""


@dataclass(frozen=True, slots=True)
class SessionView:
    """What an observer sees of a session: redacted records in order of ``seq``.

    ``fresh_from`` is the first ``seq`` that was not observed before; earlier records are shown so that a later word
    can take an earlier one back. ``taken_back`` holds the ids of records that the host itself took back (a rewind, an
    undo); they are not among the records, and what rests on them no longer stands.
    """

    session: Session
    records: tuple[Message | ToolEvent, ...]
    fresh_from: int = 0
    project_name: str = ""
    taken_back: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proposed observation, with the records it rests on (first one is where it was said)."""

    text: str
    kind: Kind
    priority: Priority
    cites: tuple[Message | ToolEvent, ...]
    rule: str  # name of the rule, or "model"
    confidence: float = 0.6
    scope: Scope = Scope.PROJECT
    topic_key: str = ""
    valid_from: datetime | None = None


@dataclass(frozen=True, slots=True)
class Dropped:
    """A proposal that was not kept, and why; shown by ``observe --explain``."""

    text: str
    rule: str
    reason: str  # "taken back at line 40", "question", "general knowledge", "over budget", "tool output", …
    line: int
    file: str = ""


@dataclass(frozen=True, slots=True)
class Observed:
    """The outcome of observing one session: all candidates that stand now, and those that were dropped.

    Observing again with more records gives the candidates that stand then; the pipeline compares and retires what no
    longer stands. ``notes`` are plain sentences for the person, such as a fall-back from model to rules.
    ``covers_from`` is the first ``seq`` that was considered: memories that rest on earlier records stay as they are.
    Rules look at the whole session (0); a model is shown only what is fresh, so that its cost stays linear.
    """

    candidates: tuple[Candidate, ...]
    dropped: tuple[Dropped, ...] = field(default=())
    notes: tuple[str, ...] = field(default=())
    covers_from: int = 0
