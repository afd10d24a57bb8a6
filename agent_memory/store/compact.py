"""Give back the disk that history took: graph and search file made anew, closed journal segments compressed."""

from __future__ import annotations

import gzip
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from agent_memory.files import make_folder, write_atomic
from agent_memory.model.change import PutNode
from agent_memory.paths import Home
from agent_memory.store import swap
from agent_memory.store.applier import companions
from agent_memory.store.journal import Journal, Segment
from agent_memory.store.lease import hold
from agent_memory.store.open import Store
from agent_memory.store.remake import rebuild_leased
from agent_memory.store.swap import Move

_WORTH: Final = 256 << 10
"""Bytes from which the last segment is worth compressing."""


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
        packed = _pack(home, applier.journal, store.wait)
        return CompactReport(before, sizes(home), _text(applier.journal), packed)


def _pack(home: Home, journal: Journal, wait: float) -> int:
    """Compress every segment; the last record stays in a plain one of its own, to which appends go."""
    packed = 0
    if not journal.segments():
        return 0
    with hold(journal.lock, exclusive=True, wait=wait, what="the journal"):
        *closed, last = journal.segments()
        for segment in closed:
            if not segment.packed:
                journal.replace(segment, segment.path.read_bytes(), packed=True)
                packed += 1
        if not last.packed and last.path.stat().st_size >= _WORTH:
            packed += _split(home, last)
    return packed


def _split(home: Home, last: Segment) -> int:
    """Close the last segment before its last record; 1 if that was done."""
    lines = last.path.read_bytes().splitlines(keepends=True)
    if len(lines) < 2 or not lines[-1].endswith(b"\n"):
        return 0  # a torn end is moved aside by the next append
    tail = f"{last.first + len(lines) - 1:08d}.jsonl"
    stage = home.graph.with_name(f".new-{secrets.token_hex(6)}")
    make_folder(stage)
    write_atomic(stage / "packed", gzip.compress(b"".join(lines[:-1]), 6, mtime=0))
    write_atomic(stage / "tail", lines[-1])

    def name(path: Path) -> str:
        return path.relative_to(home.root).as_posix()

    swap.exchange(home, "split", [
        Move(name(last.path)), Move(name(last.path.with_name(last.path.name + ".gz")), name(stage / "packed")),
        Move(name(last.path.with_name(tail)), name(stage / "tail"))])
    stage.rmdir()
    return 1


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
