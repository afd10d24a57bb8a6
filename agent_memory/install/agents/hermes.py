"""Hermes agent: a memory provider in ``plugins``, chosen in ``config.yaml``; interface of hermes-agent 0.19.0."""

from __future__ import annotations

from pathlib import Path

import hook_templates
from agent_memory.install.command import render
from agent_memory.install.machine import Machine, Target

TITLE = "Hermes agent"


def folder(machine: Machine) -> Path:
    """``HERMES_HOME``, else ``~/.hermes``."""
    return machine.folder("HERMES_HOME", ".hermes")


def present(machine: Machine) -> bool:
    """True if the agent's folder exists."""
    return folder(machine).is_dir()


def targets(machine: Machine) -> tuple[Target, ...]:
    """The provider and the line that chooses it; another provider that is chosen already stays."""
    if machine.project:
        return ()
    plugin = folder(machine) / "plugins" / "agent-utilities-memory"
    return (
        Target(plugin / "__init__.py", "own",
               render(hook_templates.read("hermes", "provider.py.txt"), machine, "hermes")),
        Target(plugin / "plugin.yaml", "own", hook_templates.read("hermes", "plugin.yaml")),
        Target(folder(machine) / "config.yaml", "yaml", hook_templates.read("hermes", "config.yaml")),
    )


def server(machine: Machine) -> Target | None:
    """The memory provider is the way into Hermes; its list of servers is left alone."""
    del machine
    return None


def notes(machine: Machine) -> tuple[str, ...]:
    """One provider at a time."""
    del machine
    return ("Hermes uses one memory provider at a time; `memory.provider` in config.yaml says which.",)
