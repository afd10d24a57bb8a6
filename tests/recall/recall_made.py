"""Invented memories in a search file, for tests of recall and context."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from agent_memory import ids
from agent_memory.model.change import Batch, Change, PutNode
from agent_memory.model.memory import Kind, MemoryNode, MemoryType, Scope
from agent_memory.paths import Home
from agent_memory.search.index import SearchIndex
from agent_memory.text.normal import content_hash

START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def memory(number: int, text: str, **fields: Any) -> MemoryNode:
    """A memory said ``number`` minutes after START."""
    at = fields.get("created_at", START + timedelta(minutes=number))
    made = MemoryNode(
        ids.derive(at, "memory", str(number)), 1, MemoryType.OBSERVATION, Kind.FACT, text, "", content_hash(text), "",
        Scope.PROJECT, "", (), "claude", "s1", "", "a.jsonl", number, number, "", (), "rules/1", "", "", at, at, None)
    return replace(made, **fields)


def fill(home: Home, *changes: Change | MemoryNode) -> None:
    """Put memories or changes into the home's search file, one batch each."""
    with SearchIndex(home.search) as index:
        first = index.position() + 1
        index.apply([Batch(START, "test", (PutNode(c) if isinstance(c, MemoryNode) else c,), first + i)
                     for i, c in enumerate(changes)])
