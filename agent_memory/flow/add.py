"""Messages that are no transcript, handed over by a program: redacted like all text, found by recall."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from agent_memory.flow import forgetting
from agent_memory.model.change import Change, PutEdge, PutNode
from agent_memory.model.transcript import Message
from agent_memory.recall import items as recalled

if TYPE_CHECKING:
    from agent_memory.flow.place import Place


def add_items(place: Place, items: Iterable[Mapping[str, Any]]) -> int:
    """Journal the items in batches, then apply them together; how many were new. Purged text stays away.

    Raises:
        UsageError: an item lacks an id or a text; the batches before it are stored.
    """
    gone = forgetting.tombstoned(place)
    added = 0
    try:
        for changes in recalled.batches(place.home, items, now=place.now(), clean=place.redactor().text):
            purged = {c.node.id for c in changes
                      if isinstance(c, PutNode) and isinstance(c.node, Message) and gone(c.node.text)}
            kept = [c for c in changes if _key(c) not in purged]
            added += len({(c.node.session, c.node.record) for c in kept
                          if isinstance(c, PutNode) and isinstance(c.node, Message)})
            place.store.append(kept, at=place.now(), actor="items")
    finally:
        if added:
            place.store.catch_up()
            if place.meaning is not None:
                place.meaning.embed()
    return added


def _key(change: Change) -> str:
    """The node that a change is about."""
    match change:
        case PutNode(node):
            return node.id
        case PutEdge(edge):
            return edge.source
        case _:
            return ""
