"""Purge what a person means: `plan` shows it, `agent_memory.store.purge.purge` carries it out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from agent_memory.errors import NotFoundError
from agent_memory.forget.selection import Selection, one, select
from agent_memory.model.memory import Status
from agent_memory.store import purge as removal
from agent_memory.store.open import Store
from agent_memory.store.purge import PurgeReport
from agent_memory.store.purge_plan import PurgePlan, counted, plan_purge


@dataclass(frozen=True, slots=True)
class Preview:
    """What a purge would take out: nodes by table, and how many backups there are to be looked through."""

    plan: PurgePlan
    nodes: dict[str, int]
    backups: int


def plan(store: Store, selection: Selection, *, many: bool = False, words_too: bool = False) -> Preview:
    """What purging the selection takes out; forgotten memories count too. Changes nothing.

    Args:
        store: The store.
        selection: Who is meant; see `select`.
        many: Words alone may mean several memories.
        words_too: No byte of the selection's words may stay, whether a memory says them or not.

    Raises:
        UsageError, NotFoundError, AmbiguousError: see `select`.
    """
    with store.read() as graph:
        try:
            found = select(graph, replace(selection, statuses=frozenset(Status)))
        except NotFoundError:
            if not (words_too and selection.by_words_only()):
                raise
            found = []
        one(found, selection, many=many or words_too)
        made = plan_purge(graph, found, texts=(selection.query,) if words_too else ())
        if not made.doomed and not made.others:
            raise NotFoundError(f"nothing holds {selection.query!r}", hint="nothing was changed")
    return Preview(made, counted(made), len(list(store.home.backups.glob("*.tar.zst"))))


def purge(store: Store, preview: Preview, *, now: datetime, actor: str = "person",
          refresh: Callable[[], object] | None = None) -> PurgeReport:
    """Carry out what was previewed; see `agent_memory.store.purge.purge`."""
    return removal.purge(store, preview.plan, now=now, actor=actor, refresh=refresh)
