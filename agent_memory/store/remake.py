"""Graph and search file made anew from the journal, by callers that hold the exclusive lease."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from pathlib import Path

from agent_memory.errors import GraphDamaged
from agent_memory.model.graph import EDGES, TABLES
from agent_memory.paths import Home
from agent_memory.store import aside, child, engine_file, swap
from agent_memory.store.applier import open_index, remove_database
from agent_memory.store.applier import swap as put_in_place
from agent_memory.store.digest import Summary, differing, summary
from agent_memory.store.engines import registry


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


def rebuild_leased(home: Home, engine: str) -> RebuildReport:
    """Make the graph from the journal, prove it equal, put it in place, and make the search file.

    Raises:
        JournalDamaged, GraphDamaged: nothing was changed.
    """
    cleared = len(swap.clear_leftovers(home))
    retried = len(aside.entries(home))
    # a name of its own, since the child of a process that was killed may still write to the last one
    new = home.graph.with_name(f".new-{secrets.token_hex(6)}.db")
    made = _proved(home, engine, new, set())
    if made is None and retried:
        made = _proved(home, engine, new, aside.positions(home))
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
        index.rebuild(child.batches(home.journal, aside.positions(home), position))
    finally:
        index.close()
