"""Is what a memory cites still there? A source is read again and compared with what was remembered of it.

``grounded`` the cited lines are as they were, ``drifted`` the file is there but the lines changed or moved, ``gone``
the file is no more, ``unverifiable`` nothing to compare with (no file, no hash, not readable).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from agent_memory.recall.hit import Hit, Source

STATES: Final = ("grounded", "drifted", "gone", "unverifiable")
_LONGEST_LINE = 16 * 1024 * 1024


def check(source: Source) -> str:
    """One of STATES for a source. The hash is that of the raw line or lines, line feed included."""
    if not source.file or not source.sha256 or source.lines[0] < 1:
        return "unverifiable"
    path = Path(source.file).expanduser()
    try:
        lines = b"".join(_lines(path, *source.lines))
    except FileNotFoundError:
        return "gone"
    except OSError:
        return "unverifiable"
    return "grounded" if hashlib.sha256(lines).hexdigest() == source.sha256 else "drifted"


def grounded(hits: list[Hit]) -> list[Hit]:
    """The hits with their grounding checked."""
    return [replace(hit, grounding=check(hit.source)) for hit in hits]


def context_lines(source: Source, around: int = 2) -> list[tuple[int, str]]:
    """Numbered raw lines of the source and ``around`` more on both sides; empty if the file cannot be read.

    Each line is cut at 2,000 characters; transcripts hold whole messages in one line.
    """
    if not source.file or source.lines[0] < 1:
        return []
    first = max(1, source.lines[0] - around)
    try:
        found = list(_lines(Path(source.file).expanduser(), first, source.lines[1] + around))
    except OSError:
        return []
    return [(first + i, line.decode("utf-8", "replace").rstrip("\r\n")[:2000]) for i, line in enumerate(found)]


def _lines(path: Path, first: int, last: int) -> Iterator[bytes]:
    """Raw lines ``first`` to ``last``, counted from 1."""
    with path.open("rb") as file:
        for number in range(1, max(first, last) + 1):
            line = file.readline(_LONGEST_LINE)
            if not line:
                return
            if number >= first:
                yield line
