"""Turns actions into changes of the graph. All actions on one memory make at most one new revision."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, assert_never

from agent_memory.model import lifecycle
from agent_memory.model.change import Change, PutEdge
from agent_memory.model.graph import Edge, table_of
from agent_memory.model.memory import VISIBLE, MemoryNode, Status
from agent_memory.sync.actions import (
    Action,
    AddMemory,
    ChangeText,
    Conflict,
    MoveMemory,
    RestoreMemory,
    RetireMemory,
    SetDone,
    SetPriority,
)
from agent_memory.text.normal import content_hash

PERSON = "person"
CONFIDENCE = 0.9
"""How sure we are of what a person typed."""


@dataclass(slots=True)
class _Work:
    """What becomes of one memory: fields of its new revision, its state, and reasons to append."""

    fields: dict[str, Any]
    state: dict[str, Any]
    reasons: list[tuple[str, str, str]]
    extra: list[Change]


def changes(actions: Sequence[Action], memories: Mapping[str, MemoryNode], rivals: Mapping[str, Sequence[MemoryNode]],
            *, at: datetime) -> list[Change]:
    """The batch that carries out ``actions``.

    Args:
        actions: what to do, in order.
        memories: current revisions by id.
        rivals: contested memories by the id of the memory they are in conflict with; when one of a pair goes and
            nothing else contests the other, the other is no longer contested.
        at: the present.
    """
    made: list[Change] = []
    work: dict[str, _Work] = {}
    for action in actions:
        if isinstance(action, AddMemory):
            made += lifecycle.learn(_added(action, at))
            continue
        todo = work.setdefault(action.id, _Work({}, {}, [], []))
        _collect(action, memories[action.id], todo, at)
    for key, todo in work.items():
        made += _carried_out(memories[key], todo, at)
    leaving = {a.id for a in actions if isinstance(a, RetireMemory)}
    return made + _settled(leaving, rivals, at)


def _added(action: AddMemory, at: datetime) -> MemoryNode:
    return MemoryNode(
        id=action.id, revision=1, type=action.type, kind=action.kind, text=action.text, raw="",
        content_hash=content_hash(action.text), topic_key="", scope=action.scope, project=action.project,
        tags=action.tags, agent="", session="", message="", file="", line=0, line_end=0, sha256="", sources=(),
        observer=PERSON, rule=f"view:{action.view}", operation="", created_at=action.created_at, recorded_at=at,
        valid_from=None, priority=action.priority, confidence=CONFIDENCE, done=action.done)


def _collect(action: Action, memory: MemoryNode, todo: _Work, at: datetime) -> None:
    match action:
        case ChangeText(_, _, text):
            todo.fields |= {"text": text, "raw": ""}
        case RetireMemory(_, view):
            todo.state["status"] = Status.RETIRED
            todo.reasons.append(("status", Status.RETIRED.word, f"deleted from {view}"))
        case RestoreMemory(_, _, reason):
            todo.state |= {"status": Status.ACTIVE, "valid_until": None, "expires_at": None}
            todo.reasons.append(("status", Status.ACTIVE.word, reason))
        case MoveMemory(_, view, kind, scope, project, goal):
            wanted = {"kind": kind, "scope": scope, "project": project}
            todo.fields |= {name: value for name, value in wanted.items() if value is not None}
            if goal:
                todo.fields["tags"] = tuple(sorted({*memory.tags, "goal"}))
            todo.reasons.append(("recategorised", (kind or memory.kind).value, f"moved in {view}"))
        case SetPriority(_, view, priority):
            todo.state["priority"] = priority
            todo.reasons.append(("priority", priority.word, f"set in {view}"))
        case SetDone(_, view, done):
            todo.state["done"] = done
            todo.reasons.append(("done", str(done).lower(), f"{'ticked' if done else 'unticked'} in {view}"))
        case Conflict(_, _, other_id, other, reason):
            todo.state["status"] = Status.CONTESTED
            todo.reasons.append(("contested", other_id, reason))
            if other_id:
                todo.extra += _rival(memory, other_id, other, reason, at)
        case AddMemory():
            raise AssertionError("added memories have no work")
        case _:
            assert_never(action)


def _rival(memory: MemoryNode, key: str, text: str, reason: str, at: datetime) -> list[Change]:
    """The other side's words as a memory of its own, joined to the one they were about."""
    rival = replace(memory, id=key, revision=1, text=text, content_hash=content_hash(text), raw="", recorded_at=at,
                    status=Status.CONTESTED, current=True, topic_key="")
    edge = Edge("conflicts_with", table_of(rival), rival.key, table_of(memory), memory.key, at, status="pending",
                reason=reason)
    return [*lifecycle.learn(rival), PutEdge(edge)]


def _carried_out(memory: MemoryNode, todo: _Work, at: datetime) -> list[Change]:
    made: list[Change] = []
    if todo.fields:
        memory, made = lifecycle.revise(memory, PERSON, at, **todo.fields)
    made += todo.extra
    made += [lifecycle.happening(memory.id, what, value, detail, PERSON, at) for what, value, detail in todo.reasons]
    if todo.state:
        made.append(lifecycle.state(memory, todo.state))
    return made


def _settled(leaving: Iterable[str], rivals: Mapping[str, Sequence[MemoryNode]], at: datetime) -> list[Change]:
    """Memories that nothing contests any more."""
    gone = set(leaving)
    made: list[Change] = []
    freed: set[str] = set()
    for key in sorted(gone):
        for other in rivals.get(key, ()):
            against = [m for m in rivals.get(other.id, ()) if m.id not in gone and m.status in VISIBLE]
            if other.id in gone | freed or other.status is not Status.CONTESTED or against:
                continue
            freed.add(other.id)
            made += lifecycle.set_status(other, Status.ACTIVE, f"no longer contested: {key} was deleted", PERSON, at)
    return made
