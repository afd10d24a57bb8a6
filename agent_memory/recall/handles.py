"""What a start payload left out, named by a handle ``startup:VIEW:SECTION``, and given whole on demand."""

from __future__ import annotations

from datetime import datetime

from agent_memory.errors import NotFoundError, UsageError
from agent_memory.paths import Home
from agent_memory.recall.sources import gather
from agent_memory.recall.view_chunks import Chunk

VIEWS = ("profile", "active", "project")


def expand(home: Home, handle: str, *, cwd: str, now: datetime) -> list[Chunk]:
    """All chunks of a section that may be shown in ``cwd``, in the order of the view.

    Raises:
        UsageError: the handle has another shape.
        NotFoundError: the view has no such section; the hint lists those it has.
    """
    kind, _, rest = handle.partition(":")
    view, _, section = rest.partition(":")
    if kind != "startup" or view not in VIEWS or not section:
        raise UsageError(f"{handle!r} is no handle",
                         hint=f"A handle is startup:VIEW:SECTION, with one of the views {', '.join(VIEWS)}.")
    sources = gather(home, cwd=cwd, now=now)
    sources.close()
    wanted = "" if section == "top" else section.casefold()
    wanted = _SINGULAR.get(wanted, wanted)
    chunks = [c for c in sources.chunks if c.view == view]
    found = [c for c in chunks if c.section == wanted]
    if not found:
        known = sorted({c.section or "top" for c in chunks})
        raise NotFoundError(f"nothing is stored under {handle}",
                            hint=f"Sections of {view}: {', '.join(known)}." if known else f"The view {view} is empty.")
    return found


_SINGULAR = {"preferences": "preference", "decisions": "decision", "lessons": "lesson", "facts": "fact",
             "patterns": "pattern", "summaries": "summary", "notes": "note"}
