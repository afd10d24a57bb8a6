"""The reference engine: plain dictionaries, filled from the journal at each open. What other engines must equal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, cast

from agent_memory.model.change import Batch, Change, PutEdge, PutNode, SetCursor, SetObserved, SetState
from agent_memory.model.graph import (
    EDGES,
    MEMORY_TABLES,
    RELATIONS,
    TABLES,
    Agent,
    Edge,
    File,
    Happening,
    ModelCall,
    Node,
    Project,
    ProjectInfo,
    Symbol,
    key_of,
    table_of,
)
from agent_memory.model.memory import MemoryNode
from agent_memory.model.transcript import Cursor, Message, Session, ToolEvent
from agent_memory.store.base import EVERY_CURRENT, MemoryFilter
from agent_memory.store.engines import order

EdgeKey = tuple[str, str, str, str, str]


def edge_key(edge: Edge) -> EdgeKey:
    """Kind and ends of an edge: what can be there only once."""
    return (edge.kind, edge.source_table, edge.source, edge.target_table, edge.target)


def replaces(new: Edge, old_status: str) -> bool:
    """True if ``new`` takes the place of an edge of the same kind and ends that has ``old_status``.

    Only relations are ever replaced: by a decision (judged, ignored) that differs from what stands.
    """
    return new.kind in RELATIONS and new.status not in ("pending", old_status)


class MemoryGraph:
    """A graph in memory. Nothing is kept after `close`."""

    engine = "memory"

    def __init__(self) -> None:
        self._nodes: dict[str, dict[str, Node]] = {table: {} for table in TABLES}
        self._edges: dict[EdgeKey, Edge] = {}
        self._cursors: dict[tuple[str, str], Cursor] = {}
        self._observed: dict[str, int] = {}
        self._position = 0
        self.unplaced = 0

    def position(self) -> int:
        """Position of the last applied batch."""
        return self._position

    def apply(self, batches: Sequence[Batch]) -> None:
        """Apply batches beyond the position, in order."""
        for batch in batches:
            if batch.position > self._position:
                for change in batch.changes:
                    self._apply(change)
                self._position = batch.position

    def load(self, batches: Iterable[Batch]) -> None:
        """Fill the empty graph."""
        for batch in batches:
            self.apply([batch])

    def _apply(self, change: Change) -> None:
        match change:
            case PutNode(node):
                self._nodes[table_of(node)].setdefault(key_of(node), node)
            case PutEdge(edge):
                ends = ((edge.source_table, edge.source), (edge.target_table, edge.target))
                if any(key not in self._nodes[table] for table, key in ends):
                    self.unplaced += 1
                    return
                old = self._edges.get(edge_key(edge))
                if old is None or replaces(edge, old.status):
                    self._edges[edge_key(edge)] = edge
            case SetState(table, key, values):
                node_there = self._nodes[table].get(key)
                if node_there is not None:
                    self._nodes[table][key] = replace(node_there, **cast("dict[str, Any]", dict(values)))
            case SetCursor(cursor):
                self._cursors[cursor.agent, cursor.file] = cursor
            case SetObserved(session, seq):
                self._observed[session] = seq
            case _:
                pass

    def _all(self, table: str) -> list[Any]:
        return list(self._nodes[table].values())

    def memory(self, memory_id: str) -> MemoryNode | None:
        """The newest revision of a memory."""
        found = self.revisions(memory_id)
        return found[-1] if found else None

    def revisions(self, memory_id: str) -> list[MemoryNode]:
        """All revisions, oldest first."""
        return order.memories(m for t in MEMORY_TABLES.values() for m in self._all(t) if m.id == memory_id)

    def memories(self, wanted: MemoryFilter = EVERY_CURRENT) -> list[MemoryNode]:
        """Memories that pass the filter."""
        tables = [MEMORY_TABLES[t] for t in wanted.types] or list(MEMORY_TABLES.values())
        return order.memories(
            m for t in dict.fromkeys(tables) for m in self._all(t)
            if (wanted.all_revisions or m.current) and (not wanted.projects or m.project in wanted.projects)
            and (not wanted.sessions or m.session in wanted.sessions))

    def memory_ids(self, prefix: str, limit: int = 20) -> list[str]:
        """Ids that start with ``prefix``."""
        found = {m.id for t in MEMORY_TABLES.values() for m in self._all(t) if m.id.startswith(prefix)}
        return sorted(found)[:limit]

    def happenings(self, subject: str = "") -> list[Happening]:
        """What befell a node, or everything."""
        return order.happenings(h for h in self._all("Happening") if not subject or h.subject == subject)

    def edges(self, kinds: Sequence[str] = (), touching: Sequence[str] = ()) -> list[Edge]:
        """Edges of some kinds that touch some keys."""
        keys = set(touching)
        return order.edges(e for e in self._edges.values() if (not kinds or e.kind in kinds)
                           and (not keys or e.source in keys or e.target in keys))

    def projects(self) -> list[ProjectInfo]:
        """All projects with aliases."""
        return order.projects(cast("list[Project]", self._all("Project")), self.happenings())

    def agents(self) -> list[Agent]:
        """All agents."""
        return order.by_id(self._all("Agent"))

    def symbols(self, project: str = "") -> list[Symbol]:
        """Symbols of a project, or all."""
        return order.by_id(s for s in self._all("Symbol") if not project or s.project == project)

    def files(self, project: str = "") -> list[File]:
        """Files of a project, or all."""
        return order.by_id(f for f in self._all("File") if not project or f.project == project)

    def session(self, session_id: str) -> Session | None:
        """One session by our id."""
        return cast("Session | None", self._nodes["Session"].get(session_id))

    def find_session(self, agent: str, host_id: str) -> Session | None:
        """One session by the host's id."""
        found = order.by_id(s for s in self._all("Session") if s.agent == agent and s.host_id == host_id)
        return found[0] if found else None

    def sessions(self, project: str = "") -> list[Session]:
        """Sessions of a project, or all."""
        return order.sessions(s for s in self._all("Session") if not project or s.project == project)

    def messages(self, session: str, after_seq: int = -1) -> list[Message]:
        """Messages of a session beyond a sequence number."""
        return order.by_seq(m for m in self._all("Message") if m.session == session and m.seq > after_seq)

    def tool_events(self, session: str, after_seq: int = -1) -> list[ToolEvent]:
        """Tool events of a session beyond a sequence number."""
        return order.by_seq(t for t in self._all("ToolEvent") if t.session == session and t.seq > after_seq)

    def tool_events_with(self, words: Sequence[str]) -> list[ToolEvent]:
        """Tool events whose name, input or output holds all words."""
        return order.by_id(t for t in self._all("ToolEvent")
                           if all(w in f"{t.name} {t.input} {t.output}".lower() for w in words))

    def cursor(self, agent: str, file: str) -> Cursor | None:
        """How far a transcript was read."""
        return self._cursors.get((agent, file))

    def cursors(self) -> list[Cursor]:
        """All cursors."""
        return [self._cursors[key] for key in sorted(self._cursors)]

    def observed(self, session: str) -> int:
        """The last observed ``seq``; -1 for none."""
        return self._observed.get(session, -1)

    def observed_all(self) -> dict[str, int]:
        """Every session that was observed, with its last ``seq``."""
        return dict(sorted(self._observed.items()))

    def model_calls(self, since: datetime | None = None) -> list[ModelCall]:
        """Metered calls."""
        return order.by_time(c for c in self._all("ModelCall") if since is None or c.at >= since)

    def tombstoned(self, fingerprints: Sequence[str]) -> set[str]:
        """Those fingerprints that were purged."""
        return {f for f in fingerprints if f in self._nodes["Tombstone"]}

    def tombstones(self) -> frozenset[str]:
        """Fingerprints of everything that was purged."""
        return frozenset(self._nodes["Tombstone"])

    def nodes(self) -> Iterator[Node]:
        """Every node, by table and key."""
        for table in TABLES:
            yield from (node for _, node in sorted(self._nodes[table].items()))

    def all_edges(self) -> Iterator[Edge]:
        """Every edge, by kind, source and target."""
        yield from order.edges(self._edges.values())

    def counts(self) -> dict[str, int]:
        """Number of nodes by table and of edges by kind."""
        numbers = {table: len(nodes) for table, nodes in self._nodes.items()} | dict.fromkeys(EDGES, 0)
        for edge in self._edges.values():
            numbers[edge.kind] += 1
        return numbers

    def checkpoint(self) -> None:
        """Nothing to fold."""

    def close(self) -> None:
        """Nothing to release."""
