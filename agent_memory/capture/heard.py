"""When each agent last fired each kind of hook: what tells a silent agent from one that is not used. Light.

``log/heard/<agent>.<event>`` holds ``{"at", "session", "transcript"}`` of the last one. The start of the session before
the last is kept as ``<agent>.before``, so that the next start can tell whether anything was reported in between.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass

from agent_memory.model.event import HookEvent
from agent_memory.paths import Home

TYPE_CHECKING = False  # hooks import this module and must stay light
if TYPE_CHECKING:
    from pathlib import Path

_LONG = re.compile(r"[A-Za-z0-9_]{20,}|(?:sk|pat|key)[-_]")
START = "session-start"
BEFORE = "before"


@dataclass(frozen=True, slots=True)
class Heard:
    """One hook that was fired. ``at`` is ISO 8601 in UTC; ``transcript`` is "" where the host named none."""

    event: str
    at: str
    session: str
    transcript: str


def folder(home: Home) -> Path:
    """Where the notes are."""
    return home.log / "heard"


def note(home: Home, event: HookEvent) -> bool:
    """Remember that a hook was fired; False if that is impossible (a hook must go on)."""
    path = folder(home) / f"{event.agent}.{event.event}"
    line = json.dumps({"at": event.at, "session": _clean(event.session), "transcript": _clean(event.transcript)})
    try:
        for place in (home.root, home.log, path.parent):  # makedirs would leave the parents open to others
            os.makedirs(place, mode=0o700, exist_ok=True)
        if event.event == START and (old := _read(path, START)) is not None and old.session != event.session:
            os.replace(path, path.with_name(f"{event.agent}.{BEFORE}"))
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            os.write(handle, line.encode("ascii"))
        finally:
            os.close(handle)
    except OSError:
        return False
    return True


def _clean(path: str) -> str:
    """A path without secrets. Ids and slugs of hosts have no run so long, so the rules are hardly ever loaded."""
    if not _LONG.search(path):
        return path
    from agent_memory.text.redact_light import redact_light

    return redact_light(path)


def load(home: Home) -> dict[str, dict[str, Heard]]:
    """Agent → kind of event (or ``before``) → the last one. A note that cannot be read is left out."""
    found: dict[str, dict[str, Heard]] = {}
    try:
        names = sorted(os.listdir(folder(home)))
    except OSError:
        return {}
    for name in names:
        agent, _, kind = name.partition(".")
        one = _read(folder(home) / name, kind)
        if one is not None:
            found.setdefault(agent, {})[kind] = one
    return found


def _read(path: Path, kind: str) -> Heard | None:
    try:
        data = json.loads(path.read_bytes())
        return Heard(kind, str(data["at"]), str(data["session"]), str(data["transcript"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
