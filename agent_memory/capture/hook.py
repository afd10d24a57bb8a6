"""What a hook does: one event into the inbox, and what the host expects on standard output. Light."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from agent_memory.capture import heard, inbox
from agent_memory.capture.registry import AGENTS
from agent_memory.capture.registry import agent as agent_module
from agent_memory.model.event import EVENTS, HookEvent
from agent_memory.paths import Home

TYPE_CHECKING = False  # hooks import this module and must stay light
if TYPE_CHECKING:
    from typing import Any

INSIDE = "AGENT_MEMORY_INSIDE"
"""Set in the environment of everything we start that may fire hooks again, such as an agent asked as a model."""


FOREIGN = frozenset({"grok", "cursor", "devin"}) - frozenset(AGENTS)
"""Hosts that run another's hooks and whose sessions this version cannot read: their events are not ours."""


class BadPayload(ValueError):
    """The host's payload is no JSON object; the text says why without quoting it."""


def parse(raw: bytes) -> Mapping[str, Any]:
    """The payload as a mapping. An empty one is an empty mapping.

    Raises:
        BadPayload: it is something else.
    """
    if not raw.strip():
        return {}
    try:
        payload = json.loads(raw.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as problem:
        raise BadPayload(f"the payload is not JSON ({len(raw)} bytes)") from problem
    if not isinstance(payload, dict):
        raise BadPayload(f"the payload is JSON but not an object ({type(payload).__name__})")
    return payload


def event_of(event: str, agent: str, payload: Mapping[str, Any], *, at: str, cwd: str, session: str) -> HookEvent:
    """The event that a payload stands for.

    Raises:
        ValueError: the event or the agent is unknown.
    """
    if event not in EVENTS:
        raise ValueError(f"unknown event {event[:40]!r}; known: {', '.join(EVENTS)}")
    if agent not in AGENTS:
        raise ValueError(f"unknown agent {agent[:40]!r}; known: {', '.join(AGENTS)}")
    return agent_module(agent).event(event, payload, at=at, cwd=cwd, session=session)


def host_of(agent: str, payload: Mapping[str, Any], env: Mapping[str, str]) -> str:
    """The agent that really fired a hook: Grok, Cursor and Devin also run what stands in Claude Code's settings.

    Grok says every key twice, in both spellings (run, 1.0.41); Cursor names a conversation; Devin names no file and
    sets a variable (documentation).
    """
    if agent != "claude":
        return agent
    if "hookEventName" in payload and "sessionId" in payload:
        return "grok"
    if "conversation_id" in payload:
        return "cursor"
    if env.get("DEVIN_PROJECT_DIR") and "transcript_path" not in payload:
        return "devin"
    return agent


def receive(home: Home, event: HookEvent, *, nanoseconds: int) -> bool:
    """Put the event into the inbox if it names anything to read; True if it did.

    Raises:
        OSError: the home cannot be written.
    """
    if not (event.session or event.transcript or event.text):
        return False
    inbox.put(home, event, nanoseconds=nanoseconds)
    heard.note(home, event)
    return True


def is_inside(env: Mapping[str, str] = os.environ) -> bool:
    """True if this hook was fired by a process that we started ourselves."""
    return bool(env.get(INSIDE))
