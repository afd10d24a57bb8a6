"""The steps of a purge under the lease, each safe to repeat, so that a killed one can be carried on."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent_memory import files
from agent_memory.model.change import Batch, Change, Purge, PutNode
from agent_memory.model.graph import Tombstone
from agent_memory.paths import Home
from agent_memory.store import aside, purge_intent, scrub
from agent_memory.store.gone import PURGED_MARK, fingerprint, home_key, pieces
from agent_memory.store.holders import Finder
from agent_memory.store.journal import Journal
from agent_memory.store.purge_intent import Intent
from agent_memory.store.purge_views import strip_views
from agent_memory.store.remake import rebuild_leased
from agent_memory.store.rewrite_backups import rewrite_backups


@dataclass(frozen=True, slots=True)
class Done:
    """What one run did: journal records and inbox events that changed, backups rewritten and removed."""

    records: int
    inbox: int
    rewritten: tuple[str, ...]
    removed: tuple[str, ...]


def carry_out(home: Home, journal: Journal, engine: str, intent: Intent, finder: Finder,
              texts: Collection[str]) -> Done:
    """All steps under the exclusive lease; each may have been done before. Without ``finder`` and ``texts`` by hash."""
    key = home_key(home)
    known = {c.node.id for b in journal.batches() for c in b.changes
             if isinstance(c, PutNode) and isinstance(c.node, Tombstone)}
    if not set(intent.tombstones) <= known:
        marks: list[Change] = [PutNode(Tombstone(t, intent.at)) for t in intent.tombstones]
        journal.append([*marks, Purge(tuple(sorted(intent.scrub.doomed)))], at=intent.at,
                             actor=f"{intent.actor}: purge")

    def without(batch: Batch) -> Batch:
        return scrub.apply(batch, intent.scrub, key)

    records = journal.rewrite(without)
    for torn in journal.asides():
        torn.unlink(missing_ok=True)  # never acknowledged, and cannot be searched record by record
    for batch in [b for b in journal.batches() if b.position in aside.positions(home)]:
        aside.add(home, batch, "reason removed by a purge")
    rebuild_leased(home, engine)
    strip_views(home, intent.scrub)
    inbox = _purge_inbox(home, set(intent.tombstones), key, finder)
    rewritten, removed = rewrite_backups(home, without, texts)
    return Done(records, inbox, rewritten, removed)


def resume_leased(home: Home, journal: Journal, engine: str) -> tuple[Intent, Done] | None:
    """Carry a killed purge on to its end; None if there is none. The caller holds the exclusive lease."""
    intent = purge_intent.load(home)
    if intent is None:
        return None
    done = carry_out(home, journal, engine, intent, Finder(()), ())
    purge_intent.done(home)
    return intent, done


def _purge_inbox(home: Home, marks: Collection[str], key: bytes, finder: Finder) -> int:
    """Events that wait for the worker lose what is purged; gives how many."""
    changed = 0
    for path in _events(home):
        try:
            event = json.loads(path.read_bytes())
        except (OSError, ValueError):
            continue  # the worker reports what it cannot read; the proof names the file if it holds the text
        clean = _clean(event, marks, key, finder)
        if clean != event:
            files.write_atomic(path, json.dumps(clean, ensure_ascii=False).encode("utf-8", "replace"))
            changed += 1
    return changed


def _events(home: Home) -> Iterator[Path]:
    return (p for p in sorted(home.inbox.rglob("*.json")) if p.is_file())


def _clean(value: Any, marks: Collection[str], key: bytes, finder: Finder) -> Any:
    if isinstance(value, dict):
        return {name: _clean(inner, marks, key, finder) for name, inner in value.items()}
    if isinstance(value, list):
        return [_clean(inner, marks, key, finder) for inner in value]
    if isinstance(value, str) and value and (
            finder.inside(value) or any(fingerprint(key, p) in marks for p in (value, *pieces(value)))):
        return PURGED_MARK
    return value
