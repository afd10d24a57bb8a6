"""Devin CLI: key ``hooks`` of the user's ``config.json``, or a project's ``hooks.v1.json``.

From the product's documentation as quoted by public adapters (3000.11.3); not run here.
"""

from __future__ import annotations

from pathlib import Path

import hook_templates
from agent_memory.install.command import render
from agent_memory.install.machine import Machine, Target
from agent_memory.install.server import in_json, plain

TITLE = "Devin CLI"


def folder(machine: Machine) -> Path:
    """``%APPDATA%\\devin`` on Windows, else ``devin`` in the XDG configuration folder."""
    if machine.system == "windows" and machine.env.get("APPDATA"):
        return Path(machine.env["APPDATA"]) / "devin"
    return machine.config("devin")


def present(machine: Machine) -> bool:
    """True if the agent's folder exists."""
    return folder(machine).is_dir()


def targets(machine: Machine) -> tuple[Target, ...]:
    """The user's configuration, or the project's hook file (which is the hooks object itself)."""
    if machine.project:
        return (Target(machine.project / ".devin" / "hooks.v1.json", "json",
                       render(hook_templates.read("devin", "hooks.v1.json"), machine, "devin")),)
    return (Target(folder(machine) / "config.json", "json",
                   render(hook_templates.read("devin", "config.json"), machine, "devin")),)


def server(machine: Machine) -> Target:
    """The user's configuration, or the project's that is not shared (docs.devin.ai/cli/extensibility/mcp)."""
    return in_json(machine.project / ".devin" / "config.local.json" if machine.project
                   else folder(machine) / "config.json", plain(machine))


def notes(machine: Machine) -> tuple[str, ...]:
    """What is not certain."""
    del machine
    return ("Devin's end-of-session hook is unreliable; sessions are read after each answer as well. `/hooks` in Devin "
            "lists what is active.",)
