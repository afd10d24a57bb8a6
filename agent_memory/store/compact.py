"""Give back the disk that history took: graph and search file made anew, closed journal segments compressed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from agent_memory.model.change import PutNode
from agent_memory.paths import Home
from agent_memory.store.applier import companions
from agent_memory.store.journal import Journal
from agent_memory.store.lease import hold
from agent_memory.store.open import Store
from agent_memory.store.rebuild import rebuild_leased


@dataclass(frozen=True, slots=True)
class CompactReport:
    """Bytes by part (graph, search, journal) before and after; ``text`` is what the memories and messages hold."""

    before: Mapping[str, int] = field(default_factory=dict)
    after: Mapping[str, int] = field(default_factory=dict)
    text: int = 0
    packed: int = 0  # segments compressed now

    @property
    def saved(self) -> int:
        """Bytes given back."""
        return sum(self.before.values()) - sum(self.after.values())


def compact(store: Store) -> CompactReport:
    """Rebuild graph and search file and compress the closed segments of the journal. Nothing is forgotten.

    Raises:
        JournalDamaged, GraphDamaged, LeaseTimeout: see `rebuild`; every file is as it was, or smaller and sound.
    """
    home = store.home
    with store.exclusive() as applier:
        before = sizes(home)
        if applier.journal.position():
            rebuild_leased(home, applier.engine)
        packed = _pack(applier.journal, store.wait)
        return CompactReport(before, sizes(home), _text(applier.journal), packed)


def _pack(journal: Journal, wait: float) -> int:
    """Compress every segment but the last, to which appends go."""
    packed = 0
    if not journal.segments():
        return 0
    with hold(journal.lock, exclusive=True, wait=wait, what="the journal"):
        for segment in journal.segments()[:-1]:
            if not segment.packed:
                journal.replace(segment, segment.path.read_bytes(), packed=True)
                packed += 1
    return packed


def _text(journal: Journal) -> int:
    total = 0
    for batch in journal.batches():
        for change in batch.changes:
            if isinstance(change, PutNode):
                total += sum(len(text.encode("utf-8", "replace")) for name in ("text", "input", "output")
                             if (text := getattr(change.node, name, "")))
    return total


def sizes(home: Home) -> dict[str, int]:
    """Bytes of the graph, the search file and the journal, with all that stands beside them."""
    search = [home.search, *(home.search.with_name(home.search.name + end) for end in ("-wal", "-shm"))]
    return {"graph": _bytes([home.graph, *companions(home.graph)]), "search": _bytes(search),
            "journal": _bytes(Journal(home.journal).paths())}


def _bytes(paths: list[Path]) -> int:
    return sum(p.stat().st_size for p in paths if p.exists())
