"""A folder of the ``observational-memory`` tool, as items for an import: each marked bullet is one observation.

Its Markdown files hold dated sections (``## 2026-02-10`` or ``Date: 2026-02-10``) of bullets that begin with a red,
yellow or green circle, often with a time. Another tool's model wrote them, so they come in as plain facts that no
one vouches for. The folder is read only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from agent_memory import clock, ids
from agent_memory.errors import NotFoundError, UsageError
from agent_memory.store.import_read import Refused
from agent_memory.text import marker, private
from agent_memory.text.normal import content_hash

FILES: Final = ("observations.md", "reflections.md", "profile.md", "active.md")
"""Read in this order; a text that stands in several files comes in once, from the first."""
MAX_FILE: Final = 16 << 20
"""Longer files (bytes) are refused unread."""
OBSERVER: Final = "observational-memory"
"""Named as the observer of what comes in, so that it can be told apart, found and forgotten."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PRIORITY = {"🔴": "red", "🟡": "yellow", "🟢": "green"}
_DAY = re.compile(r"^\s*(?:#{1,6}\s+|\*{0,2}Date:\*{0,2}\s*)(?:Date:\s*)?(\d{4}-\d{2}-\d{2})\b")
_BULLET = re.compile(r"^\s*[-*+]\s+(🔴|🟡|🟢)\ufe0f?\s*(?:\(?([01]?\d|2[0-3]):([0-5]\d)\)?\s+)?(.*\S)")
_FENCE = re.compile(r"^\s*(?:```|~~~)")


def read_observation_folder(folder: Path) -> Iterator[tuple[int, dict[str, Any] | Refused]]:
    """Items of the folder's files, each with its line. A file that cannot be read is named and the rest goes on.

    Raises:
        NotFoundError: there is no such folder.
        UsageError: none of the tool's files is in it.
    """
    if not folder.is_dir():
        raise NotFoundError(f"no such folder: {folder}", hint="nothing was imported")
    found = [folder / name for name in FILES if (folder / name).is_file()]
    if not found:
        raise UsageError(f"no file of observational-memory in {folder}",
                         hint=f"nothing was imported; the folder should hold {' or '.join(FILES[:2])}")
    known: set[str] = set()
    for path in found:
        try:
            if path.stat().st_size > MAX_FILE:
                yield 0, Refused(0, f"{path.name}: larger than {MAX_FILE >> 20} MB")
                continue
            text = path.read_bytes().decode("utf-8-sig")
        except OSError as problem:
            yield 0, Refused(0, f"{path.name}: {problem.strerror}")
            continue
        except UnicodeDecodeError as problem:
            yield 0, Refused(0, f"{path.name}: not UTF-8 at byte {problem.start}")
            continue
        for number, item in _items(path, text):
            digest = content_hash(item["text"])
            if digest not in known:
                known.add(digest)
                yield number, item


def _items(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The bullets of one file. What stands in code, in private spans or in our own payload is no bullet."""
    day, fenced, spans = "", False, private.PrivateSpans()
    moved = marker.has_marker(text)  # without our own block, line numbers would be wrong
    for number, raw in enumerate(marker.strip(text).splitlines(), 1):
        line = spans.hide(raw)
        if _FENCE.match(line):
            fenced = not fenced
        if fenced:
            continue
        if heading := _DAY.match(line):
            day = heading[1]
        elif bullet := _BULLET.match(line):
            mark, hour, minute, said = bullet.groups()
            if said == private.TOKEN:
                continue
            at = _moment(day, hour, minute)
            item: dict[str, Any] = {
                "type": "reflection" if path.name == "reflections.md" else "observation",
                "id": ids.derive(at or _EPOCH, OBSERVER, path.name, content_hash(said)), "text": said,
                "kind": "fact", "priority": _PRIORITY[mark], "scope": "personal", "tags": [OBSERVER],
                "observer": OBSERVER, "source": {"file": str(path), "lines": [0, 0] if moved else [number, number]}}
            if at:
                item["created_at"] = clock.text(at)
            yield number, item


def _moment(day: str, hour: str | None, minute: str | None) -> datetime | None:
    """The bullet's time; the files name no zone, so it is taken as UTC. None without a possible date."""
    try:
        return datetime.fromisoformat(day).replace(hour=int(hour or 0), minute=int(minute or 0), tzinfo=UTC)
    except ValueError:
        return None
