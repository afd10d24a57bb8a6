"""agent-terminal-ui: ``hooks.toml``. In 2.2.0 (the package's code) nothing fires these hooks yet.

Hooks get no stdin and cannot inject; its database is read when another agent's event wakes the worker.
"""

from __future__ import annotations

from pathlib import Path

import hook_templates
from agent_memory.install.command import render
from agent_memory.install.machine import Machine, Target

TITLE = "agent-terminal-ui"


def folder(machine: Machine) -> Path:
    """``~/.config/agent-terminal-ui``, on every system and whatever XDG says: the name is fixed in its code."""
    return machine.user / ".config" / "agent-terminal-ui"


def present(machine: Machine) -> bool:
    """True if the agent's folder exists."""
    return folder(machine).is_dir()


def targets(machine: Machine) -> tuple[Target, ...]:
    """The user's hook file; there is none for projects."""
    if machine.project:
        return ()
    return (Target(folder(machine) / "hooks.toml", "toml",
                   render(hook_templates.read("agent_terminal_ui", "hooks.toml"), machine, "agent_terminal_ui")),)


def server(machine: Machine) -> Target | None:
    """No place is known."""
    del machine
    return None


def notes(machine: Machine) -> tuple[str, ...]:
    """That the hooks sleep."""
    del machine
    return ("agent-terminal-ui 2.2.0 does not fire its hooks yet; the entries are ready for the version that does.",)
