"""Grok Build: a hook file of our own, and a rules file since it ignores what start hooks print; tried with 1.0.41.

Source: the user guide inside the package (hooks, project rules).
"""

from __future__ import annotations

from pathlib import Path

import hook_templates
from agent_memory.install.command import render
from agent_memory.install.machine import Machine, Target
from agent_memory.install.server import in_toml

TITLE = "Grok Build"
RULES_LIMIT = 10_000
"""Characters; no limit is documented for rules files, this is what hooks may add."""


def folder(machine: Machine) -> Path:
    """``GROK_HOME``, else ``~/.grok``."""
    return machine.folder("GROK_HOME", ".grok")


def present(machine: Machine) -> bool:
    """True if the agent's folder exists."""
    return folder(machine).is_dir()


def targets(machine: Machine) -> tuple[Target, ...]:
    """Capture by hooks, start context by a rules file."""
    base = machine.project / ".grok" if machine.project else folder(machine)
    return (
        Target(base / "hooks" / "agent-utilities-memory.json", "json",
               render(hook_templates.read("grok", "hooks.json"), machine, "grok")),
        Target(base / "rules" / "agent-utilities-memory.md", "block", hook_templates.read("grok", "rules.md"),
               rules=True, limit=RULES_LIMIT),
    )


def server(machine: Machine) -> Target:
    """A table in ``config.toml``, the user's or the project's."""
    return in_toml((machine.project / ".grok" if machine.project else folder(machine)) / "config.toml", machine)


def notes(machine: Machine) -> tuple[str, ...]:
    """How the context gets in, and what trust a project needs."""
    if machine.project:
        return ("Grok reads a project's hooks and rules once you trust the folder (`/hooks-trust`).",
                "The rules file in the project holds memory; keep it out of commits.")
    return ("Grok cannot take memory from a start hook; it is kept fresh in a rules file instead, with what holds for "
            "all projects. `install --agents grok --project` adds a project's own.",
            "Grok also runs Claude Code's hooks; an event that comes twice counts once.")
