"""One pass: read the files, plan, apply, and write the views anew, until both sides say the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from agent_memory.errors import SyncStopped, ViewError
from agent_memory.materialize import context_file
from agent_memory.materialize.place import turn
from agent_memory.materialize.writer import Ingested, MaterializeReport, write_views
from agent_memory.model.change import Change
from agent_memory.model.memory import MemoryNode, Status
from agent_memory.paths import Home
from agent_memory.store.base import GraphStore
from agent_memory.sync import apply
from agent_memory.sync.actions import Action, RetireMemory
from agent_memory.sync.plan import Plan, plan, too_many
from agent_memory.sync.read import Redact, ViewState, states

_ROUNDS = 8
_SHOWN = 5


class Syncable(Protocol):
    """What a pass needs of the store."""

    home: Home

    def read(self) -> AbstractContextManager[GraphStore]:
        """The graph behind a shared lease."""

    def commit(self, changes: Sequence[Change], *, at: datetime, actor: str) -> int:
        """Append and apply a batch."""


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a pass did.

    ``redacted`` are (view, number of places) in which secrets were taken out, ``unreadable`` (view, reason) of views
    about which nothing was concluded, ``notes`` plain sentences. ``views`` is None for a dry run.
    """

    actions: tuple[Action, ...] = ()
    redacted: tuple[tuple[str, int], ...] = ()
    unreadable: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    views: MaterializeReport | None = None


@dataclass(frozen=True, slots=True)
class GraphState:
    """Current revisions by id, and by id the memories that contest it."""

    memories: Mapping[str, MemoryNode]
    rivals: Mapping[str, Sequence[MemoryNode]]


def read_graph(graph: GraphStore) -> GraphState:
    """All current revisions, and who contests whom."""
    memories = {m.id: m for m in graph.memories()}
    rivals: dict[str, list[MemoryNode]] = {}
    for edge in graph.edges(("conflicts_with",)):
        if edge.status == "ignored":
            continue
        ends = (edge.source.rpartition("@")[0], edge.target.rpartition("@")[0])
        for one, other in (ends, ends[::-1]):
            if one in memories and other in memories:
                rivals.setdefault(one, []).append(memories[other])
    return GraphState(memories, rivals)


def sync(store: Syncable, *, now: datetime, yes: bool = False, put_back: bool = False, redact: Redact | None = None,
         dry_run: bool = False, alarms: Sequence[str] | None = None,
         limits: Mapping[str, float] = context_file.LIMITS) -> SyncReport:
    """Bring edits of all views into the graph, then bring the views up to date.

    Args:
        store: the store.
        now: the present.
        yes: go on where an edit looks like an accident.
        put_back: views that vanished or were emptied are written again; what they showed is not retired.
        redact: takes secrets out of text that a person wrote.
        dry_run: plan only.
        alarms: lines for the next start payload; None keeps those of before.
        limits: sizes of the start payload, see context_file.

    Raises:
        SyncStopped: a view vanished or was emptied, or more than a fifth of the memories would be retired; nothing was
            changed.
        ViewError: the views are in use or cannot be written.
    """
    done: list[Action] = []
    redacted: dict[str, int] = {}
    with turn(store.home):
        views: list[ViewState] = []
        for _ in range(_ROUNDS):
            views = states(store.home, redact=redact, before=views)
            planned = _decide(store, views, now, yes=yes, put_back=put_back)
            redacted.update({v.name: v.redacted for v in views if v.redacted})
            unreadable = tuple((v.name, v.unreadable) for v in views if v.unreadable)
            found = (tuple(sorted(redacted.items())), unreadable, planned[0].notes)
            if dry_run:
                return SyncReport(planned[0].actions, *found)
            if planned[1]:
                store.commit(planned[1], at=now, actor="sync")
                done += planned[0].actions
                continue  # plan again: another writer may have come between, and nothing may be left to do
            written = write_views(store, now=now, ingested=_ingested(views, planned[0]), alarms=alarms, limits=limits)
            if not any(reason in ("edited", "edited meanwhile", "vanished") for _, reason in written.kept):
                return SyncReport(tuple(done), *found, written)
    raise ViewError("the views and the graph keep changing", hint="all edits are still in the files; run sync again")


def _decide(store: Syncable, views: Sequence[ViewState], now: datetime, *, yes: bool,
            put_back: bool) -> tuple[Plan, list[Change]]:
    """The plan and its batch; the graph's lease is held for reading only."""
    if not any(v.edited for v in views):
        return Plan(), []
    with store.read() as graph:
        known = read_graph(graph)
    planned = plan(views, known.memories, now=now, put_back=put_back)
    if not yes:
        _stop(views, planned, known.memories, put_back=put_back)
    return planned, apply.changes(planned.actions, known.memories, known.rivals, at=now)


def _stop(views: Sequence[ViewState], planned: Plan, memories: Mapping[str, MemoryNode], *, put_back: bool) -> None:
    """Raise if the edits look like an accident."""
    gone = [f"{v.name} {'has' if v.gone == 'vanished' else 'was'} {v.gone}" for v in views if v.gone and not put_back]
    retired = planned.retired()
    texts = [memories[key].text for key in retired[:_SHOWN] if key in memories]
    listed = "; ".join(text if len(text) <= 60 else f"{text[:59]}…" for text in texts)
    if gone:
        raise SyncStopped(f"{', '.join(gone)}: {len(retired)} memories would be retired",
                          hint="nothing was changed; --yes retires them, --put-back writes the view again")
    if too_many(retired, memories):
        raise SyncStopped(f"{len(retired)} memories would be retired, more than a fifth of all ({listed})",
                          hint="nothing was changed; --yes retires them, else put the lines back")


def _ingested(views: Sequence[ViewState], planned: Plan) -> dict[str, Ingested]:
    return {v.name: Ingested(v.md5, planned.renamed.get(v.name, {}), v.file)
            for v in views if v.edited and not v.unreadable}


def retired(report: SyncReport) -> list[str]:
    """Ids that a pass retired; `restore` brings each back."""
    return [a.id for a in report.actions if isinstance(a, RetireMemory)]


def contested(known: GraphState) -> list[tuple[MemoryNode, MemoryNode | None]]:
    """Pairs of memories in conflict, each pair once; the second is None where only one text is left."""
    pairs: list[tuple[MemoryNode, MemoryNode | None]] = []
    seen: set[frozenset[str]] = set()
    for memory in known.memories.values():
        if memory.status is not Status.CONTESTED:
            continue
        others: list[MemoryNode | None] = [m for m in known.rivals.get(memory.id, ()) if m.status is Status.CONTESTED]
        for other in others or [None]:
            pair = frozenset({memory.id, other.id if other else ""})
            if pair not in seen:
                seen.add(pair)
                pairs.append((memory, other))
    return pairs
