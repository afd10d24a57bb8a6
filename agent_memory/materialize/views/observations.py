"""observations.md: what was observed, by day, newest first."""

from __future__ import annotations

from datetime import UTC, timedelta
from itertools import groupby

from agent_memory.materialize.items import bullet, link, seen
from agent_memory.materialize.snapshot import Snapshot
from agent_memory.model.memory import MemoryNode, MemoryType
from agent_memory.model.view import Document, Section

NAME = "observations.md"
DAYS = 30
MOST = 300


def build(snapshot: Snapshot) -> Document:
    """The view. It reaches ``DAYS`` back from the newest observation, not from today, and holds at most ``MOST``.

    Days are in UTC. Each bullet names its kind and its project.
    """
    observed = [m for m in snapshot.memories if m.type is MemoryType.OBSERVATION]
    shown: list[MemoryNode] = []
    if observed:
        since = observed[0].created_at - timedelta(days=DAYS)
        shown = [m for m in observed if m.created_at >= since][:MOST]
    sections = tuple(
        Section(day, day, tuple(bullet(m, m.kind.value, link(snapshot, m.project), seen(m)) for m in group))
        for day, group in groupby(shown, key=lambda m: m.created_at.astimezone(UTC).date().isoformat()))
    older = len(observed) - len(shown)
    intro = "What agents and people said, newest first, by day (UTC)."
    if older:
        intro += f" {older} older in the graph; recall finds them."
    front = (("title", "Observations"), ("tags", ("agent-memory", "agent-memory/observations")))
    return Document(NAME, "Observations", front, intro, sections)
