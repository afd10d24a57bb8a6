"""Statements become lasting: a Preference, Principle or Reflection node that condenses the observations behind it.

What came up in three sessions or was pinned is promoted; a preference that a person stated, at once. The lasting node
has the words, language and source of the observation it comes from: nothing is rephrased. Text that rests on tool
output never becomes a preference or a principle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from agent_memory import ids
from agent_memory.model.change import Change, PutEdge
from agent_memory.model.graph import Edge, table_of
from agent_memory.model.lifecycle import learn
from agent_memory.model.memory import Kind, MemoryNode, MemoryType, Scope, Status
from agent_memory.reflect import language
from agent_memory.reflect.snapshot import PROMOTE_SESSIONS, Origin, Snapshot
from agent_memory.reflect.step import ACTOR, Step, quote, times
from agent_memory.text.analyze import fold

_GENERAL = frozenset({Kind.DECISION, Kind.PATTERN, Kind.LESSON, Kind.ARCHITECTURE})
_SURE = 0.5


def promotions(snapshot: Snapshot) -> Iterator[Step]:
    """One step for each observation that has become lasting and has no lasting node yet."""
    merged = snapshot.targets("merged_from")
    condensed = {i for sources in snapshot.lasting().values() for i in sources}
    for memory in snapshot.live():
        if memory.type is not MemoryType.OBSERVATION or memory.status is not Status.ACTIVE or memory.done:
            continue
        if condensed & _with_merged(memory.id, merged):
            continue
        chosen = _lasting_type(snapshot, memory)
        if chosen is not None:
            yield promote(snapshot, memory, *chosen)


def _with_merged(memory_id: str, merged: dict[str, list[str]]) -> set[str]:
    """A memory and all that it took up."""
    found, ahead = {memory_id}, [memory_id]
    while ahead:
        for other in merged.get(ahead.pop(), ()):
            if other not in found:
                found.add(other)
                ahead.append(other)
    return found


def _lasting_type(snapshot: Snapshot, memory: MemoryNode) -> tuple[MemoryType, str] | None:
    """What a memory becomes and why; None if it stays an observation only."""
    origin = snapshot.origins.get(memory.id, Origin.UNKNOWN)
    often = memory.sessions >= PROMOTE_SESSIONS
    why = (f"came up in {times(memory.sessions, 'session')}" if often else "pinned" if memory.pinned else "")
    if memory.kind is Kind.PREFERENCE and origin is Origin.PERSON and memory.confidence >= _SURE:
        return MemoryType.PREFERENCE, why or "stated by a person"
    if not why:
        return None
    if origin is Origin.TOOL:
        return MemoryType.REFLECTION, why
    if memory.kind is Kind.PREFERENCE:
        return MemoryType.PREFERENCE, why
    if often and memory.kind in _GENERAL and is_rule(memory):
        return MemoryType.PRINCIPLE, why
    return MemoryType.REFLECTION, why


def is_rule(memory: MemoryNode) -> bool:
    """True for a statement of general kind: meant for everywhere, or put as a rule ("always", "nie", "必ず")."""
    if memory.scope is not Scope.PROJECT or memory.kind is Kind.PATTERN:
        return True
    words = set(fold(memory.text.replace("’", "'")).replace(",", " ").replace(".", " ").split())
    return bool(words & language.RULES) or language.RULES_UNSPACED.search(memory.text) is not None


def promote(snapshot: Snapshot, source: MemoryNode, kind: MemoryType, why: str, *, actor: str = ACTOR,
            others: tuple[MemoryNode, ...] = ()) -> Step:
    """The step that makes a lasting node out of ``source``; ``others`` say the same and are condensed too."""
    node = replace(
        source, id=ids.derive(source.created_at, "lasting", kind.value, source.id), revision=1, type=kind, raw="",
        operation="", observer=actor, rule=why, recorded_at=snapshot.now, current=True, status=Status.ACTIVE,
        kind=Kind.PREFERENCE if kind is MemoryType.PREFERENCE else source.kind, done=False)
    changes: list[Change] = learn(node, snapshot.cites.get(source.id, ()))
    changes += [PutEdge(Edge("condenses", table_of(node), node.key, table_of(m), m.key, snapshot.now, reason=why))
                for m in (source, *others)]
    return Step("promote", f"{quote(source)} becomes a {kind.value}: {why}.", (source, *others), tuple(changes))
