"""Claude Code: hooks in ``settings.json`` (code.claude.com/docs/en/hooks); tried with 2.1.332."""

from __future__ import annotations

from pathlib import Path

import hook_templates
from agent_memory.install.command import render
from agent_memory.install.place import Place, Target

TITLE = "Claude Code"


def folder(place: Place) -> Path:
    """``CLAUDE_CONFIG_DIR``, else ``~/.claude``."""
    return place.folder("CLAUDE_CONFIG_DIR", ".claude")


def present(place: Place) -> bool:
    """True if the agent's folder exists."""
    return folder(place).is_dir()


def targets(place: Place) -> tuple[Target, ...]:
    """The user's settings, or the project's settings that are not shared."""
    text = render(hook_templates.read("claude", "settings.json"), place, "claude")
    path = place.project / ".claude" / "settings.local.json" if place.project else folder(place) / "settings.json"
    return (Target(path, "json", text),)


def notes(place: Place) -> tuple[str, ...]:
    """User hooks need no approval; a project's do."""
    if place.project:
        return ("Claude Code runs a project's hooks once you have trusted the folder.",)
    return ()
