"""What every agent module offers. The module itself is the object: `capture/registry.py` names them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Protocol

from agent_memory.capture.records import Head, Record
from agent_memory.model.event import HookEvent
from agent_memory.model.transcript import Cursor

__all__ = ["AgentModule", "Head", "Record"]


class AgentModule(Protocol):
    """The functions of an agent's module."""

    NAME: str

    def find(self, env: Mapping[str, str], home: Path) -> Iterator[Path]:
        """Transcripts of this agent on this machine, in no order. ``home`` is the user's home folder."""

    def event(self, event: str, payload: Mapping[str, object], *, at: str, cwd: str = "",
              session: str = "") -> HookEvent:
        """A hook payload as an event: allow-listed fields only. ``cwd`` and ``session`` fill what it lacks."""

    def head(self, path: Path) -> Head | None:
        """What the beginning of a transcript says; None if it holds no record of a session (yet)."""

    def read(self, path: Path, after: Cursor | None, *, seen: Collection[str] = (), now: datetime) -> Iterator[Record]:
        """Records after a cursor, in order of position, with cursors in between and at the end.

        ``seen`` holds ids of records that are stored already (other file, rewritten file). A `Session` comes before its
        records. Text is cleaned of wrappers and private spans but not of secrets: `capture/ingest.py` redacts.

        Raises:
            TranscriptError: the file cannot be read at all.
        """

    def reply(self, context: str, event: HookEvent) -> str:
        """What the host expects on standard output for this event; ``context`` may be empty."""
