"""What every agent's module offers."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from agent_memory.install.machine import Machine, Target


class Agent(Protocol):
    """A module of ``install.agents``."""

    TITLE: str
    """The agent as people know it."""

    def folder(self, machine: Machine) -> Path:
        """The agent's own configuration folder, whether it exists or not."""
        ...

    def present(self, machine: Machine) -> bool:
        """True if the agent has been used on this machine."""
        ...

    def targets(self, machine: Machine) -> tuple[Target, ...]:
        """What to write, in order; nothing where the agent offers no such place (a project, this system)."""
        ...

    def server(self, machine: Machine) -> Target | None:
        """Where our MCP server is registered; None where the agent offers no such place, or none that we know."""
        ...

    def notes(self, machine: Machine) -> tuple[str, ...]:
        """What the person should know or do afterwards, one sentence or two each."""
        ...
