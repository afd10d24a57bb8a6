"""The life of a memory as lists of changes: learned, heard again, revised, superseded, retired, restored.

Every stage uses these, so that a status never changes without its reason being appended.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from agent_memory import ids
from agent_memory.model.change import Change, PutEdge, PutNode, SetState
from agent_memory.model.graph import Edge, Happening, table_of
from agent_memory.model.memory import MemoryNode, Status
from agent_memory.text.normal import content_hash


def happening(subject: str, what: str, value: str, detail: str, actor: str, at: datetime) -> PutNode:
    """A Happening whose id follows from what it says, so that replays add nothing."""
    key = ids.derive(at, "happening", subject, what, value, detail, actor)
    return PutNode(Happening(key, subject, what, value, detail, actor, at))


def state(memory: MemoryNode, values: Mapping[str, Any]) -> SetState:
    """Set state of this revision."""
    return SetState(table_of(memory), memory.key, dict(values))


def learn(memory: MemoryNode, cites: tuple[tuple[str, str], ...] = ()) -> list[Change]:
    """Put a new memory with its edges. ``cites`` are (table, key) of the Messages or ToolEvents it rests on.

    The session, project and cited nodes must exist or be put in the same batch before.
    """
    table, at = table_of(memory), memory.recorded_at
    changes: list[Change] = [PutNode(memory)]
    if memory.session:
        changes.append(PutEdge(Edge("in_session", table, memory.key, "Session", memory.session, at)))
    if memory.project:
        changes.append(PutEdge(Edge("in_project", table, memory.key, "Project", memory.project, at)))
    changes += [PutEdge(Edge("derived_from", table, memory.key, t, k, at)) for t, k in cites]
    return changes


def set_status(memory: MemoryNode, status: Status, reason: str, actor: str, at: datetime) -> list[Change]:
    """Move a memory to another status; the reason is appended."""
    return [happening(memory.id, "status", status.word, reason, actor, at), state(memory, {"status": status})]


def retire(memory: MemoryNode, reason: str, actor: str, at: datetime) -> list[Change]:
    """Forget a memory: hidden everywhere, reason kept, can be restored."""
    return set_status(memory, Status.RETIRED, reason, actor, at)


def restore(memory: MemoryNode, actor: str, at: datetime, reason: str = "restored") -> list[Change]:
    """Make a memory active again."""
    return set_status(memory, Status.ACTIVE, reason, actor, at)


def supersede(new: MemoryNode, old: MemoryNode, reason: str, actor: str, at: datetime) -> list[Change]:
    """``new`` takes the place of another memory ``old``, whose validity ends. ``new`` must exist or be put before."""
    return [
        PutEdge(Edge("supersedes", table_of(new), new.key, table_of(old), old.key, at, status="judged", reason=reason)),
        happening(old.id, "status", Status.SUPERSEDED.word, f"{reason} (by {new.id})", actor, at),
        state(old, {"status": Status.SUPERSEDED, "valid_until": old.valid_until or at}),
    ]


def revise(memory: MemoryNode, actor: str, at: datetime, **fields: Any) -> tuple[MemoryNode, list[Change]]:
    """A new revision of a memory with some immutable fields changed (text, kind, scope, topic_key, tags, project …).

    Returns:
        The new revision, and the changes that put it, join it by ``revises`` and end the old revision's currency.
        Edges to session, project and sources stay with the first revision and are found through the lineage.
    """
    text = fields.get("text", memory.text)
    if text != memory.text:
        fields.setdefault("raw", "")  # what the old text was shortened from
    new = replace(memory, revision=memory.revision + 1, recorded_at=at, current=True, observer=actor,
                  content_hash=content_hash(fields.get("raw", memory.raw) or text), **fields)
    table = table_of(memory)
    changes: list[Change] = [PutNode(new), PutEdge(Edge("revises", table, new.key, table, memory.key, at))]
    if new.project:
        changes.append(PutEdge(Edge("in_project", table, new.key, "Project", new.project, at)))
    changes += [state(memory, {"current": False}), happening(memory.id, "revised", str(new.revision), "", actor, at)]
    return new, changes


def heard_again(memory: MemoryNode, at: datetime, *, other_session: bool) -> list[Change]:
    """The same thing was said or stored once more."""
    last = max(at, memory.last_seen_at) if memory.last_seen_at else at
    return [state(memory, {"seen": memory.seen + 1, "sessions": memory.sessions + (1 if other_session else 0),
                           "last_seen_at": last})]
