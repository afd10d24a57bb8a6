"""Plain lines that the next start payload must carry, because capture or a model has been failing unnoticed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agent_memory.flow.place import Place


def alarms(place: Place) -> list[str]:
    """What a person should know at the next start; empty if all is well."""
    found: list[str] = []
    aside = place.store.aside()
    if aside:
        found.append(f"{len(aside)} stored batches could not be applied to the graph; "
                     "run agent-utilities-memory verify.")
    return found
