"""Says at a start that the session before was never reported, though no worker has ever run to notice. Light.

Two things are looked at, both in a few file operations: events that wait and that nobody handled, and the transcript of
the session before the last start, if it grew and no other hook of its agent was fired since.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime, timedelta

from agent_memory import clock
from agent_memory.capture import heard, inbox
from agent_memory.capture.heard import BEFORE, START, Heard
from agent_memory.paths import Home
from agent_memory.roster import TITLES

WAITED = 600
"""Seconds after which an event that nobody handled is told; a worker takes at most half of that."""
QUIET = 600
"""Seconds without growth after which a transcript counts as one whose session is over."""
RECENT = timedelta(days=14)
_TURN_ENDS = (b'"end_turn"', b'"task_complete"')
"""How the transcripts of Claude Code and Codex say that an answer is complete, so that a hook must have been fired."""
_TAIL = 1 << 16
SILENT = "Capture is silent:"
"""How the line begins that says the same of all agents, once a worker has noticed (flow/silence.py)."""
_DOCTOR = "Run: agent-utilities-memory doctor."


def unreported(home: Home, now: datetime, told: Iterable[str] = ()) -> list[str]:
    """One line at most: what a person should know about capture that is silent, unless it is ``told`` already."""
    if any(line.startswith(SILENT) for line in told):
        return []
    return _waiting(home, now) or _silent(home, now)


def _waiting(home: Home, now: datetime) -> list[str]:
    oldest = inbox.oldest(home)
    if oldest is None:
        return []
    since = datetime.fromtimestamp(oldest / 1e9, now.tzinfo)
    if (now - since).total_seconds() < WAITED:
        return []
    return [f"Hook events have waited since {since:%Y-%m-%d %H:%M} UTC and nothing was learned from them. {_DOCTOR}"]


def _silent(home: Home, now: datetime) -> list[str]:
    for agent, kinds in heard.load(home).items():
        before = kinds.get(BEFORE)
        if before is None or not before.transcript:
            continue
        if any(k.at >= before.at for name, k in kinds.items() if name not in (BEFORE, START)):
            continue
        if _grew(home, before, now):
            return [f"{SILENT} the last session of {TITLES.get(agent, agent)} ({before.at[:10]}) grew, but no hook "
                    f"reported it. {_DOCTOR}"]
    return []


def _grew(home: Home, before: Heard, now: datetime) -> bool:
    try:
        about = os.stat(before.transcript)
        began = clock.parse(before.at)
    except (OSError, ValueError):
        return False
    changed = datetime.fromtimestamp(about.st_mtime, now.tzinfo)
    if not about.st_size or changed < began or now - began > RECENT:
        return False
    over = (now - changed).total_seconds() >= QUIET or turn_ended(before.transcript, about.st_size)
    return over and not _captured(home, before.transcript, about.st_size)


def turn_ended(path: str, size: int, after: int = 0) -> bool:
    """True if the host says, in the last part of a transcript beyond the byte ``after``, that an answer is complete."""
    try:
        with open(path, "rb") as file:
            file.seek(max(after, size - _TAIL))
            tail = file.read(_TAIL)
    except OSError:
        return False
    return any(mark in tail for mark in _TURN_ENDS)


def _captured(home: Home, path: str, size: int) -> bool:
    """True if somebody read the transcript to its end meanwhile, such as ``backfill``; by the copy for people."""
    import json

    try:
        agents = json.loads(home.observer_cursor.read_bytes())["transcripts"].values()
        return any(path in files and int(files[path]["offset"]) >= size for files in agents)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False
