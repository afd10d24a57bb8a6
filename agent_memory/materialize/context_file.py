"""memory/.context.json: what the start payload must know without opening the graph (docs/reference/views.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from agent_memory.materialize.cursor import replace_if_new
from agent_memory.materialize.snapshot import Snapshot
from agent_memory.paths import Home

VERSION = 1
LIMITS: Final[Mapping[str, float]] = {"characters": 24_000, "memories": 0, "threshold": 0.0}
"""Sizes of the start payload where the settings say nothing: `recall.limits.Sizes` reads them."""


def write(home: Home, snapshot: Snapshot, views: Mapping[str, str], *, limits: Mapping[str, float],
          alarms: Sequence[str] | None) -> bool:
    """Write the file if it says something new. ``views`` are project id → view; alarms of before stay if None is given.

    Returns:
        True if the file was written.
    """
    projects: dict[str, Any] = {}
    keys: dict[str, str] = {}
    for project, info in sorted(snapshot.projects.items()):
        known = [*info.project.keys, *info.aliases]
        projects[project] = {"name": info.project.name, "view": views.get(project, ""), "keys": known}
        for key in known:
            keys.setdefault(key, project)
    data = {
        "version": VERSION,
        "position": snapshot.position,
        "limits": dict(sorted(limits.items())),
        "alarms": list(alarms) if alarms is not None else _alarms(home),
        "keys": dict(sorted(keys.items())),
        "projects": projects,
    }
    return replace_if_new(home.context_file, json.dumps(data, ensure_ascii=False, indent=1).encode() + b"\n")


def _alarms(home: Home) -> list[str]:
    try:
        found = json.loads(home.context_file.read_text(encoding="utf-8"))["alarms"]
        return [str(line) for line in found]
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return []
