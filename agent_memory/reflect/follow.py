"""Lasting nodes stay in step with the observations they condense: counters, merged sources, the end of all sources.

What a person edited, pinned or forgot is left as it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from agent_memory.model.change import Change, PutEdge
from agent_memory.model.graph import Edge, table_of
from agent_memory.model.lifecycle import revise, set_status, state, supersede
from agent_memory.model.memory import MemoryNode, Status
from agent_memory.reflect.near import counters
from agent_memory.reflect.snapshot import Snapshot, fixed, is_open, lineage
from agent_memory.reflect.step import ACTOR, Step, quote

_COUNTED = ("seen", "sessions", "last_seen_at")


def follow_sources(snapshot: Snapshot) -> Iterator[Step]:
    """One step for each lasting node that is behind its sources."""
    keepers = _keepers(snapshot)
    for memory_id, sources in sorted(snapshot.lasting().items()):
        memory = snapshot.memories.get(memory_id)
        if memory is None or not is_open(memory.status) or memory.observer.split("/")[0] != ACTOR.split("/")[0]:
            continue
        behind = [snapshot.memories[i] for i in dict.fromkeys(_final(s, keepers) for s in sources)
                  if i in snapshot.memories]
        standing = [m for m in behind if m.status not in (Status.SUPERSEDED, Status.RETIRED)]
        step = _refresh(snapshot, memory, standing, sources) if standing else _end(snapshot, memory, behind)
        if step is not None:
            yield step


def _keepers(snapshot: Snapshot) -> dict[str, str]:
    """Which memory took up which, by the id of the one that was taken up."""
    return {lineage(e.target): lineage(e.source) for e in snapshot.edges.get("merged_from", ())}


def _final(memory_id: str, keepers: dict[str, str]) -> str:
    seen = {memory_id}
    while (above := keepers.get(memory_id)) is not None and above not in seen:
        seen.add(above)
        memory_id = above
    return memory_id


def _refresh(snapshot: Snapshot, memory: MemoryNode, standing: list[MemoryNode], sources: list[str]) -> Step | None:
    changes: list[Change] = [
        PutEdge(Edge("condenses", table_of(memory), memory.key, table_of(m), m.key, snapshot.now,
                     reason="took up a source"))
        for m in standing if m.id not in sources]
    first = min(standing, key=lambda m: (m.created_at, m.id))
    current = memory
    if len(standing) == 1 and first.content_hash != memory.content_hash and not memory.pinned:
        current, revised = revise(memory, ACTOR, snapshot.now, text=first.text, kind=memory.kind)
        changes += revised
    wanted = {k: v for k, v in counters(standing).items() if k in _COUNTED}
    if memory.last_seen_at is None and wanted["last_seen_at"] == memory.created_at:
        wanted["last_seen_at"] = None
    behind = {k: v for k, v in wanted.items() if _ahead(v, getattr(memory, k))}
    if behind:
        changes.append(state(current, behind))
    if not changes:
        return None
    return Step("refresh", f"{quote(memory)} is brought in step with what it rests on.", (memory, *standing),
                tuple(changes))


def _ahead(new: object, old: object) -> bool:
    """Counters only grow here; priority is left to decay and to people."""
    if new is None or old is None:
        return new is not None
    return bool(new > old)  # type: ignore[operator]


def _end(snapshot: Snapshot, memory: MemoryNode, behind: list[MemoryNode]) -> Step | None:
    """All sources are gone: the lasting node goes the same way, its successor named where there is one."""
    if fixed(memory) or not behind:
        return None
    if all(m.status is Status.RETIRED for m in behind):
        reason = "what it rests on was forgotten"
        return Step("retire", f"{quote(memory)} is retired: {reason}.", (memory, *behind),
                    tuple(set_status(memory, Status.RETIRED, reason, ACTOR, snapshot.now)))
    reason = "what it rests on no longer holds"
    heir = _heir(snapshot, behind)
    changes = (supersede(heir, memory, reason, ACTOR, snapshot.now) if heir is not None and heir.id != memory.id
               else set_status(memory, Status.SUPERSEDED, reason, ACTOR, snapshot.now))
    inputs = (memory, *behind) if heir is None else (memory, *behind, heir)
    return Step("supersede", f"{quote(memory)} no longer holds: {reason}.", inputs, tuple(changes))


def _heir(snapshot: Snapshot, behind: list[MemoryNode]) -> MemoryNode | None:
    """The lasting node of what superseded the sources, else that memory itself."""
    newer: dict[str, list[str]] = defaultdict(list)
    for edge in snapshot.edges.get("supersedes", ()):
        newer[lineage(edge.target)].append(lineage(edge.source))
    ends = [i for m in behind for i in newer[m.id]]
    for lasting, sources in sorted(snapshot.lasting().items()):
        if set(sources) & set(ends) and lasting in snapshot.memories and is_open(snapshot.memories[lasting].status):
            return snapshot.memories[lasting]
    found = [snapshot.memories[i] for i in ends if i in snapshot.memories and is_open(snapshot.memories[i].status)]
    return min(found, key=lambda m: m.id) if found else None
