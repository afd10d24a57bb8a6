"""OpenCode: a plugin file, since it has no hook file; tried with 1.18.33.

Source: the types of @opencode-ai/plugin.
"""

from __future__ import annotations

from pathlib import Path

import hook_templates
from agent_memory.install.command import render
from agent_memory.install.machine import Machine, Target
from agent_memory.install.server import argv, in_json

TITLE = "OpenCode"
_PLUGIN = "agent-utilities-memory.ts"
_HEAD = '{\n  "$schema": "https://opencode.ai/config.json"\n}\n'
"""What OpenCode itself puts into a configuration that has no schema."""


def folder(machine: Machine) -> Path:
    """``OPENCODE_CONFIG_DIR``, else ``opencode`` in the XDG configuration folder, on every system."""
    chosen = machine.env.get("OPENCODE_CONFIG_DIR", "")
    return Path(chosen) if chosen else machine.config("opencode")


def present(machine: Machine) -> bool:
    """True if the agent's folder exists."""
    return folder(machine).is_dir()


def targets(machine: Machine) -> tuple[Target, ...]:
    """The plugin."""
    base = machine.project / ".opencode" if machine.project else folder(machine)
    return (Target(base / "plugin" / _PLUGIN, "own",
                   render(hook_templates.read("opencode", _PLUGIN), machine, "opencode")),)


def server(machine: Machine) -> Target:
    """The configuration file that is there, else ``opencode.json``; a command is one list."""
    base = machine.project / ".opencode" if machine.project else folder(machine)
    path = next((base / name for name in ("opencode.jsonc", "opencode.json") if (base / name).exists()),
                base / "opencode.json")
    return in_json(path, {"type": "local", "command": argv(machine), "enabled": True}, "mcp", head=_HEAD)


def notes(machine: Machine) -> tuple[str, ...]:
    """When plugins are loaded."""
    del machine
    return ("OpenCode loads plugins when it starts; restart it.",)
