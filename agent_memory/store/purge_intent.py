"""What a purge is about to do: on disk before it begins, without the text, so that a crash cannot lose half of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from agent_memory import clock
from agent_memory.errors import StoreError
from agent_memory.files import make_folder, sync_folder, write_atomic
from agent_memory.paths import Home
from agent_memory.store.scrub import Scrub


@dataclass(frozen=True, slots=True)
class Intent:
    """What to take out (`Scrub`), and the fingerprints to leave behind."""

    scrub: Scrub
    tombstones: tuple[str, ...]
    at: datetime
    actor: str


def _path(home: Home) -> Path:
    return home.graph.with_name("purge.json")


def unfinished(home: Home) -> bool:
    """True if a purge was begun and not finished."""
    return _path(home).exists()


def save(home: Home, intent: Intent) -> None:
    """Make the intent durable."""
    make_folder(home.graph.parent)
    data = {"scrub": intent.scrub.as_json(), "tombstones": list(intent.tombstones), "at": clock.text(intent.at),
            "actor": intent.actor}
    write_atomic(_path(home), json.dumps(data).encode())


def load(home: Home) -> Intent | None:
    """The intent of an unfinished purge.

    Raises:
        StoreError: it cannot be read.
    """
    try:
        data: Mapping[str, Any] = json.loads(_path(home).read_bytes())
        return Intent(Scrub.from_json(data["scrub"]), tuple(data["tombstones"]), clock.parse(data["at"]), data["actor"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise StoreError(f"{_path(home)} cannot be read: {problem}",
                         hint="Remove it and run the purge again with the same selection.") from problem


def done(home: Home) -> None:
    """The purge is through."""
    _path(home).unlink(missing_ok=True)
    sync_folder(home.graph.parent)
