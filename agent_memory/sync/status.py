"""What `sync --status` and `doctor` say: views with edits that are not in the graph yet, and conflicts."""

from __future__ import annotations

from dataclasses import dataclass

from agent_memory.materialize import cursor
from agent_memory.model.memory import MemoryNode
from agent_memory.paths import Home
from agent_memory.sync.read import states
from agent_memory.sync.run import Syncable, contested, read_graph


@dataclass(frozen=True, slots=True)
class SyncStatus:
    """``edited`` views wait for a pass, ``gone`` are (view, "vanished" or "emptied"), ``unreadable`` (view, reason).

    ``conflicts`` are pairs of memories of which a person should delete or change one; the second is None where only one
    text is left to decide on.
    """

    edited: tuple[str, ...] = ()
    gone: tuple[tuple[str, str], ...] = ()
    unreadable: tuple[tuple[str, str], ...] = ()
    conflicts: tuple[tuple[MemoryNode, MemoryNode | None], ...] = ()

    @property
    def clean(self) -> bool:
        """True if nothing waits for a person or a pass."""
        return not (self.edited or self.gone or self.unreadable or self.conflicts)


def unsynced(home: Home) -> list[str]:
    """Names of views whose file differs from what was agreed on; reads no graph."""
    return cursor.unsynced(home)


def status(store: Syncable) -> SyncStatus:
    """The state of the views and the conflicts in the graph; changes nothing."""
    views = states(store.home)
    with store.read() as graph:
        pairs = contested(read_graph(graph))
    return SyncStatus(
        tuple(v.name for v in views if v.edited and not v.unreadable and not v.gone),
        tuple((v.name, v.gone) for v in views if v.gone),
        tuple((v.name, v.unreadable) for v in views if v.unreadable),
        tuple(pairs),
    )
