"""A journal that cannot be trusted is written anew from a graph that can.

The graph holds the outcome of every batch; what is lost with the old journal is only when each state was set. The old
journal goes into a backup as it is, before the exchange.
"""

from __future__ import annotations

import secrets
import shutil
from datetime import datetime
from pathlib import Path

from agent_memory import files
from agent_memory.errors import AgentMemoryError
from agent_memory.store import backup, child, swap
from agent_memory.store.applier import open_index
from agent_memory.store.digest import Summary, differing, summary
from agent_memory.store.engines import registry
from agent_memory.store.lease import hold
from agent_memory.store.open import Store
from agent_memory.store.swap import Move


def needed(store: Store) -> str:
    """Why the journal cannot be replayed whole, in words; "" if it can."""
    damage = store.journal.damage()
    segments = store.journal.segments()
    real = [d for d in damage if not (segments and d.segment == segments[-1].path.name and d.reason.startswith("torn"))]
    if real:
        return f"{real[0].segment} line {real[0].line}: {real[0].reason}"
    end = store.position()
    if registry.is_persistent(store.engine) and store.home.graph.exists() and _search_position(store) > end:
        try:
            at = child.probe(store.engine, store.home.graph).position
        except AgentMemoryError:
            return ""  # the graph is no help; the journal is what there is
        if at > end:
            return f"it ends at {end}, the graph stands at {at}"
    return ""


def _search_position(store: Store) -> int:
    if not store.home.search.exists():
        return 1 << 62  # unknown: ask the graph
    index = open_index(store.home.search)
    try:
        return index.position() or 1 << 62
    finally:
        index.close()


def salvage(store: Store, *, now: datetime) -> str:
    """Write the journal anew from the graph, if the graph can be read.

    Returns:
        Id of the backup that holds the old journal; "" if the graph is no help and nothing was changed.

    Raises:
        StoreError: the disk refused; nothing was changed.
    """
    home = store.home
    if not (registry.is_persistent(store.engine) and home.graph.exists()):
        return ""
    stage = home.graph.with_name(f".new-{secrets.token_hex(6)}")
    try:
        with store.exclusive():
            found = _written(store.engine, home.graph, stage / "journal")
        if found is None:
            return ""
        kept = backup.create(store, now=now, reason="before the journal was made from the graph",
                             keep=backup.KEEP + 1, verified=False).backup.id
        with store.exclusive(), hold(store.journal.lock, exclusive=True, wait=store.wait, what="the journal"):
            new = [p for p in sorted((stage / "journal").glob("*")) if not p.name.startswith(".")]
            names = {p.name for p in new}
            moves = [Move(_name(store, p)) for p in store.journal.paths() if p.name not in names]
            moves += [Move(_name(store, home.journal / p.name), _name(store, p)) for p in new]
            swap.exchange(home, f"{kept}-journal", moves)
    finally:
        if not swap.pending(home):
            shutil.rmtree(stage, ignore_errors=True)
    return kept


def _name(store: Store, path: Path) -> str:
    return path.relative_to(store.home.root).as_posix()


def _written(engine: str, graph: Path, target: Path) -> Summary | None:
    """Write the graph as a journal; None if it cannot be read or does not come out the same."""
    files.make_folder(target)
    try:
        before = child.dump(engine, graph, target)
        after = summary(child.from_journal(target))
    except AgentMemoryError:
        return None
    return None if differing(before, after) else after
