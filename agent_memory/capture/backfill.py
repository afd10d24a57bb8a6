"""Finds transcripts that are on this machine already, newest first."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from agent_memory.capture.registry import agent as agent_module


@dataclass(frozen=True, slots=True)
class Found:
    """A transcript on this machine: ``size`` in bytes, ``at`` when it was last written."""

    path: Path
    size: int
    at: datetime


def candidates(agent: str, *, env: Mapping[str, str], user_home: Path, limit: int | None = None) -> list[Found]:
    """Transcripts of an agent, newest first; at most ``limit``. Files that vanish meanwhile are left out."""
    found: list[Found] = []
    for path in agent_module(agent).find(env, user_home):
        try:
            about = os.stat(path.parent if path.parent.is_file() else path)  # a session of a database
        except OSError:
            continue
        if about.st_size:
            found.append(Found(path, about.st_size, datetime.fromtimestamp(about.st_mtime, UTC)))
    found.sort(key=lambda f: (f.at, str(f.path)), reverse=True)
    return found if limit is None else found[:max(0, limit)]
