"""Forget with undo: a memory is hidden everywhere, its reason is kept, and `restore` brings it back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from agent_memory.errors import NotFoundError
from agent_memory.forget.selection import Selection, one, resolve, select
from agent_memory.model import lifecycle
from agent_memory.model.change import Change
from agent_memory.model.memory import MemoryNode, Status
from agent_memory.store.open import Store


@dataclass(frozen=True, slots=True)
class ForgetReport:
    """Memories that were forgotten, or would be (``dry_run``); ``position`` in the journal, 0 for a dry run."""

    memories: tuple[MemoryNode, ...]
    dry_run: bool
    position: int = 0


def forget(store: Store, selection: Selection, *, now: datetime, actor: str = "person", reason: str = "forgotten",
           dry_run: bool = True, many: bool = False) -> ForgetReport:
    """Retire the memories that are meant.

    Args:
        store: The store.
        selection: Who is meant; see `select` for what is refused.
        now: The present.
        actor: Who forgets; named in the history.
        reason: Why; kept in the history.
        dry_run: Only show who is meant. The default, because a person should look first.
        many: Words alone may mean several memories.

    Raises:
        UsageError, NotFoundError, AmbiguousError: see `select`; nothing was changed.
    """
    with store.read() as graph:
        found = select(graph, selection)
    if dry_run:
        return ForgetReport(tuple(found), True)
    one(found, selection, many=many)
    changes: list[Change] = []
    for memory in found:
        changes += lifecycle.retire(memory, reason, actor, now)
    return ForgetReport(tuple(found), False, store.commit(changes, at=now, actor=f"{actor}: forget"))


def restore(store: Store, given: str, *, now: datetime, actor: str = "person") -> MemoryNode:
    """Undo `forget` for one memory, named by id or its first characters.

    Returns:
        The memory as it is now.

    Raises:
        NotFoundError: no such memory, or it is not forgotten.
        AmbiguousError, UsageError: see `resolve`.
    """
    with store.read() as graph:
        memory = graph.memory(resolve(graph, given))
    if memory is None:
        raise NotFoundError(f"no memory has the id {given!r}", hint="nothing was changed")
    if memory.status is not Status.RETIRED:
        raise NotFoundError(f"memory {memory.id} is not forgotten, it is {memory.status.word}",
                            hint="nothing was changed")
    store.commit(lifecycle.restore(memory, actor, now), at=now, actor=f"{actor}: restore")
    with store.read() as graph:
        return graph.memory(memory.id) or memory
