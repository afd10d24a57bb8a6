"""Hermes agent: a memory provider in ``plugins``, chosen in ``config.yaml``; interface of hermes-agent 0.19.0."""

from __future__ import annotations

from pathlib import Path

import hook_templates
from agent_memory.install.command import render
from agent_memory.install.place import Place, Target

TITLE = "Hermes agent"


def folder(place: Place) -> Path:
    """``HERMES_HOME``, else ``~/.hermes``."""
    return place.folder("HERMES_HOME", ".hermes")


def present(place: Place) -> bool:
    """True if the agent's folder exists."""
    return folder(place).is_dir()


def targets(place: Place) -> tuple[Target, ...]:
    """The provider and the line that chooses it; another provider that is chosen already stays."""
    if place.project:
        return ()
    plugin = folder(place) / "plugins" / "agent-utilities-memory"
    return (
        Target(plugin / "__init__.py", "own",
               render(hook_templates.read("hermes", "provider.py.txt"), place, "hermes")),
        Target(plugin / "plugin.yaml", "own", hook_templates.read("hermes", "plugin.yaml")),
        Target(folder(place) / "config.yaml", "yaml", hook_templates.read("hermes", "config.yaml")),
    )


def notes(place: Place) -> tuple[str, ...]:
    """One provider at a time."""
    del place
    return ("Hermes uses one memory provider at a time; `memory.provider` in config.yaml says which.",)
