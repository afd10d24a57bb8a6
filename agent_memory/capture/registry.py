"""Stem → agent module: the one place that names the parsers. Modules are imported when asked for."""

from __future__ import annotations

import importlib

from agent_memory.errors import UsageError

TYPE_CHECKING = False  # hooks import this module and must stay light
if TYPE_CHECKING:
    from agent_memory.capture.agents.base import AgentModule

AGENTS = ("claude", "codex")


def agent(name: str) -> AgentModule:
    """The module of an agent.

    Raises:
        UsageError: no agent of that name is known.
    """
    if name not in AGENTS:
        raise UsageError(f"unknown agent {name!r}", hint=f"known agents: {', '.join(AGENTS)}")
    module: AgentModule = importlib.import_module(f"agent_memory.capture.agents.{name}")
    return module
