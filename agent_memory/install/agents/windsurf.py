"""Windsurf (Cascade, now Devin Desktop): ``hooks.json`` for capture, a rules file since no hook can inject.

From docs.devin.ai (desktop/cascade/hooks) and measurements in public issues; not run here. The transcript is written
only while a ``…_with_transcript`` hook is registered.
"""

from __future__ import annotations

from pathlib import Path

import hook_templates
from agent_memory.install.command import render
from agent_memory.install.machine import Machine, Target
from agent_memory.install.server import in_json, plain

TITLE = "Windsurf"
RULES_LIMIT = 5_500
"""Characters; a rules file is cut at 6,000 (later builds: 12,000)."""
ALWAYS = "---\ntrigger: always_on\n---\n"
"""Front matter without which a project's rule is not always read."""


def folder(machine: Machine) -> Path:
    """``~/.codeium/windsurf``."""
    return machine.user / ".codeium" / "windsurf"


def present(machine: Machine) -> bool:
    """True if the agent's folder exists."""
    return folder(machine).is_dir()


def targets(machine: Machine) -> tuple[Target, ...]:
    """Capture by hooks, start context by a rules file: the global one, or one in the project."""
    hooks = render(hook_templates.read("windsurf", "hooks.json"), machine, "windsurf")
    text = hook_templates.read("windsurf", "rules.md")
    if machine.project:
        base = machine.project / ".windsurf"
        return (Target(base / "hooks.json", "json", hooks),
                Target(base / "rules" / "agent-utilities-memory.md", "block", text, rules=True, limit=RULES_LIMIT,
                       head=ALWAYS))
    return (Target(folder(machine) / "hooks.json", "json", hooks),
            Target(folder(machine) / "memories" / "global_rules.md", "block", text, rules=True, limit=RULES_LIMIT))


def server(machine: Machine) -> Target | None:
    """``mcp_config.json``; there is none for projects."""
    return None if machine.project else in_json(folder(machine) / "mcp_config.json", plain(machine))


def notes(machine: Machine) -> tuple[str, ...]:
    """How the context gets in."""
    if machine.project:
        return ("The rules file in the project holds memory; keep it out of commits.",)
    return ("Windsurf cannot take memory from a hook; a block in its global rules is kept fresh instead, with what "
            "holds for all projects. `install --agents windsurf --project` adds a project's own.",)
