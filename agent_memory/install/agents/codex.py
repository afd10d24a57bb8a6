"""OpenAI Codex CLI: ``hooks.json`` and ``notify`` in ``config.toml``; tried with 0.171.0."""

from __future__ import annotations

from pathlib import Path

import hook_templates
from agent_memory.install.command import render
from agent_memory.install.place import Place, Target

TITLE = "OpenAI Codex CLI"


def folder(place: Place) -> Path:
    """``CODEX_HOME``, else ``~/.codex``."""
    return place.folder("CODEX_HOME", ".codex")


def present(place: Place) -> bool:
    """True if the agent's folder exists."""
    return folder(place).is_dir()


def targets(place: Place) -> tuple[Target, ...]:
    """Hooks for everything; ``notify`` beside them works before the hooks are trusted (user scope only)."""
    hooks = render(hook_templates.read("codex", "hooks.json"), place, "codex")
    if place.project:
        return (Target(place.project / ".codex" / "hooks.json", "json", hooks),)
    notify = render(hook_templates.read("codex", "config.toml"), place, "codex")
    return (Target(folder(place) / "hooks.json", "json", hooks), Target(folder(place) / "config.toml", "toml", notify))


def notes(place: Place) -> tuple[str, ...]:
    """The trust step."""
    scope = "the project's hooks, in a folder you trust" if place.project else "these hooks"
    return (
        f"Codex runs {scope} only after you have approved them: open `codex` once, it says \"Hooks need review\"; look "
        "at the commands (they are the ones listed above) and choose to trust them. `codex exec` skips hooks that "
        "are not approved, without a word.",
        "Codex asks again whenever a hook entry changes, for example after an update of this program moved it.",
    )
