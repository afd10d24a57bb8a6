"""A throw-away person with every agent on the machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agent_memory.install.place import Place
from agent_memory.install.registry import AGENTS
from agent_memory.paths import Home


@pytest.fixture
def place(tmp_path: Path, home: Home) -> Place:
    """A person without any agent."""
    user = tmp_path / "person"
    user.mkdir()
    return Place(user=user, data=home.root, command=("/opt/tools/agent-utilities-memory",))


@pytest.fixture
def bring(place: Place) -> Callable[..., None]:
    """Makes agents be on the machine: their folders exist."""
    def make(*names: str) -> None:
        for name in names or AGENTS:
            folder = AGENTS[name].folder(place)
            folder.mkdir(parents=True, exist_ok=True)
            if name == "gemini":
                (folder / "tmp").mkdir(exist_ok=True)
    return make
