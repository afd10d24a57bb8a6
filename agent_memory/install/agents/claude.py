"""Claude Code: hooks in ``settings.json`` (code.claude.com/docs/en/hooks); tried with 2.1.332."""

from __future__ import annotations

from pathlib import Path

import hook_templates
from agent_memory.install.command import render
from agent_memory.install.machine import Machine, Target
from agent_memory.install.server import in_json, plain

TITLE = "Claude Code"


def folder(machine: Machine) -> Path:
    """``CLAUDE_CONFIG_DIR``, else ``~/.claude``."""
    return machine.folder("CLAUDE_CONFIG_DIR", ".claude")


def present(machine: Machine) -> bool:
    """True if the agent's folder exists."""
    return folder(machine).is_dir()


def targets(machine: Machine) -> tuple[Target, ...]:
    """The user's settings, or the project's settings that are not shared."""
    text = render(hook_templates.read("claude", "settings.json"), machine, "claude")
    path = machine.project / ".claude" / "settings.local.json" if machine.project else folder(machine) / "settings.json"
    return (Target(path, "json", text),)


def server(machine: Machine) -> Target:
    """``.claude.json`` beside the user's folder (in it, if the folder was moved), or the project's ``.mcp.json``."""
    moved = machine.env.get("CLAUDE_CONFIG_DIR", "")
    path = (folder(machine) if moved else machine.user) / ".claude.json"
    return in_json(machine.project / ".mcp.json" if machine.project else path, {"type": "stdio", **plain(machine)})


def notes(machine: Machine) -> tuple[str, ...]:
    """User hooks need no approval; a project's do."""
    if machine.project:
        return ("Claude Code runs a project's hooks once you have trusted the folder.",)
    return ()
