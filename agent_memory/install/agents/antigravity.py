"""Google Antigravity: a named entry in ``hooks.json``; strict JSON, any error drops the file silently.

From the guide inside google-antigravity 0.1.22 and public issues up to agy 1.2.7; not run here. No tool hooks: an
answer without a decision would deny every tool call.
"""

from __future__ import annotations

from pathlib import Path

import hook_templates
from agent_memory.install.command import render
from agent_memory.install.machine import Machine, Target
from agent_memory.install.server import in_json, plain

TITLE = "Google Antigravity"
_APPS = ("antigravity-cli", "antigravity", "antigravity-ide")


def folder(machine: Machine) -> Path:
    """The data folder of an Antigravity app; ``~/.gemini`` alone may belong to Gemini CLI."""
    base = machine.user / ".gemini"
    return next((base / app for app in _APPS if (base / app).is_dir()), base / _APPS[0])


def present(machine: Machine) -> bool:
    """True if the agent's folder exists."""
    return folder(machine).is_dir()


def targets(machine: Machine) -> tuple[Target, ...]:
    """The global hook file, or the project's."""
    path = (machine.project / ".agents" if machine.project else machine.user / ".gemini" / "config") / "hooks.json"
    return (Target(path, "json", render(hook_templates.read("antigravity", "hooks.json"), machine, "antigravity")),)


def server(machine: Machine) -> Target:
    """``mcp_config.json`` beside the hooks (antigravity.google/docs/mcp)."""
    base = machine.project / ".agents" if machine.project else machine.user / ".gemini" / "config"
    return in_json(base / "mcp_config.json", plain(machine))


def notes(machine: Machine) -> tuple[str, ...]:
    """How to check, and what older builds lack."""
    del machine
    return ("Antigravity runs start hooks from version 1.1.27 on, and no hooks with API-key sign-in. Check with "
            "`agy -p \"/hooks\" --output-format json`.",)
