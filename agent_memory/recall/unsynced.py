"""Edits of views that no sync has taken in yet: they count at once, in every place where the memory is shown. Light."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from agent_memory.paths import Home
from agent_memory.recall.view_chunks import read_view


@dataclass(slots=True)
class Edits:
    """``changed`` memory id → the words a person gave it, ``gone`` ids whose bullet a person deleted."""

    changed: dict[str, str] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)


def edits(home: Home, views: Iterable[str], agreed: str) -> Edits:
    """What a person changed in the named views since file and graph last agreed.

    Args:
        views: names below the views folder.
        agreed: text of the view cursor, which holds the hash of every agreed text.
    """
    found = Edits()
    kept: set[str] = set()
    for name in views:
        now, before = _read(home.views / name), _read(home.agreed / name)
        if now is None or before is None or hashlib.md5(now, usedforsecurity=False).hexdigest() in agreed:
            continue
        mine, base = _texts(now), _texts(before)
        found.changed.update({key: text for key, text in mine.items() if base.get(key) != text})
        found.gone |= base.keys() - mine.keys()
        kept |= mine.keys() - base.keys()
    found.gone -= kept  # moved to another view
    return found


def _texts(data: bytes) -> dict[str, str]:
    return {c.bullet.id: c.bullet.text for c in read_view("", data.decode("utf-8", "replace")) if c.bullet.id}


def _read(path: Path) -> bytes | None:
    """The bytes of a file; None if there is none or it cannot be read, about which nothing is concluded."""
    if not os.path.isfile(path):
        return None
    try:
        return path.read_bytes()
    except OSError:
        return None
