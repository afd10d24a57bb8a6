"""What a hook reported. It holds allow-listed fields only; hosts put tokens and whole files beside them."""

from __future__ import annotations

from dataclasses import dataclass

VERSION = 1
EVENTS = ("session-start", "prompt", "checkpoint", "session-end", "notify")


@dataclass(frozen=True, slots=True)
class HookEvent:
    """One event of one agent. ``at`` is ISO 8601 UTC text, since hooks import no more than they must."""

    event: str  # one of EVENTS
    agent: str
    session: str  # the host's id
    transcript: str  # path, "" where the host has none
    cwd: str
    at: str
    source: str = ""  # startup, resume, clear, compact, fork …
    agent_transcript: str = ""  # a subagent's own file
    text: str = ""  # only from hosts that keep no transcript, already redacted
    version: int = VERSION
