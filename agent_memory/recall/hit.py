"""One answer of recall, with what is needed to trust it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from agent_memory import clock
from agent_memory.model.memory import Priority, Status


@dataclass(frozen=True, slots=True)
class Source:
    """Where it was said. ``lines`` count from 1, (0, 0) where there is no file."""

    agent: str
    session: str
    file: str
    lines: tuple[int, int]
    sha256: str

    def as_json(self) -> dict[str, Any]:
        """Plain data for ``--json``."""
        return {"agent": self.agent, "session": self.session, "file": self.file, "lines": list(self.lines),
                "sha256": self.sha256}


@dataclass(frozen=True, slots=True)
class Hit:
    """A memory, item or message that answers. ``score`` is 0 … 1 beside the best hit of this answer.

    ``why`` is one line, or what --why shows; ``duplicates`` counts near-equal hits that this one stands for;
    ``passage`` is the piece of a long text that matched. ``grounding`` is "" until it was checked.
    """

    id: str
    text: str
    type: str
    kind: str
    priority: int
    status: int
    score: float
    age_days: float | None
    created_at: datetime | None
    project: str
    source: Source
    external_id: str = ""
    passage: str = ""
    duplicates: int = 0
    marks: tuple[str, ...] = field(default=())
    why: tuple[str, ...] = field(default=())
    grounding: str = ""

    def as_json(self) -> dict[str, Any]:
        """The stable shape of ``recall --json`` (docs/reference/recall.md)."""
        return {
            "id": self.id, "text": self.text, "type": self.type, "kind": self.kind,
            "priority": Priority(self.priority).word, "status": Status(self.status).word,
            "score": round(self.score, 4),
            "age_days": None if self.age_days is None else round(self.age_days, 1),
            "created_at": None if self.created_at is None else clock.text(self.created_at),
            "project": self.project, "source": self.source.as_json(), "external_id": self.external_id,
            "passage": self.passage, "duplicates": self.duplicates, "marks": list(self.marks), "why": list(self.why),
            "grounding": self.grounding}
