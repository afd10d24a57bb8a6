"""Stem → agent module: the one place that names the parsers. Modules are imported when asked for."""

from __future__ import annotations

import importlib

from agent_memory.errors import UsageError

TYPE_CHECKING = False  # hooks import this module and must stay light
if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.capture.agents.base import AgentModule

AGENTS = ("claude", "codex", "grok", "devin", "antigravity", "gemini", "windsurf", "opencode", "agent_terminal_ui",
          "cowork", "hermes")


def agent(name: str) -> AgentModule:
    """The module of an agent.

    Raises:
        UsageError: no agent of that name is known.
    """
    if name not in AGENTS:
        raise UsageError(f"unknown agent {name!r}", hint=f"known agents: {', '.join(AGENTS)}")
    module: AgentModule = importlib.import_module(f"agent_memory.capture.agents.{name}")
    return module


def transcripts(name: str, path: Path) -> list[Path]:
    """The transcripts at a path: those of all sessions of a database, else the file itself, if there is one.

    Raises:
        UsageError: no agent of that name is known.
        TranscriptError: the database cannot be read.
    """
    sessions = getattr(agent(name), "sessions", None)
    if path.is_file():
        return list(sessions(path)) if sessions is not None and path.suffix == ".db" else [path]
    return [path] if sessions is not None and path.parent.is_file() else []
