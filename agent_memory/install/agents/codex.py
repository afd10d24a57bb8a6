"""OpenAI Codex CLI: ``hooks.json`` and ``notify`` in ``config.toml``; tried with 0.171.0."""

from __future__ import annotations

from pathlib import Path

import hook_templates
from agent_memory.install.command import render
from agent_memory.install.machine import Machine, Target
from agent_memory.install.server import in_toml

TITLE = "OpenAI Codex CLI"


def folder(machine: Machine) -> Path:
    """``CODEX_HOME``, else ``~/.codex``."""
    return machine.folder("CODEX_HOME", ".codex")


def present(machine: Machine) -> bool:
    """True if the agent's folder exists."""
    return folder(machine).is_dir()


def targets(machine: Machine) -> tuple[Target, ...]:
    """Hooks for everything; ``notify`` beside them works before the hooks are trusted (user scope only)."""
    hooks = render(hook_templates.read("codex", "hooks.json"), machine, "codex")
    if machine.project:
        return (Target(machine.project / ".codex" / "hooks.json", "json", hooks),)
    notify = render(hook_templates.read("codex", "config.toml"), machine, "codex")
    return (Target(folder(machine) / "hooks.json", "json", hooks),
            Target(folder(machine) / "config.toml", "toml", notify))


def server(machine: Machine) -> Target:
    """A table in ``config.toml``, the user's or that of a project that is trusted."""
    return in_toml((machine.project / ".codex" if machine.project else folder(machine)) / "config.toml", machine)


def notes(machine: Machine) -> tuple[str, ...]:
    """The trust step."""
    scope = "the project's hooks, in a folder you trust" if machine.project else "these hooks"
    return (
        f"Codex runs {scope} only after you have approved them: open `codex` once, it says \"Hooks need review\"; look "
        "at the commands (they are the ones listed above) and choose to trust them. `codex exec` skips hooks that "
        "are not approved, without a word.",
        "Codex asks again whenever a hook entry changes, for example after an update of this program moved it.",
    )
