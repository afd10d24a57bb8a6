"""Bullets of purged memories leave the views and their agreed texts at once, both alike, so that nothing takes them for
an edit; what was only copied into prose is left to the next rendering and to the proof.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import Final

from agent_memory.files import write_atomic
from agent_memory.paths import Home
from agent_memory.store.scrub import Scrub

_MARK: Final = re.compile(r"<!-- [mi]:([0-9A-Za-z_.:@-]+) -->")
_ITEM: Final = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]")


def strip_views(home: Home, scrub: Scrub) -> int:
    """Take the bullets out whose trailing comment names something purged; gives how many files changed.

    Raises:
        OSError: a view cannot be read or written.
    """
    ids = {key.partition("@")[0] for _, key in scrub.doomed} | {key for _, key in scrub.doomed}
    changed = 0
    for path in _views(home):
        data = path.read_bytes()
        clean = stripped(data.decode("utf-8", "surrogateescape"), ids)
        new = clean.encode("utf-8", "surrogateescape")
        if new != data:
            write_atomic(path, new)
            changed += 1
    return changed


def _views(home: Home) -> list[Path]:
    return sorted(p for p in home.views.rglob("*") if p.is_file() and (p.name.endswith((".md", ".md.next"))))


def stripped(text: str, ids: Collection[str]) -> str:
    """The text without the list items whose last line names one of the ids.

    >>> stripped("# A\\n- one\\n  more <!-- m:x -->\\n- two <!-- m:y -->\\n", {"x"})
    '# A\\n- two <!-- m:y -->\\n'
    """
    kept: list[str] = []
    for line in text.splitlines(keepends=True):
        if any(found in ids for found in _MARK.findall(line)):
            while kept and not _ITEM.match(line):
                line = kept.pop()
            continue
        kept.append(line)
    return "".join(kept)
