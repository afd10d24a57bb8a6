"""Remove texts for good: graph, search file, journal, inbox and backups are made anew without them, and searched.

Order, each step safe to repeat: the intent (without the text) → fingerprints into the journal → segments rewritten →
graph and search file rebuilt → views, inbox and backups rewritten → intent removed → views rendered → proof. A purge
that was killed is carried on by the next command, without the text; only the proof then needs the text again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from agent_memory.store import proof, purge_intent, scrub
from agent_memory.store.gone import home_key
from agent_memory.store.holders import Finder
from agent_memory.store.open import Store
from agent_memory.store.proof import Found
from agent_memory.store.purge_intent import Intent
from agent_memory.store.purge_plan import PurgePlan, counted, tombstones
from agent_memory.store.purge_run import carry_out, resume_leased


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
        done = carry_out(store.home, store.journal, applier.engine, intent, finder, plan.texts)
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
        carried = resume_leased(store.home, store.journal, applier.engine)
    if carried is None:
        return None
    intent, done = carried
    removed: dict[str, int] = {}
    for table, _ in intent.scrub.doomed:
        removed[table] = removed.get(table, 0) + 1
    return PurgeReport(dict(sorted(removed.items())), done.records, len(intent.tombstones), done.inbox, done.rewritten,
                       done.removed, (), False)
