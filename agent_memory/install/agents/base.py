"""What every agent's module offers."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from agent_memory.install.place import Place, Target


class Agent(Protocol):
    """A module of ``install.agents``."""

    TITLE: str
    """The agent as people know it."""

    def folder(self, place: Place) -> Path:
        """The agent's own configuration folder, whether it exists or not."""
        ...

    def present(self, place: Place) -> bool:
        """True if the agent has been used on this machine."""
        ...

    def targets(self, place: Place) -> tuple[Target, ...]:
        """What to write, in order; nothing where the agent offers no such place (a project, this system)."""
        ...

    def notes(self, place: Place) -> tuple[str, ...]:
        """What the person should know or do afterwards, one sentence or two each."""
        ...
