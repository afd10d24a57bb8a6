"""Somebody who proposes steps beyond the rules; the pipeline checks and applies them like its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from agent_memory.model.memory import MemoryNode
from agent_memory.reflect.snapshot import Snapshot
from agent_memory.reflect.step import Step


class Consultant(Protocol):
    """Proposes steps beyond the rules."""

    def propose(self, snapshot: Snapshot, new: Sequence[MemoryNode]) -> tuple[list[Step], tuple[str, ...]]:
        """Checked steps, by which ``snapshot`` was advanced, and plain sentences for the person."""
