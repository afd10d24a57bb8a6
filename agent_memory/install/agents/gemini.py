"""Gemini CLI: hooks in ``settings.json``, timeouts in milliseconds, no matcher on lifecycle events; tried with 0.61.0.

Source: the hook documentation in the package.
"""

from __future__ import annotations

from pathlib import Path

import hook_templates
from agent_memory.install.command import render
from agent_memory.install.machine import Machine, Target
from agent_memory.install.server import in_json, plain

TITLE = "Gemini CLI"


def folder(machine: Machine) -> Path:
    """``~/.gemini``, below ``GEMINI_CLI_HOME`` if that is set."""
    home = machine.env.get("GEMINI_CLI_HOME", "")
    return (Path(home) if home else machine.user) / ".gemini"


def present(machine: Machine) -> bool:
    """True if Gemini CLI has left something; Antigravity shares the folder."""
    base = folder(machine)
    return any((base / name).exists() for name in ("settings.json", "tmp", "projects.json", "oauth_creds.json"))


def targets(machine: Machine) -> tuple[Target, ...]:
    """The user's settings, or the project's."""
    base = machine.project / ".gemini" if machine.project else folder(machine)
    return (Target(base / "settings.json", "json",
                   render(hook_templates.read("gemini", "settings.json"), machine, "gemini")),)


def server(machine: Machine) -> Target:
    """The same settings."""
    base = machine.project / ".gemini" if machine.project else folder(machine)
    return in_json(base / "settings.json", plain(machine))


def notes(machine: Machine) -> tuple[str, ...]:
    """Trust of projects."""
    if machine.project:
        return ("Gemini CLI runs a project's hooks once you have trusted the folder.",)
    return ()
