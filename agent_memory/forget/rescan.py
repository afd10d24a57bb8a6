"""Redaction rules of today over data of yesterday: journal, graph, search file, inbox and backups are rewritten."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from agent_memory import files
from agent_memory.model import lifecycle
from agent_memory.model.change import Batch, Change, PutNode
from agent_memory.model.graph import key_of, table_of
from agent_memory.model.memory import MemoryNode
from agent_memory.paths import Home
from agent_memory.store.open import Store
from agent_memory.store.remake import rebuild_leased
from agent_memory.store.rewrite_backups import rewrite_backups
from agent_memory.store.words import rewritten, rewritten_batch

Redactor = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class RescanReport:
    """What the rules found. ``nodes`` counts affected nodes by table; for a dry run nothing was changed."""

    nodes: dict[str, int]
    records: int
    inbox: int
    backups_rewritten: tuple[str, ...]
    backups_removed: tuple[str, ...]
    dry_run: bool


def redact_rescan(store: Store, redact: Redactor, *, now: datetime, actor: str = "redact", dry_run: bool = True,
                  refresh: Callable[[], object] | None = None) -> RescanReport:
    """Apply a redactor to everything that is stored.

    Ids, times and positions stay; affected texts are replaced where they stand in the journal, so that no older form is
    left, and the graph is made anew. Safe to repeat after a crash.

    Args:
        store: The store.
        redact: Gives a text without what must not be kept; applied to its own output it changes nothing.
        now: The present.
        actor: Who is named in the history of affected memories.
        dry_run: Only count.
        refresh: Renders views and agreed texts again.

    Raises:
        LeaseTimeout, JournalDamaged: nothing was changed.
    """
    affected: dict[tuple[str, str], str] = {}
    with store.read() as graph:
        behind = False
        for node in graph.nodes():
            if rewritten(node, redact) is not node:
                behind = True
                affected[table_of(node), key_of(node)] = node.id if isinstance(node, MemoryNode) else ""
    for batch in store.batches():
        for change in batch.changes:
            if isinstance(change, PutNode) and rewritten(change.node, redact) is not change.node:
                node = change.node
                affected[table_of(node), key_of(node)] = node.id if isinstance(node, MemoryNode) else ""
    counts = _by_table(affected)
    if dry_run:
        return RescanReport(counts, 0, 0, (), (), True)

    def clean(batch: Batch) -> Batch:
        return rewritten_batch(batch, redact)

    with store.exclusive() as applier:
        records = store.journal.rewrite(clean)
        told: list[Change] = [
            lifecycle.happening(memory, "redacted", "", "redaction rules were applied again", actor, now)
            for memory in sorted({i for i in affected.values() if i})]
        if told:
            store.journal.append(told, at=now, actor=f"{actor}: rescan")
        if records or behind:
            rebuild_leased(store.home, applier.engine)
        inbox = _inbox(store.home, redact)
        rewritten_ids, removed = rewrite_backups(store.home, clean, ())
    if refresh is not None and (records or behind):
        refresh()
    return RescanReport(counts, records, inbox, rewritten_ids, removed, False)


def _by_table(affected: dict[tuple[str, str], str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for table, _ in affected:
        counts[table] = counts.get(table, 0) + 1
    return dict(sorted(counts.items()))


def _inbox(home: Home, redact: Redactor) -> int:
    changed = 0
    for path in sorted(home.inbox.rglob("*.json")):
        try:
            event = json.loads(path.read_bytes())
        except (OSError, ValueError):
            continue  # the worker reports what it cannot read
        clean = _clean(event, redact)
        if clean != event:
            files.write_atomic(path, json.dumps(clean, ensure_ascii=False).encode("utf-8", "replace"))
            changed += 1
    return changed


def _clean(value: Any, redact: Redactor) -> Any:
    if isinstance(value, dict):
        return {name: _clean(inner, redact) for name, inner in value.items()}
    if isinstance(value, list):
        return [_clean(inner, redact) for inner in value]
    return redact(value) if isinstance(value, str) and value else value
