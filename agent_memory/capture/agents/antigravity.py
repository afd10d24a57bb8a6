"""Google Antigravity: conversations, hook payloads and replies.

Field names from the guide inside the package google-antigravity 0.1.22 and from public issues on ``agy`` 1.0.3 to
1.2.7; not run. Documented in docs/agents/antigravity.md. A conversation is
``~/.gemini/<app>/brain/<conversation>/.system_generated/logs/transcript_full.jsonl``.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from agent_memory.capture.payload import allowed_event
from agent_memory.model.event import HookEvent

TYPE_CHECKING = False  # hooks import this module and must stay light
if TYPE_CHECKING:
    from datetime import datetime

    from agent_memory.capture.agents.base import Head, Record
    from agent_memory.model.transcript import Cursor

NAME = "antigravity"
APPS = ("antigravity-cli", "antigravity", "antigravity-ide")
FULL, SHORT = "transcript_full.jsonl", "transcript.jsonl"


def find(env: Mapping[str, str], home: Path) -> Iterator[Path]:
    """Conversations of all three apps; the shortened transcript only where the full one is missing."""
    root = Path(env.get("GEMINI_CLI_HOME") or home) / ".gemini"
    for app in APPS:
        for logs in sorted((root / app / "brain").glob("*/.system_generated/logs")):
            full, short = logs / FULL, logs / SHORT
            if full.is_file():
                yield full
            elif short.is_file():
                yield short


def event(event: str, payload: Mapping[str, object], *, at: str, cwd: str = "", session: str = "") -> HookEvent:
    """A hook payload as an event. A model call after the first of a conversation keeps its number as ``source``."""
    folders = payload.get("workspacePaths")
    first = folders[0] if isinstance(folders, list) and folders and isinstance(folders[0], str) else ""
    number = payload.get("invocationNum")
    found = allowed_event(NAME, event, payload, at=at, cwd=first or cwd, session=session, source=("terminationReason",),
                          session_names=("conversationId",), transcript_names=("transcriptPath",))
    if isinstance(number, int) and number > 0:
        found = replace(found, source=f"invocation-{number}")
    full = os.path.join(os.path.dirname(found.transcript), FULL)
    if os.path.basename(found.transcript) == SHORT and os.path.isfile(full):
        found = replace(found, transcript=full)
    return found


def head(path: Path) -> Head | None:
    """What the folders' names and the first steps say."""
    from agent_memory.capture.agents import antigravity_records

    return antigravity_records.head(path)


def read(path: Path, after: Cursor | None, *, seen: Collection[str] = (), now: datetime) -> Iterator[Record]:
    """Records after a cursor; see `base.AgentModule.read`."""
    from agent_memory.capture.agents import antigravity_records

    return antigravity_records.read(path, after, seen=seen, now=now)


def reply(context: str, event: HookEvent) -> str:
    """Start context as a step that stays in the conversation, at its first model call only."""
    if event.event != "session-start" or not context or event.source.startswith("invocation-"):
        return ""
    return json.dumps({"injectSteps": [{"systemMessage": {"systemMessage": context}}]})
