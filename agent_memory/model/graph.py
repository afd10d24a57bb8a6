"""Nodes, edges and their columns: the one description that tables, ontology, shapes and engines are compared with.

Every node table has the primary key column ``key``; for memories it is ``id@revision``, else the node's ``id``.
Strings and lists are immutable. Only the fixed-width columns in ``STATE`` may be set after a node is put, because
the engine's files grow with every string that is set (docs/decisions/).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Final

from agent_memory.model.memory import MemoryNode, MemoryType
from agent_memory.model.transcript import Message, Session, ToolEvent


@dataclass(frozen=True, slots=True)
class Agent:
    """A program that people code with."""

    id: str  # stem of roster.py
    title: str


@dataclass(frozen=True, slots=True)
class Project:
    """A piece of work with its own memory; worktrees of a repository share it.

    ``keys`` are the identities known when it was first seen (projects.py), strongest first. Later ones are Happenings
    with ``what="alias"``.
    """

    id: str
    name: str
    root: str
    remote: str
    keys: tuple[str, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Symbol:
    """An identifier as written, per project; unresolved until a code graph exists."""

    id: str
    name: str
    project: str


@dataclass(frozen=True, slots=True)
class File:
    """A file that sessions or memories speak of, per project, path as written."""

    id: str
    path: str
    project: str


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that befell a node, appended and never changed: status changes with reasons, aliases, titles.

    ``what`` is a short stable word: status, alias, title, contested, restored, seen, judged, recategorised …
    ``value`` is its machine part (a status word, an alias), ``detail`` the reason in plain words.
    """

    id: str
    subject: str  # memory id, session id or project id
    what: str
    value: str
    detail: str
    actor: str  # person, rules/1, reflector/1, api, sync …
    at: datetime


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One request to a language model, metered."""

    id: str
    at: datetime
    model: str
    purpose: str  # observe, reflect
    session: str
    tokens_in: int
    tokens_out: int
    cost_microusd: int
    outcome: str  # ok, repaired, invalid, refused, error, timeout


@dataclass(frozen=True, slots=True)
class Tombstone:
    """Keyed hash of a purged text, so that it is not learned again."""

    id: str  # HMAC-SHA-256 with the home's key, hex
    at: datetime


Node = Agent | Project | Session | Message | ToolEvent | MemoryNode | Symbol | File | Happening | ModelCall | Tombstone

MEMORY_TABLES: Final[dict[MemoryType, str]] = {
    MemoryType.OBSERVATION: "Observation",
    MemoryType.REFLECTION: "Reflection",
    MemoryType.PREFERENCE: "Preference",
    MemoryType.PRINCIPLE: "Principle",
    MemoryType.MEMENTO: "Memento",
}
TABLES: Final[dict[str, type]] = {
    "Agent": Agent,
    "Project": Project,
    "Session": Session,
    "Message": Message,
    "ToolEvent": ToolEvent,
    "Symbol": Symbol,
    "File": File,
    "Happening": Happening,
    "ModelCall": ModelCall,
    "Tombstone": Tombstone,
    **dict.fromkeys(MEMORY_TABLES.values(), MemoryNode),
}
_MEMORY_STATE = frozenset(
    ("status", "current", "priority", "confidence", "pinned", "done", "seen", "sessions", "last_seen_at", "valid_until",
     "review_after", "expires_at"))
STATE: Final[dict[str, frozenset[str]]] = {
    "Session": frozenset({"last_at", "ended_at", "messages"}),
    **dict.fromkeys(MEMORY_TABLES.values(), _MEMORY_STATE),
}
"""Columns that may be set after a node is put, by table."""

_MEMORIES = tuple(MEMORY_TABLES.values())
_ALL_PAIRS = tuple((a, b) for a in _MEMORIES for b in _MEMORIES)
EDGES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "in_session": (("Message", "Session"), ("ToolEvent", "Session"), *((m, "Session") for m in _MEMORIES)),
    "in_project": (("Session", "Project"), *((m, "Project") for m in _MEMORIES)),
    "by_agent": (("Session", "Agent"),),
    "child_of": (("Session", "Session"),),
    "derived_from": (*((m, "Message") for m in _MEMORIES), *((m, "ToolEvent") for m in _MEMORIES)),
    "condenses": _ALL_PAIRS,
    "merged_from": _ALL_PAIRS,
    "revises": tuple((m, m) for m in _MEMORIES),
    "mentions": (*((m, "Symbol") for m in _MEMORIES), *((m, "File") for m in _MEMORIES)),
    "supersedes": _ALL_PAIRS,
    "conflicts_with": _ALL_PAIRS,
    "compatible": _ALL_PAIRS,
    "scoped": _ALL_PAIRS,
    "related": _ALL_PAIRS,
    "not_conflict": _ALL_PAIRS,
}
"""Edge kind → the pairs of node tables it may join."""

RELATIONS: Final = ("supersedes", "conflicts_with", "compatible", "scoped", "related", "not_conflict")


@dataclass(frozen=True, slots=True)
class Edge:
    """A directed edge between two nodes, named by table and key. One of a kind joins a pair at most once.

    ``status`` is pending, judged or ignored for RELATIONS, "" otherwise.
    """

    kind: str
    source_table: str
    source: str
    target_table: str
    target: str
    at: datetime
    status: str = ""
    confidence: float = 1.0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ProjectInfo:
    """A project with all its aliases, as read back from the graph."""

    project: Project
    aliases: tuple[str, ...] = field(default=())


def table_of(node: Node) -> str:
    """The table that a node belongs to."""
    return MEMORY_TABLES[node.type] if isinstance(node, MemoryNode) else type(node).__name__


def key_of(node: Node) -> str:
    """The primary key of a node."""
    return node.key if isinstance(node, MemoryNode) else node.id


def columns(table: str) -> tuple[str, ...]:
    """Column names of a table: ``key`` first, then the fields (``id`` only for memories, where it differs)."""
    memory = TABLES[table] is MemoryNode
    return ("key", *(f.name for f in fields(TABLES[table])
                     if (memory or f.name != "id") and not (memory and f.name == "type")))
