"""The settings: can they be read, and do they hold together?"""

from __future__ import annotations

import os
from collections.abc import Iterator

from agent_memory.doctor.finding import Finding
from agent_memory.doctor.subject import Subject
from agent_memory.errors import AgentMemoryError
from agent_memory.store import engine_file

TITLE = "Settings"
CODES = ("settings-ok", "settings-invalid", "settings-unreadable", "settings-unknown", "engine-differs")


def check(subject: Subject) -> Iterator[Finding]:
    """Load the settings as every command does."""
    path = subject.home.config
    if path.exists() and not os.access(path, os.R_OK):
        yield Finding("error", "settings-unreadable", f"{path.name} cannot be read", "check its owner and its rights")
        return
    try:
        chosen = subject.place.settings
    except AgentMemoryError as problem:
        yield Finding("error", "settings-invalid", problem.message, problem.hint)
        return
    if unknown := _unknown(subject, set(type(chosen).model_fields)):
        yield Finding("warning", "settings-unknown", f"{path.name} has settings that do not exist: "
                      f"{', '.join(unknown)}", "compare them with docs/reference/settings.md")
    used = engine_file.recorded(subject.home) if subject.usable else ""
    if used and chosen.engine and used != chosen.engine:
        yield Finding("error", "engine-differs", f"the settings name the engine {chosen.engine}, this home was made "
                      f"with {used}", f"run migrate-engine {chosen.engine}, or remove the setting")
        return
    yield Finding("ok", "settings-ok", "the settings can be read" if path.exists() else "the defaults count")


def _unknown(subject: Subject, known: set[str]) -> list[str]:
    import tomllib

    if not subject.home.config.is_file():
        return []
    return sorted(set(tomllib.loads(subject.home.config.read_text(encoding="utf-8"))) - known)[:5]
