"""Stem → agent module: the one place that names the parsers. Modules are imported when asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final, cast

from agent_memory.errors import UsageError

if TYPE_CHECKING:
    from agent_memory.capture.agents.base import AgentModule

AGENTS: Final = ("claude", "codex")


def agent(name: str) -> AgentModule:
    """The module of an agent.

    Raises:
        UsageError: no agent of that name is known.
    """
    if name not in AGENTS:
        raise UsageError(f"unknown agent {name!r}", hint=f"known agents: {', '.join(AGENTS)}")
    return cast("AgentModule", importlib.import_module(f"agent_memory.capture.agents.{name}"))
