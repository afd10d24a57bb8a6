"""How single memories are told in lists and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from agent_memory import clock
from agent_memory.cli import output
from agent_memory.model.memory import MemoryNode


def memory_item(memory: MemoryNode) -> dict[str, Any]:
    """The fields of a memory that lists show, as plain data."""
    return {"id": memory.id, "type": memory.type.value, "kind": memory.kind.value, "priority": memory.priority.word,
            "status": memory.status.word, "text": memory.text, "created_at": clock.text(memory.created_at)}


def print_memories(memories: Sequence[MemoryNode], most: int = 20) -> None:
    """A line or two a memory, at most ``most``."""
    for memory in memories[:most]:
        output.line(f"  {memory.priority.emoji} {memory.text}")
        output.line(click.style(f"     {memory.kind.value} · {memory.status.word} · {memory.created_at:%Y-%m-%d} · "
                                f"{memory.id}", dim=True))
    if len(memories) > most:
        output.line(f"  … and {len(memories) - most:,} more")
