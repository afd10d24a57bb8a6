"""Invented memories and messages as batches, for tests of the search file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from agent_memory import ids
from agent_memory.model.change import Batch, Change, PutNode
from agent_memory.model.memory import Kind, MemoryNode, MemoryType, Scope
from agent_memory.model.transcript import Message, Role, Via
from agent_memory.text.normal import content_hash

START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)


def memory(number: int, text: str, **fields: Any) -> MemoryNode:
    """A memory said ``number`` minutes after START."""
    at = START + timedelta(minutes=number)
    made = MemoryNode(
        ids.derive(at, "memory", str(number)), 1, MemoryType.OBSERVATION, Kind.FACT, text, "", content_hash(text), "",
        Scope.PROJECT, "", (), "claude", "s1", "", "a.jsonl", number, number, "", (), "rules/1", "", "", at, at, None)
    return replace(made, **fields)


def message(number: int, text: str, **fields: Any) -> Message:
    """A message of a person."""
    at = START + timedelta(minutes=number)
    return replace(Message(f"m{number}", "s1", "claude", "", f"r{number}", number, Role.PERSON, Via.PROMPT, text, at,
                           "a.jsonl", number, number, ""), **fields)


def batch(position: int, *changes: Change | MemoryNode | Message, at: datetime = START) -> Batch:
    """A batch at a position; bare nodes are put."""
    made: Sequence[Change] = [PutNode(c) if isinstance(c, MemoryNode | Message) else c for c in changes]
    return Batch(at, "test", tuple(made), position)
