"""What a plan looks at: current memories, their relations and what befell them, read in one short lease.

A snapshot can be advanced by a step's changes, so that later steps of a plan see what earlier ones did, and a plan
can be checked against a fresh snapshot step by step.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from agent_memory.model.change import Change, PutEdge, PutNode, SetState
from agent_memory.model.graph import RELATIONS, Edge, Happening
from agent_memory.model.memory import VISIBLE, Kind, MemoryNode, MemoryType, Scope, Status
from agent_memory.model.transcript import Role
from agent_memory.reflect.reversal import speaks_of_change
from agent_memory.store.base import GraphStore

PROMOTE_SESSIONS = 3
"""In so many sessions a statement must have come up to become lasting."""


class Origin(StrEnum):
    """Whose words a memory rests on."""

    PERSON = "person"
    AGENT = "agent"
    TOOL = "tool"
    UNKNOWN = "unknown"


def lineage(key: str) -> str:
    """The memory id in a node key ``id@revision``."""
    return key.rpartition("@")[0] or key


def wall(memory: MemoryNode) -> tuple[str, str]:
    """What a memory must share with another to be joined with it: the project, unless it is meant for everywhere."""
    return (memory.scope.value, memory.project if memory.scope is Scope.PROJECT else "")


def by_person(memory: MemoryNode) -> bool:
    """True if a person wrote or edited these very words; no machine step takes them away."""
    return memory.observer.split("/")[0] in ("person", "sync")


def fixed(memory: MemoryNode) -> bool:
    """True for what only a person may end: pinned or written by a person."""
    return memory.pinned or by_person(memory)


def touched(memory: MemoryNode) -> datetime:
    """When a memory was last said."""
    return max(memory.created_at, memory.last_seen_at or memory.created_at)


@dataclass
class Snapshot:
    """Current revisions by id, edges by kind, happenings by subject, origins of those that might be promoted."""

    now: datetime
    memories: dict[str, MemoryNode] = field(default_factory=dict)
    edges: dict[str, list[Edge]] = field(default_factory=lambda: defaultdict(list))
    happenings: dict[str, list[Happening]] = field(default_factory=lambda: defaultdict(list))
    origins: dict[str, Origin] = field(default_factory=dict)
    cites: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    _pairs: set[frozenset[str]] = field(default_factory=set)

    def add_edges(self, edges: Iterable[Edge]) -> None:
        """Take in edges."""
        for edge in edges:
            self.edges[edge.kind].append(edge)
            if edge.kind in RELATIONS:
                self._pairs.add(frozenset((lineage(edge.source), lineage(edge.target))))

    def related(self, a: MemoryNode, b: MemoryNode) -> bool:
        """True if someone has already said how the two relate, or asked."""
        return self.joined(a.id, b.id)

    def joined(self, a: str, b: str) -> bool:
        """The same for two memory ids."""
        return frozenset((a, b)) in self._pairs

    def targets(self, kind: str) -> dict[str, list[str]]:
        """Memory ids that edges of a kind lead to, by the memory id they come from."""
        found: dict[str, list[str]] = defaultdict(list)
        for edge in self.edges.get(kind, ()):
            found[lineage(edge.source)].append(lineage(edge.target))
        return found

    def live(self) -> list[MemoryNode]:
        """Memories that count now, oldest first."""
        found = [m for m in self.memories.values() if m.status in VISIBLE and m.type is not MemoryType.MEMENTO
                 and (m.expires_at is None or m.expires_at > self.now)
                 and (m.valid_until is None or m.valid_until > self.now)]
        return sorted(found, key=lambda m: (m.created_at, m.id))

    def lasting(self) -> dict[str, list[str]]:
        """Sources of each promoted memory, by its id."""
        return self.targets("condenses")

    def advance(self, changes: Iterable[Change]) -> None:
        """Look as the graph will look after ``changes``."""
        for change in changes:
            match change:
                case PutNode(MemoryNode() as node):
                    held = self.memories.get(node.id)
                    if held is None or node.revision > held.revision:
                        self.memories[node.id] = node
                case PutNode(Happening() as happening):
                    self.happenings[happening.subject].append(happening)
                case PutEdge(edge):
                    self.add_edges([edge])
                case SetState(_, key, values):
                    held = self.memories.get(lineage(key))
                    if held is not None and held.key == key:
                        self.memories[held.id] = replace(held, **values)
                case _:
                    pass


def read(graph: GraphStore, now: datetime) -> Snapshot:
    """All that a plan needs, from one open graph. Nothing is kept of the graph.

    For every memory it is told if it rests on tool output: one that was heard once may grow by merges within the same
    plan, and a model may propose to promote any.
    """
    found = Snapshot(now)
    found.memories = {m.id: m for m in graph.memories() if m.current}
    found.add_edges(graph.edges(("condenses", "merged_from", *RELATIONS)))
    for happening in graph.happenings():
        found.happenings[happening.subject].append(happening)
    _read_origins(found, graph)
    return found


def _read_origins(found: Snapshot, graph: GraphStore) -> None:
    """Find out what memories rest on, and whose words it is where that matters."""
    sources = {i for ids in found.lasting().values() for i in ids}
    asked = [m for m in found.live() if m.id not in sources]
    if not asked:
        return
    keys = [f"{m.id}@{revision}" for m in asked for revision in {1, m.revision}]
    cites: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for edge in graph.edges(("derived_from",), keys):
        cites[lineage(edge.source)].append((edge.target_table, edge.target))
    roles: dict[str, dict[str, Role]] = {}

    def role(memory: MemoryNode, message: str) -> Role | None:
        session = memory.session
        if not _origin_matters(memory):
            return None
        if session not in roles:
            roles[session] = {m.id: m.role for m in graph.messages(session)} if session else {}
        return roles[session].get(message)

    for memory in asked:
        found.cites[memory.id] = tuple(sorted(set(cites[memory.id])))
        found.origins[memory.id] = _origin(memory, found.cites[memory.id], role)


def _origin_matters(memory: MemoryNode) -> bool:
    return (memory.kind is Kind.PREFERENCE or memory.sessions >= PROMOTE_SESSIONS - 1 or memory.pinned
            or speaks_of_change(memory.text))


def _origin(memory: MemoryNode, cites: tuple[tuple[str, str], ...], role: Callable[[MemoryNode, str], Role | None],
            ) -> Origin:
    if by_person(memory):
        return Origin.PERSON
    messages = [key for table, key in cites if table == "Message"]
    if cites and not messages:
        return Origin.TOOL
    roles = {role(memory, key) for key in messages or [memory.message] if key}
    if Role.PERSON in roles:
        return Origin.PERSON
    if Role.AGENT in roles:
        return Origin.AGENT
    return Origin.TOOL if Role.HARNESS in roles else Origin.UNKNOWN


def is_open(status: Status) -> bool:
    """True for a status that shows."""
    return status in VISIBLE
