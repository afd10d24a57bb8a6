"""OpenCode: a plugin file, since it has no hook file; tried with 1.18.33.

Source: the types of @opencode-ai/plugin.
"""

from __future__ import annotations

from pathlib import Path

import hook_templates
from agent_memory.install.command import render
from agent_memory.install.place import Place, Target

TITLE = "OpenCode"
_PLUGIN = "agent-utilities-memory.ts"


def folder(place: Place) -> Path:
    """``OPENCODE_CONFIG_DIR``, else ``opencode`` in the XDG configuration folder, on every system."""
    return Path(place.env["OPENCODE_CONFIG_DIR"]) if place.env.get("OPENCODE_CONFIG_DIR") else place.config("opencode")


def present(place: Place) -> bool:
    """True if the agent's folder exists."""
    return folder(place).is_dir()


def targets(place: Place) -> tuple[Target, ...]:
    """The plugin."""
    base = place.project / ".opencode" if place.project else folder(place)
    return (Target(base / "plugin" / _PLUGIN, "own",
                   render(hook_templates.read("opencode", _PLUGIN), place, "opencode")),)


def notes(place: Place) -> tuple[str, ...]:
    """When plugins are loaded."""
    del place
    return ("OpenCode loads plugins when it starts; restart it.",)
