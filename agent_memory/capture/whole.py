"""Files that a host writes anew each time: one JSON document with a list of messages."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent_memory.capture import fields
from agent_memory.capture.lines import TAIL, Line, open_transcript, tail_hash
from agent_memory.model.transcript import Cursor


@dataclass(frozen=True, slots=True)
class Document:
    """A document as read. It is a place for a cursor: it stands for the whole file or for nothing."""

    data: dict[str, Any] | None
    identity: str
    offset: int
    tail: str
    lines: int = 1

    def unchanged(self, cursor: Cursor | None) -> bool:
        """True if the cursor stands for these bytes."""
        return cursor is not None and bool(cursor.offset) and (cursor.offset, cursor.tail) == (self.offset, self.tail)


def load(path: Path) -> Document:
    """The document; ``data`` is None while it is half written or no JSON object.

    Raises:
        TranscriptError: it cannot be read.
    """
    with open_transcript(path) as file:
        raw = file.read()
    about = os.stat(path)
    return Document(fields.loads(raw), f"{about.st_dev}:{about.st_ino}", len(raw), tail_hash(raw[-TAIL:]))


def line_of(number: int, item: dict[str, Any]) -> Line:
    """An item of the document's list as a line: its number from 1, and its JSON in one fixed form."""
    return Line(number, json.dumps(item, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace"))


def digest(value: str) -> str:
    """A short hash for items without an id."""
    return hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()[:24]
