"""What the arms found for one question, on its way from candidates to hits."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent_memory.recall.lexical import Arm, Place
from agent_memory.recall.when import Span
from agent_memory.search.blocks import Key
from agent_memory.text import analyze


@dataclass(slots=True)
class Found:
    """Scores on their way: what each arm gave to a document, and the sum."""

    query: analyze.Query
    span: Span | None = None
    places: dict[int, Place] = field(default_factory=dict)
    words: Arm = field(default_factory=Arm)
    parts: dict[int, float] = field(default_factory=dict)
    gains: dict[int, float] = field(default_factory=dict)
    blocks: dict[Key, float] = field(default_factory=dict)
    scores: dict[int, float] = field(default_factory=dict)
