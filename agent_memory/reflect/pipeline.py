"""Reflect: read in a short lease, plan without one, apply what is still true.

Between reading and applying others may write, more so while a model thinks. A step is applied only if every memory it
was planned from is unchanged (text, status and counters) and nobody has judged the pair meanwhile; the rest is counted
and planned anew by the next run. A plan that finds nothing writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from agent_memory.model.change import Change, PutEdge
from agent_memory.model.graph import RELATIONS
from agent_memory.reflect import contradictions, decay, follow, near, promote, supersede
from agent_memory.reflect.consult import Consultant
from agent_memory.reflect.due import fresh, last_run, mark
from agent_memory.reflect.snapshot import Snapshot, lineage, read
from agent_memory.reflect.step import ACTOR, Step, changed_by
from agent_memory.store.base import GraphStore

Planner = Callable[[Snapshot], Iterator[Step]]
PLANNERS: tuple[Planner, ...] = (
    decay.returning, near.merges, supersede.same_topic, supersede.endings, contradictions.contradictions,
    promote.promotions, follow.follow_sources, contradictions.settlements, decay.fading)
_ROUNDS = 12
"""Steps make room for others (a merge reaches three sessions); so often the planners are asked again at most."""

_BATCH = 2_000
"""Changes in one batch at most."""


class Store(Protocol):
    """What reflecting needs of a store (store/open.py)."""

    def read(self) -> AbstractContextManager[GraphStore]:
        """A shared lease on the graph."""

    def deciding(self) -> AbstractContextManager[None]:
        """Nobody else observes or reflects inside this block."""

    def commit(self, changes: list[Change], *, at: datetime, actor: str) -> int:
        """Make changes durable and visible."""


@dataclass(frozen=True, slots=True)
class ReflectReport:
    """What a run did, or would do. ``outdated`` steps were dropped because their memories changed meanwhile."""

    steps: tuple[Step, ...]
    outdated: tuple[Step, ...] = field(default=())
    notes: tuple[str, ...] = field(default=())
    new_observations: int = 0
    dry_run: bool = False

    def counts(self) -> dict[str, int]:
        """How many steps of each kind were done, by name of the kind."""
        found: dict[str, int] = {}
        for step in self.steps:
            found[step.what] = found.get(step.what, 0) + 1
        return dict(sorted(found.items()))


def plan(snapshot: Snapshot) -> list[Step]:
    """All steps that follow from a snapshot, which is advanced by them. Pure: equal snapshots give equal steps."""
    steps: list[Step] = []
    for _ in range(_ROUNDS):
        before = len(steps)
        for planner in PLANNERS:
            for step in _untangled(planner(snapshot)):
                snapshot.advance(step.changes)
                steps.append(step)
        if len(steps) == before:
            break
    return steps


def _untangled(steps: Iterable[Step]) -> list[Step]:
    """Of steps planned side by side those of which none changes what another rests on; the next round sees the rest."""
    rested_on: set[str] = set()
    changed: set[str] = set()
    kept = []
    for step in list(steps):
        inputs, changes = {m.id for m in step.inputs}, changed_by(step)
        if not (inputs & changed or changes & rested_on):
            kept.append(step)
            rested_on |= inputs
            changed |= changes
    return kept


def still_true(steps: Iterable[Step], snapshot: Snapshot) -> tuple[list[Step], list[Step]]:
    """Sort steps into those whose inputs are as they were planned on, and the outdated; ``snapshot`` is advanced."""
    kept: list[Step] = []
    outdated: list[Step] = []
    for step in steps:
        unchanged = all(snapshot.memories.get(m.id) == m for m in step.inputs)
        if unchanged and not _judged(step, snapshot):
            snapshot.advance(step.changes)
            kept.append(step)
        else:
            outdated.append(step)
    return kept, outdated


def _judged(step: Step, snapshot: Snapshot) -> bool:
    """True if someone has meanwhile said how two memories relate that this step would relate."""
    return any(isinstance(c, PutEdge) and c.edge.kind in RELATIONS and step.what in ("merge", "contest", "supersede")
               and snapshot.joined(lineage(c.edge.source), lineage(c.edge.target)) for c in step.changes)


def _batches(steps: Iterable[Step], last: list[Change]) -> Iterator[list[Change]]:
    """Changes in batches of bounded size; a step is never cut. The mark of the run comes last, when all is durable."""
    batch: list[Change] = []
    for step in steps:
        if batch and len(batch) + len(step.changes) > _BATCH:
            yield batch
            batch = []
        batch += step.changes
    if batch or last:
        yield batch + last


def reflect(store: Store, *, now: datetime, dry_run: bool = False, model: Consultant | None = None) -> ReflectReport:
    """Merge, promote, supersede, contest and archive memories; with a model, also what it proposes and we can check.

    Args:
        store: the open store; no lease is held while a model is asked.
        now: the time that ages are counted from and changes carry.
        dry_run: plan and explain only; no model is asked.
        model: proposes merges, promotions and endings that rules cannot see. None: rules only.

    Raises:
        LeaseTimeout, StoreError: from the store; nothing was changed, or all is durable.
    """
    with store.read() as graph:
        snapshot = read(graph, now)
    new = fresh(snapshot.memories.values(), last_run(snapshot.happenings.get("reflector", ())))
    steps = plan(snapshot)
    notes: tuple[str, ...] = ()
    if model is not None and not dry_run and new:
        proposed, notes = model.propose(snapshot, new)
        steps += proposed
        steps += plan(snapshot)
    if dry_run or not (steps or new):
        return ReflectReport(tuple(steps), (), notes, len(new), dry_run)
    with store.deciding():
        with store.read() as graph:
            fresh_snapshot = read(graph, now)
        kept, outdated = still_true(steps, fresh_snapshot)
        for changes in _batches(kept, [mark(new, now)] if new else []):
            store.commit(changes, at=now, actor=ACTOR)
    return ReflectReport(tuple(kept), tuple(outdated), notes, len(new))
