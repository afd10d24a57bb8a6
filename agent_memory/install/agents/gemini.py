"""Gemini CLI: hooks in ``settings.json``, timeouts in milliseconds, no matcher on lifecycle events; tried with 0.61.0.

Source: the hook documentation in the package.
"""

from __future__ import annotations

from pathlib import Path

import hook_templates
from agent_memory.install.command import render
from agent_memory.install.place import Place, Target

TITLE = "Gemini CLI"


def folder(place: Place) -> Path:
    """``~/.gemini``, below ``GEMINI_CLI_HOME`` if that is set."""
    home = place.env.get("GEMINI_CLI_HOME", "")
    return (Path(home) if home else place.user) / ".gemini"


def present(place: Place) -> bool:
    """True if Gemini CLI has left something; Antigravity shares the folder."""
    base = folder(place)
    return any((base / name).exists() for name in ("settings.json", "tmp", "projects.json", "oauth_creds.json"))


def targets(place: Place) -> tuple[Target, ...]:
    """The user's settings, or the project's."""
    base = place.project / ".gemini" if place.project else folder(place)
    return (Target(base / "settings.json", "json",
                   render(hook_templates.read("gemini", "settings.json"), place, "gemini")),)


def notes(place: Place) -> tuple[str, ...]:
    """Trust of projects."""
    if place.project:
        return ("Gemini CLI runs a project's hooks once you have trusted the folder.",)
    return ()
