"""The graph and the search file made anew from the journal, proved equal to it, then put in the place of the old."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from agent_memory import clock
from agent_memory.errors import GraphDamaged
from agent_memory.model.graph import EDGES, TABLES
from agent_memory.paths import Home
from agent_memory.store import aside, child, engine_file, swap
from agent_memory.store.applier import open_index, remove_database
from agent_memory.store.applier import swap as put_in_place
from agent_memory.store.digest import Summary, differing, summary
from agent_memory.store.engines import registry
from agent_memory.store.open import Store


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """Position, nodes and edges of the new graph; ``retried`` batches had been set aside and were tried again."""

    engine: str
    position: int
    nodes: int
    edges: int
    retried: int
    cleared: int  # leftovers of killed processes that were removed
    salvaged: str = ""  # why the journal was made anew from the graph
    old_journal: str = ""  # id of the backup that holds the old one


def rebuild(store: Store, *, now: datetime | None = None) -> RebuildReport:
    """Make graph and search file from the journal. The old graph stays in place until the new one is proved.

    If the journal is damaged or has lost its end, and the graph can be read, the journal is first made anew from the
    graph; the old one goes into a backup.

    Args:
        store: The store.
        now: The present, for the id of that backup; None to look at the clock.

    Raises:
        JournalDamaged: a record cannot be trusted, and the graph is no help; nothing was changed.
        GraphDamaged: the new graph differs from the journal; nothing was changed.
        LeaseTimeout: another process holds the graph; nothing was changed.
    """
    from agent_memory.store import salvage  # it makes a backup, and backups need this module

    why = salvage.needed(store)
    kept = salvage.salvage(store, now=now or clock.now()) if why else ""
    with store.exclusive() as applier:
        report = rebuild_leased(store.home, applier.engine)
    return replace(report, salvaged=why, old_journal=kept) if kept else report


def rebuild_leased(home: Home, engine: str) -> RebuildReport:
    """`rebuild` for callers that hold the exclusive lease."""
    cleared = len(swap.clear_leftovers(home))
    retried = len(aside.entries(home))
    # a name of its own, since the child of a process that was killed may still write to the last one
    new = home.graph.with_name(f".new-{secrets.token_hex(6)}.db")
    made = _proved(home, engine, new, set())
    if made is None and retried:
        made = _proved(home, engine, new, aside_positions(home))
        retried = 0
    if made is None:
        raise GraphDamaged("the graph that was made from the journal differs from it",
                           hint="Nothing was changed. This is a fault of the engine: try migrate-engine.")
    if retried:
        aside.clear(home)
    if registry.is_persistent(engine):
        put_in_place(new, home.graph)
    elif home.graph.exists():
        remove_database(home.graph)
    engine_file.record(home, engine, replace=True)
    aside.end(home)
    rebuild_search(home, made.position)
    return RebuildReport(engine, made.position, sum(made.counts.get(t, 0) for t in TABLES),
                         sum(made.counts.get(e, 0) for e in EDGES), retried, cleared)


def aside_positions(home: Home) -> set[int]:
    """Positions of the batches that were set aside."""
    return {entry.position for entry in aside.entries(home)}


def _proved(home: Home, engine: str, new: Path, left_out: set[int]) -> Summary | None:
    wanted = summary(child.from_journal(home.journal, left_out))
    remove_database(new)
    try:
        made = child.build(engine, new, home.journal, left_out)
    except GraphDamaged:
        made = None
    if made is None or differing(wanted, made):
        remove_database(new)
        return None
    return made


def rebuild_search(home: Home, position: int) -> None:
    """Make the search file anew from the journal."""
    if position == 0:
        return
    index = open_index(home.search)
    try:
        index.rebuild(child.batches(home.journal, aside_positions(home), position))
    finally:
        index.close()
