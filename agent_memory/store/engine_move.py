"""Move a home to another graph engine: the new graph is made from the journal and proved before the old one goes."""

from __future__ import annotations

from agent_memory.errors import UsageError
from agent_memory.store.engines import registry
from agent_memory.store.open import Store
from agent_memory.store.remake import RebuildReport, rebuild_leased


def move_engine(store: Store, to: str) -> RebuildReport:
    """Make the graph with the engine ``to`` from the journal; the old file stays until the new one equals the journal.

    Runs the engines in processes of their own, since one process can load only one of them.

    Raises:
        UsageError: unknown engine, or the home uses it already.
        StoreError: the engine is not installed; nothing was changed.
        GraphDamaged, JournalDamaged: see `rebuild`; nothing was changed.
    """
    registry.check_name(to)
    with store.exclusive() as applier:
        if applier.engine == to:
            raise UsageError(f"this home uses the engine {to} already", hint="Nothing was changed.")
        return rebuild_leased(store.home, to)
