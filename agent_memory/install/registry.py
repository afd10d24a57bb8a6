"""The only list of agents that can be installed into."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from agent_memory.errors import UsageError
from agent_memory.install.agents import (
    agent_terminal_ui,
    antigravity,
    claude,
    codex,
    cowork,
    devin,
    gemini,
    grok,
    hermes,
    opencode,
    windsurf,
)
from agent_memory.install.agents.base import Agent

AGENTS: Final[dict[str, Agent]] = {
    "claude": claude,
    "codex": codex,
    "grok": grok,
    "devin": devin,
    "antigravity": antigravity,
    "gemini": gemini,
    "windsurf": windsurf,
    "opencode": opencode,
    "agent_terminal_ui": agent_terminal_ui,
    "cowork": cowork,
    "hermes": hermes,
}
"""Stem → module."""


def chosen(names: Iterable[str]) -> tuple[str, ...]:
    """The stems that ``names`` mean, each once; a dash counts as an underscore.

    Raises:
        UsageError: an unknown name; the hint lists the known ones.
    """
    stems = dict.fromkeys(name.strip().lower().replace("-", "_") for name in names if name.strip())
    for stem in stems:
        if stem not in AGENTS:
            raise UsageError(f"unknown agent {stem!r}", hint="known: " + ", ".join(AGENTS))
    return tuple(stems)
