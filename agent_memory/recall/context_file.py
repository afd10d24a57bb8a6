"""What ``memory/.context.json`` tells: which view belongs to which project, and what is wrong.

::

    {"version": 1,
     "projects": {"p-0123…": {"name": "shop", "view": "projects/shop.md"}},
     "keys": {"remote:github.com/acme/shop": "p-0123…"},
     "limits": {"characters": 24000, "memories": 0, "threshold": 0.0},
     "alarms": ["Nothing was captured since 2026-11-02."]}
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from agent_memory.paths import Home


@dataclass(frozen=True, slots=True)
class ContextFile:
    """``views`` project id → view below the views folder, ``names`` id → name, ``keys`` identity key → id.

    ``limits`` are sizes of the start payload by name (`limits.Sizes`).
    """

    views: dict[str, str] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    alarms: tuple[str, ...] = ()
    limits: dict[str, float] = field(default_factory=dict)


def read(home: Home) -> ContextFile:
    """The file of a home; an empty one if it is missing or not readable as such (views still serve without it)."""
    try:
        data = json.loads(home.context_file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ContextFile()
    if not isinstance(data, dict):
        return ContextFile()
    projects = {str(k): v for k, v in _mapping(data.get("projects")).items() if isinstance(v, dict)}
    return ContextFile(
        {k: str(v["view"]) for k, v in projects.items() if v.get("view")},
        {k: str(v["name"]) for k, v in projects.items() if v.get("name")},
        {str(k): str(v) for k, v in _mapping(data.get("keys")).items()},
        tuple(str(a) for a in data.get("alarms") or () if isinstance(a, str)),
        {str(k): v for k, v in _mapping(data.get("limits")).items() if isinstance(v, int | float)})


def _mapping(value: object) -> dict[object, object]:
    return value if isinstance(value, dict) else {}
