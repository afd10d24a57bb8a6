"""What a host took back after it was stored: a later record says so, since stored records never change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from agent_memory.model.transcript import Message, ToolEvent, Via

ONWARDS: Final = " …"
"""Ends the text of a rewind that takes back all records from the named one up to the rewind."""


def standing(records: Sequence[Message | ToolEvent]) -> tuple[list[Message | ToolEvent], frozenset[str]]:
    """Records of one session, in order, that were not taken back; and the ids of those that were.

    Rewinds themselves are left out. One that names a record not among these takes nothing back.
    """
    if not any(isinstance(r, Message) and r.via is Via.REWIND for r in records):
        return list(records), frozenset()
    kept: list[Message | ToolEvent] = []
    gone: set[str] = set()
    for record in records:
        if not isinstance(record, Message) or record.via is not Via.REWIND:
            kept.append(record)
            continue
        named = record.text.removesuffix(ONWARDS)
        place = next((i for i in range(len(kept) - 1, -1, -1) if kept[i].record == named), None)
        if place is None:
            continue
        end = len(kept) if record.text.endswith(ONWARDS) else place + 1
        gone.update(r.id for r in kept[place:end])
        del kept[place:end]
    return kept, frozenset(gone)
