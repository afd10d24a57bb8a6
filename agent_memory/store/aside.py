"""Batches that the engine could not take: set aside, shown by doctor, kept in the journal, and blocking nothing.

``kg/aside.json``: ``{"aside": [{"position", "at", "actor", "reason", "since"}]}``.
``kg/applying.json``: ``{"position", "failures"}``, there while batches are applied. One that is still there when the
next applier comes means that applying ended badly; the graph's position then tells which batch it was.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from agent_memory import clock, files
from agent_memory.model.change import Batch
from agent_memory.paths import Home

PATIENCE: Final = 2
"""Failures after which a batch is tried once more in a process of its own, and set aside if that fails too."""


@dataclass(frozen=True, slots=True)
class Aside:
    """A batch that is durable but not in the graph. ``at`` is the batch's time, ISO 8601 in UTC."""

    position: int
    at: str
    actor: str
    reason: str


def _file(home: Home) -> Path:
    return home.graph.with_name("aside.json")


def _marker(home: Home) -> Path:
    return home.graph.with_name("applying.json")


def _read(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def entries(home: Home) -> list[Aside]:
    """What was set aside, by position."""
    found = [Aside(int(e["position"]), str(e["at"]), str(e["actor"]), str(e["reason"]))
             for e in _read(_file(home)).get("aside", [])]
    return sorted(found, key=lambda e: e.position)


def positions(home: Home) -> set[int]:
    """Positions of the batches that were set aside."""
    return {entry.position for entry in entries(home)}


def add(home: Home, batch: Batch, reason: str) -> None:
    """Set a batch aside; durable when this returns."""
    now = Aside(batch.position, clock.text(batch.at), batch.actor, reason)
    _write(home, [*(e for e in entries(home) if e.position != batch.position), now])


def clear(home: Home) -> list[Aside]:
    """Forget what was set aside, so that the next rebuild tries it again. Returns what it was."""
    old = entries(home)
    if old:
        _write(home, [])
    return old


def _write(home: Home, found: Iterable[Aside]) -> None:
    data = {"aside": [{"position": e.position, "at": e.at, "actor": e.actor, "reason": e.reason} for e in found]}
    files.write_atomic(_file(home), json.dumps(data, ensure_ascii=False, indent=1).encode() + b"\n")


def without(home: Home, batches: Iterable[Batch]) -> Iterator[Batch]:
    """``batches`` with those that were set aside emptied; positions stay."""
    skipped = {e.position for e in entries(home)}
    return (replace(b, changes=()) if b.position in skipped else b for b in batches)


def failures(home: Home, position: int) -> int:
    """How often applying the batch at ``position``, the next one of the graph, has ended badly before."""
    data = _read(_marker(home))
    if not data:
        return 0
    return int(data.get("failures", 0)) + 1 if data.get("position") == position else 1


def begin(home: Home, position: int, failed: int) -> None:
    """Leave word that the batch at ``position`` and those after it are being applied."""
    files.write_atomic(_marker(home), json.dumps({"position": position, "failures": failed}).encode(), durable=False)


def end(home: Home) -> None:
    """All went well."""
    _marker(home).unlink(missing_ok=True)
