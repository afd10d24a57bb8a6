"""Taking purged things out of the journal: what goes, said without the text, so that a crash loses nothing.

A `Scrub` names nodes by key, and changes of which a field is emptied by a keyed hash. It can be applied any number of
times, to the journal and to the journals in backups.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agent_memory.model.change import Batch, Change, PutEdge, PutNode, SetCursor, SetState, encode
from agent_memory.model.graph import Happening, key_of, table_of
from agent_memory.store.holders import Finder, blanked, fields_with, goes_whole


@dataclass(frozen=True, slots=True)
class Scrub:
    """What to take out. ``doomed``: (table, key) of nodes. ``subjects``: ids whose happenings go too.

    ``emptied``: keyed hash of a change → fields that become empty.
    """

    doomed: frozenset[tuple[str, str]]
    subjects: frozenset[str] = frozenset()
    emptied: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Plain data; holds no text."""
        return {"doomed": sorted(map(list, self.doomed)), "subjects": sorted(self.subjects),
                "emptied": {k: list(v) for k, v in sorted(self.emptied.items())}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Scrub:
        """From plain data."""
        return cls(frozenset((t, k) for t, k in data["doomed"]), frozenset(data["subjects"]),
                   {k: tuple(v) for k, v in data["emptied"].items()})


def mark(change: Change, key: bytes) -> str:
    """Keyed hash of a change."""
    text = json.dumps(encode(change), sort_keys=True, ensure_ascii=False)
    return hmac.new(key, text.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def plan(batches: Iterable[Batch], doomed: frozenset[tuple[str, str]], subjects: frozenset[str], finder: Finder,
         key: bytes) -> Scrub:
    """What to take out of these batches: ``doomed`` nodes, and whatever else holds one of the finder's texts."""
    more = set(doomed)
    emptied: dict[str, tuple[str, ...]] = {}
    for batch in batches:
        for change in batch.changes:
            if isinstance(change, PutNode) and goes_whole(change.node) and fields_with(change.node, finder):
                more.add((table_of(change.node), key_of(change.node)))
            elif fields := blanked(change, finder):
                emptied[mark(change, key)] = fields
    return Scrub(frozenset(more), subjects, emptied)


def apply(batch: Batch, scrub: Scrub, key: bytes) -> Batch:
    """The batch without what the scrub names; the same object if it holds nothing of it."""
    kept = tuple(c for change in batch.changes if (c := _kept(change, scrub, key)) is not None)
    if len(kept) == len(batch.changes) and all(a is b for a, b in zip(kept, batch.changes, strict=True)):
        return batch
    return replace(batch, changes=kept)


def _kept(change: Change, scrub: Scrub, key: bytes) -> Change | None:
    match change:
        case PutNode(node):
            if (table_of(node), key_of(node)) in scrub.doomed:
                return None
            if isinstance(node, Happening) and node.subject in scrub.subjects:
                return None
        case SetState(table, name, _):
            return None if (table, name) in scrub.doomed else change
        case PutEdge(edge):
            if {(edge.source_table, edge.source), (edge.target_table, edge.target)} & scrub.doomed:
                return None
        case SetCursor():
            pass
        case _:
            return change
    fields = scrub.emptied.get(mark(change, key)) if scrub.emptied else None
    return _emptied(change, fields) if fields else change


def _emptied(change: Change, fields: tuple[str, ...]) -> Change:
    match change:
        case PutNode(node):
            empty: dict[str, Any] = {f: () if isinstance(getattr(node, f), tuple) else "" for f in fields}
            return PutNode(replace(node, **empty))
        case PutEdge(edge):
            return PutEdge(replace(edge, reason=""))
        case SetCursor(cursor):
            return SetCursor(replace(cursor, state="{}" if "state" in fields else cursor.state,
                                     seen=() if "seen" in fields else cursor.seen))
    return change
