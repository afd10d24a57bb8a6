"""Remove texts for good: graph, search file, journal, inbox and backups are made anew without them, and searched.

Order, each step safe to repeat: the intent (without the text) → fingerprints into the journal → segments rewritten →
graph and search file rebuilt → views, inbox and backups rewritten → intent removed → views rendered → proof. A purge
that was killed is carried on by the next command, without the text; only the proof then needs the text again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from agent_memory import files
from agent_memory.model.change import Batch, Change, Purge, PutNode
from agent_memory.model.graph import Tombstone
from agent_memory.paths import Home
from agent_memory.store import aside, proof, purge_intent, scrub
from agent_memory.store.gone import PURGED_MARK, fingerprint, home_key, pieces
from agent_memory.store.holders import Finder
from agent_memory.store.open import Store
from agent_memory.store.proof import Found
from agent_memory.store.purge_intent import Intent
from agent_memory.store.purge_plan import PurgePlan, counted, tombstones
from agent_memory.store.purge_views import strip_views
from agent_memory.store.rebuild import rebuild_leased
from agent_memory.store.rewrite_backups import rewrite_backups


@dataclass(frozen=True, slots=True)
class PurgeReport:
    """What was removed.

    ``removed`` counts nodes by table, ``records`` the journal records that changed. ``remaining`` are files of ours
    that still hold the text (a person's own prose in a view, for instance); ``proved`` is false where the text was not
    known any more to search for. ``transcripts`` are the hosts' files that hold it: not ours, not touched.
    """

    removed: dict[str, int]
    records: int
    tombstones: int
    inbox: int
    backups_rewritten: tuple[str, ...]
    backups_removed: tuple[str, ...]
    remaining: tuple[Found, ...]
    proved: bool
    transcripts: tuple[str, ...] = field(default=())


def purge(store: Store, plan: PurgePlan, *, now: datetime, actor: str = "person",
          refresh: Callable[[], object] | None = None) -> PurgeReport:
    """Carry out a plan. There is no backup and no undo.

    Args:
        store: The store.
        plan: From `plan_purge`; looked at again under the lease, so that what was stored since is found too.
        now: The present.
        actor: Who purges.
        refresh: Renders views and agreed texts again, after the graph and before the proof.

    Raises:
        LeaseTimeout, JournalDamaged: nothing was changed.
        StoreError: something failed halfway; run `resume` when the cause is gone.
    """
    if purge_intent.unfinished(store.home):
        resume(store)
    key = home_key(store.home)
    finder = Finder(plan.texts)
    with store.exclusive() as applier:
        applier.catch_up()
        taken = scrub.plan(store.batches(), plan.doomed, plan.subjects, finder, key)
        intent = Intent(taken, tombstones(plan, key), now, actor)
        purge_intent.save(store.home, intent)
        done = _carry_out(store, applier.engine, intent, key, finder, plan.texts)
        purge_intent.done(store.home)
    if refresh is not None:
        refresh()
    remaining = proof.search(store.home.root, plan.texts)
    return PurgeReport(counted(plan), done.records, len(intent.tombstones), done.inbox, done.rewritten, done.removed,
                       tuple(remaining), True, plan.transcripts)


def resume(store: Store) -> PurgeReport | None:
    """Carry a killed purge on to its end; None if there is none. Reading the store does so by itself.

    Raises:
        StoreError: the intent cannot be read, or something failed; see the hint.
    """
    with store.exclusive() as applier:
        intent = purge_intent.load(store.home)
        if intent is None:
            return None
        done = _carry_out(store, applier.engine, intent, home_key(store.home), Finder(()), ())
        purge_intent.done(store.home)
    removed: dict[str, int] = {}
    for table, _ in intent.scrub.doomed:
        removed[table] = removed.get(table, 0) + 1
    return PurgeReport(dict(sorted(removed.items())), done.records, len(intent.tombstones), done.inbox, done.rewritten,
                       done.removed, (), False)


@dataclass(frozen=True, slots=True)
class _Done:
    records: int
    inbox: int
    rewritten: tuple[str, ...]
    removed: tuple[str, ...]


def _carry_out(store: Store, engine: str, intent: Intent, key: bytes, finder: Finder,
               texts: Collection[str]) -> _Done:
    """All steps under the exclusive lease; each may have been done before."""
    home = store.home
    known = {c.node.id for b in store.batches() for c in b.changes
             if isinstance(c, PutNode) and isinstance(c.node, Tombstone)}
    if not set(intent.tombstones) <= known:
        marks: list[Change] = [PutNode(Tombstone(t, intent.at)) for t in intent.tombstones]
        store.journal.append([*marks, Purge(tuple(sorted(intent.scrub.doomed)))], at=intent.at,
                             actor=f"{intent.actor}: purge")

    def without(batch: Batch) -> Batch:
        return scrub.apply(batch, intent.scrub, key)

    records = store.journal.rewrite(without)
    for torn in store.journal.asides():
        torn.unlink(missing_ok=True)  # never acknowledged, and cannot be searched record by record
    for batch in [b for b in store.batches() if b.position in {e.position for e in aside.entries(home)}]:
        aside.add(home, batch, "reason removed by a purge")
    rebuild_leased(home, engine)
    strip_views(home, intent.scrub)
    inbox = _purge_inbox(home, set(intent.tombstones), key, finder)
    rewritten, removed = rewrite_backups(home, without, texts)
    return _Done(records, inbox, rewritten, removed)


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
