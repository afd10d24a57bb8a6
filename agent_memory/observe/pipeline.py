"""Observing one session: read its records, let an observer propose, decide what is kept, store it as one batch.

The same for rules and for a model: proposals are checked, known and forgotten things are told apart, what later words
took back is ended, names are linked. The observer runs outside any lease; what follows from it is decided and stored
behind a lock, and if another process has observed the session meanwhile, only what that one left is observed. Observing
twice, or by many at once, changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Protocol

from agent_memory.errors import NotFoundError
from agent_memory.model.candidate import Candidate, Dropped, Observed, SessionView
from agent_memory.model.change import Change, SetObserved
from agent_memory.model.memory import MemoryNode, MemoryType
from agent_memory.model.rewind import standing
from agent_memory.model.transcript import Message, Session, ToolEvent
from agent_memory.observe.deciding import Decided, decide
from agent_memory.observe.ending import endings
from agent_memory.observe.matching import Known
from agent_memory.store.base import GraphStore, MemoryFilter
from agent_memory.store.open import Store

BACK = 4000
"""So many records before the fresh ones are shown again, for later words to take earlier ones back."""


class Observer(Protocol):
    """Proposes what a session says. ``name`` goes into the origin of what is stored."""

    name: str

    def observe(self, view: SessionView) -> Observed:
        """Candidates that stand at the end of the records."""


@dataclass(frozen=True, slots=True)
class ObserveReport:
    """What came of one session.

    ``merged`` are candidates that are known already, with the id of the memory that says it; ``ended`` memories that
    no longer stand, with the reason; ``position`` that of the batch, 0 if nothing was written.
    """

    session: str
    fresh: int = 0
    candidates: tuple[Candidate, ...] = field(default=())
    stored: tuple[MemoryNode, ...] = field(default=())
    merged: tuple[tuple[str, str], ...] = field(default=())
    ended: tuple[tuple[MemoryNode, str], ...] = field(default=())
    dropped: tuple[Dropped, ...] = field(default=())
    notes: tuple[str, ...] = field(default=())
    position: int = 0


def observe_session(store: Store, session_id: str, observer: Observer, *, now: datetime, dry_run: bool = False,
                    tombstoned: Callable[[str], bool] | None = None) -> ObserveReport:
    """Observe what is new in a session.

    Args:
        store: of the home.
        session_id: our id of the session.
        observer: rules or model.
        now: when this happens.
        dry_run: decide everything, write nothing.
        tombstoned: tells whether a text was purged and must not come back.

    Raises:
        NotFoundError: there is no such session.
        StoreError, LeaseTimeout: from the store; what was appended is durable.
    """
    while True:
        with store.read() as graph:
            read = _read(graph, session_id)
        if read is None:
            return ObserveReport(session_id)
        view, last = read
        observed = observer.observe(view)
        if dry_run:
            with store.read() as graph:
                return _decide(graph, view, last, observed, observer.name, now, tombstoned)[0]
        with store.deciding():
            with store.read() as graph:
                if graph.observed(session_id) != view.fresh_from - 1:
                    continue  # another process has observed the session meanwhile
                report, changes = _decide(graph, view, last, observed, observer.name, now, tombstoned)
            return replace(report, position=store.commit(changes, at=now, actor=observer.name))


def _decide(graph: GraphStore, view: SessionView, last: int, observed: Observed, actor: str, now: datetime,
            tombstoned: Callable[[str], bool] | None) -> tuple[ObserveReport, list[Change]]:
    """What is kept of the proposals, and the changes that say so; ``last`` is the last record that was seen."""
    session_id = view.session.id
    memories = _known(graph, view.session)
    decided = decide(observed.candidates, view, Known(memories), observer=actor, now=now,
                     tombstoned=tombstoned or (lambda _text: False),
                     cited=lambda key: {e.target for e in graph.edges(("derived_from",), (key,))})
    mine = [m for m in memories if m.session == session_id]
    ended = endings(observed, view, mine, decided.stored, actor=actor, now=now)
    report = ObserveReport(session_id, sum(r.seq >= view.fresh_from for r in view.records), observed.candidates,
                           decided.stored, decided.merged, ended.ended, (*observed.dropped, *decided.dropped),
                           observed.notes)
    return report, [*decided.changes, *ended.changes, SetObserved(session_id, last)]


def _read(graph: GraphStore, session_id: str) -> tuple[SessionView, int] | None:
    """The view of a session and its last record; None if nothing is new."""
    session = graph.session(session_id)
    if session is None:
        raise NotFoundError(f"there is no session {session_id}", hint="nothing was observed; `status` names sessions")
    seen = graph.observed(session_id)
    if not graph.messages(session_id, seen) and not graph.tool_events(session_id, seen):
        return None
    after = seen - BACK
    records: list[Message | ToolEvent] = [*graph.messages(session_id, after), *graph.tool_events(session_id, after)]
    records.sort(key=lambda r: r.seq)
    name = next((p.project.name for p in graph.projects() if p.project.id == session.project), "")
    kept, gone = standing(records)
    return SessionView(session, tuple(kept), seen + 1, name, gone), records[-1].seq


def _known(graph: GraphStore, session: Session) -> list[MemoryNode]:
    """What could say the same: this project's memories in any status, and those without a wall."""
    found = {m.key: m for m in graph.memories(MemoryFilter(projects=(session.project,)))}
    types = (MemoryType.PREFERENCE, MemoryType.PRINCIPLE)
    found.update((m.key, m) for m in graph.memories(MemoryFilter(types=types)) if m.scope != "project")
    return [found[key] for key in sorted(found)]


__all__ = ["BACK", "Decided", "ObserveReport", "Observer", "observe_session"]
