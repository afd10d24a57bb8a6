"""Devin CLI: key ``hooks`` of the user's ``config.json``, or a project's ``hooks.v1.json``.

From the product's documentation as quoted by public adapters (3000.11.3); not run here.
"""

from __future__ import annotations

from pathlib import Path

import hook_templates
from agent_memory.install.command import render
from agent_memory.install.place import Place, Target

TITLE = "Devin CLI"


def folder(place: Place) -> Path:
    """``%APPDATA%\\devin`` on Windows, else ``devin`` in the XDG configuration folder."""
    if place.system == "windows" and place.env.get("APPDATA"):
        return Path(place.env["APPDATA"]) / "devin"
    return place.config("devin")


def present(place: Place) -> bool:
    """True if the agent's folder exists."""
    return folder(place).is_dir()


def targets(place: Place) -> tuple[Target, ...]:
    """The user's configuration, or the project's hook file (which is the hooks object itself)."""
    if place.project:
        return (Target(place.project / ".devin" / "hooks.v1.json", "json",
                       render(hook_templates.read("devin", "hooks.v1.json"), place, "devin")),)
    return (Target(folder(place) / "config.json", "json",
                   render(hook_templates.read("devin", "config.json"), place, "devin")),)


def notes(place: Place) -> tuple[str, ...]:
    """What is not certain."""
    del place
    return ("Devin's end-of-session hook is unreliable; sessions are read after each answer as well. `/hooks` in Devin "
            "lists what is active.",)
