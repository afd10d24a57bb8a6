"""Failures of hooks and of the worker, one line each, for doctor and the next start. Never any message text. Light."""

from __future__ import annotations

import json
import os

from agent_memory.paths import Home

TYPE_CHECKING = False  # hooks import this module and must stay light
if TYPE_CHECKING:
    from typing import Any

MAX_BYTES = 200_000
"""A longer file is begun anew; the old one is kept beside it once."""
NAME = "hook-failures.jsonl"
SUCCESS = "last-success"
"""Holds the time at which the worker last did all that waited."""


def note(home: Home, at: str, where: str, what: str, *, agent: str = "", event: str = "") -> bool:
    """Append a line; False if even that is impossible (a hook must go on)."""
    from agent_memory.text.redact_light import redact_light  # only where something failed

    what, agent, event = (redact_light(t)[:most] for t, most in ((what, 300), (agent, 40), (event, 40)))
    line = json.dumps({"at": at, "where": where, "what": what, "agent": agent, "event": event}) + "\n"
    path = home.log / NAME
    try:
        for place in (home.root, home.log):  # makedirs would leave the parents open to others
            os.makedirs(place, mode=0o700, exist_ok=True)
        if path.exists() and path.stat().st_size > MAX_BYTES:
            os.replace(path, path.with_suffix(".old.jsonl"))
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, line.encode("ascii"))
        finally:
            os.close(handle)
    except OSError:
        return False
    return True


def recent(home: Home, most: int = 20) -> list[dict[str, Any]]:
    """The last failures, newest last. A line that is no JSON object is left out."""
    try:
        lines = (home.log / NAME).read_bytes().splitlines()[-most:]
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            entry = json.loads(line)
        except ValueError:
            continue
        if isinstance(entry, dict):
            found.append(entry)
    return found


def succeeded(home: Home, at: str) -> None:
    """Remember that capture worked, so that earlier failures stop being told. A failure of this itself is harmless."""
    try:
        handle = os.open(home.log / SUCCESS, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            os.write(handle, at.encode("ascii"))
        finally:
            os.close(handle)
    except OSError:
        return


def unresolved(home: Home) -> list[dict[str, Any]]:
    """Failures since capture last worked, newest last."""
    try:
        since = (home.log / SUCCESS).read_text(encoding="ascii")
    except (OSError, ValueError):
        since = ""
    return [f for f in recent(home) if str(f.get("at", "")) > since]
