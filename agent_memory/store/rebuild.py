"""The graph and the search file made anew from the journal, proved equal to it, then put in the place of the old."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from agent_memory import clock
from agent_memory.store import salvage
from agent_memory.store.open import Store
from agent_memory.store.remake import RebuildReport as RebuildReport
from agent_memory.store.remake import rebuild_leased


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
    why = salvage.needed(store)
    kept = salvage.salvage(store, now=now or clock.now()) if why else ""
    with store.exclusive() as applier:
        report = rebuild_leased(store.home, applier.engine)
    return replace(report, salvaged=why, old_journal=kept) if kept else report
