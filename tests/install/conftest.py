"""A throw-away person with every agent on the machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agent_memory.install.machine import Machine
from agent_memory.install.registry import AGENTS
from agent_memory.paths import Home


@pytest.fixture
def machine(tmp_path: Path, home: Home) -> Machine:
    """A person without any agent."""
    user = tmp_path / "person"
    user.mkdir()
    return Machine(user=user, data=home.root, command=("/opt/tools/agent-utilities-memory",))


@pytest.fixture
def bring(machine: Machine) -> Callable[..., None]:
    """Makes agents be on the machine: their folders exist."""
    def make(*names: str) -> None:
        for name in names or AGENTS:
            folder = AGENTS[name].folder(machine)
            folder.mkdir(parents=True, exist_ok=True)
            if name == "gemini":
                (folder / "tmp").mkdir(exist_ok=True)
    return make
