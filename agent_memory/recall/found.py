"""What the arms found for one question, on its way from candidates to hits."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from typing import Protocol

from agent_memory.recall.filters import Filters
from agent_memory.recall.lexical import Arm, Place
from agent_memory.recall.when import Span
from agent_memory.search.blocks import Key
from agent_memory.text import analyze


class Semantic(Protocol):
    """The semantic arm as recall knows it (meaning.py), so that a start without it imports nothing of it."""

    def ask(self, connection: sqlite3.Connection, question: str, filters: Filters,
            places: dict[int, Place]) -> dict[int, float]:
        """Scores of documents, best is 1."""
        ...

    def share(self, texts: list[str]) -> float:
        """What it counts, by texts that the words found."""
        ...


@dataclass(slots=True)
class Found:
    """Scores on their way: what each arm gave to a document, and the sum."""

    query: analyze.Query
    span: Span | None = None
    places: dict[int, Place] = field(default_factory=dict)
    words: Arm = field(default_factory=Arm)
    parts: dict[int, float] = field(default_factory=dict)
    meaning: dict[int, float] = field(default_factory=dict)
    gains: dict[int, float] = field(default_factory=dict)
    blocks: dict[Key, float] = field(default_factory=dict)
    scores: dict[int, float] = field(default_factory=dict)
