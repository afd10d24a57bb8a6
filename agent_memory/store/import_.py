"""Exported memory comes in: redacted, line by line, nothing twice, nothing purged, nothing newer overwritten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from agent_memory.model import graph as model
from agent_memory.model.change import Batch, Change, PutEdge, PutNode, SetState, problems
from agent_memory.model.graph import Edge, Node, Project, key_of, table_of
from agent_memory.model.memory import MemoryNode, Status
from agent_memory.projects import project_id
from agent_memory.store.base import GraphStore, MemoryFilter
from agent_memory.store.gone import Purged
from agent_memory.store.import_read import Refused
from agent_memory.store.items import edge_of, node_of, table_name
from agent_memory.store.open import Store
from agent_memory.store.words import rewritten, words
from agent_memory.text.normal import without_surrogates

CHUNK: Final = 2000
"""Changes a batch."""

Redactor = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What became of a file's lines.

    ``known`` were here already (or a newer revision was), ``purged`` and ``forgotten`` must not come back,
    ``unjoined`` counts edges whose ends are not here, ``redacted`` counts items in which something was taken out.
    """

    read: int
    added: int
    edges: int
    known: int
    purged: int
    forgotten: int
    redacted: int
    unjoined: int
    refused: tuple[Refused, ...] = field(default=())
    position: int = 0


def import_items(store: Store, found: Iterable[tuple[int, dict[str, Any] | Refused]], *, now: datetime,
                 redact: Redactor, actor: str = "import", dry_run: bool = False) -> ImportReport:
    """Take items into the graph, as a file of ours (import_read.py) or another tool's folder gives them.

    Importing them twice changes nothing.

    Args:
        store: The store.
        found: Items with the line of each.
        now: The present; the time of what says none.
        redact: Takes secrets and private spans out of a text.
        actor: Who is named in the journal.
        dry_run: Count, and write nothing.

    Raises:
        NotFoundError, UsageError: from what gives the items; nothing was written.
    """
    items = list(found)
    with store.read() as graph:
        taken = _Import(graph, Purged(graph, store.home), redact, now)
        for line, item in items:
            taken.take(line, item)
        changes = taken.changes()
    position = store.position()
    for chunk in [] if dry_run else _chunks(changes):
        position = store.commit(chunk, at=now, actor=actor)
    return ImportReport(
        len(items), taken.added, taken.joined, taken.known, taken.purged, taken.forgotten, taken.redacted,
        taken.unjoined, tuple(taken.refused), position)


def _chunks(changes: list[Change]) -> Iterator[list[Change]]:
    for start in range(0, len(changes), CHUNK):
        yield changes[start:start + CHUNK]


class _Import:
    """The lines of one file against one graph; collects nodes, then edges."""

    def __init__(self, graph: GraphStore, purged: Purged, redact: Redactor, now: datetime) -> None:
        self._purged, self._redact, self._now = purged, redact, now
        self._memories: dict[str, list[MemoryNode]] = {}
        self._by_hash: dict[tuple[str, str], MemoryNode] = {}
        for memory in graph.memories(MemoryFilter(all_revisions=True)):
            self._memories.setdefault(memory.id, []).append(memory)
        for lineage in self._memories.values():
            newest = max(lineage, key=lambda m: m.revision)
            for memory in lineage:
                self._by_hash.setdefault((memory.project, memory.content_hash), newest)
        self._keys = {(table_of(n), key_of(n)) for n in graph.nodes()}
        self._have = {(e.kind, e.source, e.target) for e in graph.all_edges()}
        self._projects = {p.project.name: p.project.id for p in graph.projects()}
        self._same: dict[tuple[str, str], tuple[str, str]] = {}  # key in the file → key here
        self._nodes: dict[tuple[str, str], Node] = {}
        self._edges: list[Edge] = []
        self._told: list[Edge] = []  # edges that follow from a memory's fields, for exports without edges
        self._states: list[Change] = []
        self._with_edges = False
        self.refused: list[Refused] = []
        self.added = self.joined = self.known = self.purged = self.forgotten = self.redacted = self.unjoined = 0

    def take(self, line: int, item: dict[str, Any] | Refused) -> None:
        if isinstance(item, Refused):
            self.refused.append(item)
            return
        try:
            if item.get("type") == "edge":
                self._take_edge(edge_of(item))
            else:
                self._take_node(self._placed(item))
        except ValueError as problem:
            self.refused.append(Refused(line, str(problem)))

    def _placed(self, item: dict[str, Any]) -> Node:
        """The item's node; a memory that names its project by name only gets the id that this home knows."""
        name, known = item.get("project"), item.get("project_id")
        if isinstance(name, str) and name and not known and table_name(item.get("type")) not in (None, "Project"):
            item = item | {"project_id": self._projects.setdefault(name, project_id(f"name:{name}"))}
        node = node_of(item, self._now)
        where = getattr(node, "project", "")
        if where and ("Project", where) not in self._keys and ("Project", where) not in self._nodes:
            title = name if isinstance(name, str) and name else where
            self._nodes["Project", where] = Project(where, title, "", "", (), self._now)
        return node

    def _take_node(self, node: Node) -> None:
        clean = rewritten(node, self._text)
        self.redacted += clean != node
        if self._purged.any_of(words(clean)):
            self.purged += 1
            return
        key = table_of(clean), key_of(clean)
        if key in self._keys:
            self.known += 1
        elif isinstance(clean, MemoryNode):
            self._take_memory(clean)
        else:
            invented = self._nodes.get(key)
            self.known += invented is not None and not isinstance(invented, Project)
            self._nodes[key] = clean

    def _take_memory(self, memory: MemoryNode) -> None:
        table, lineage = table_of(memory), self._memories.get(memory.id)
        if lineage is None:
            twin = self._by_hash.get((memory.project, memory.content_hash))
            if twin is not None and memory.current:
                self._same[table, memory.key] = (table_of(twin), twin.key)
                self.forgotten += twin.status is Status.RETIRED
                self.known += twin.status is not Status.RETIRED
                return
        else:
            ours = max(lineage, key=lambda m: m.revision)
            if memory.revision <= ours.revision or memory.recorded_at <= ours.recorded_at or table != table_of(ours):
                self.known += 1
                return
            if memory.current and ours.current:
                self._states.append(SetState(table, ours.key, {"current": False}))
                self._edges.append(Edge("revises", table, memory.key, table, ours.key, memory.recorded_at))
        self._nodes[table, memory.key] = memory
        if memory.current:
            at = memory.recorded_at
            self._told += [Edge(kind, table, memory.key, to, end, at) for kind, to, end in (
                ("in_session", "Session", memory.session), ("in_project", "Project", memory.project)) if end]

    def _take_edge(self, edge: Edge) -> None:
        wrong = problems(Batch(self._now, "import", (PutEdge(edge),)))
        if wrong:
            raise ValueError(wrong[0])
        self._with_edges = True
        self._edges.append(replace(edge, reason=self._text(edge.reason)))

    def _text(self, text: str) -> str:
        return without_surrogates(self._redact(text)) if text else text

    def changes(self) -> list[Change]:
        """Nodes table by table, then edges whose ends are here, then states."""
        order = {table: number for number, table in enumerate(model.TABLES)}
        nodes = sorted(self._nodes.items(), key=lambda kv: (order[kv[0][0]], kv[0][1]))
        out: list[Change] = [PutNode(node) for _, node in nodes]
        here = self._keys | self._nodes.keys()
        seen = set(self._have)
        for edge in self._edges + (self._told if not self._with_edges else []):
            a = self._same.get((edge.source_table, edge.source), (edge.source_table, edge.source))
            b = self._same.get((edge.target_table, edge.target), (edge.target_table, edge.target))
            if a not in here or b not in here or a == b or (a[0], b[0]) not in model.EDGES[edge.kind]:
                self.unjoined += 1
            elif (edge.kind, a[1], b[1]) not in seen:
                seen.add((edge.kind, a[1], b[1]))
                self.joined += 1
                out.append(PutEdge(replace(edge, source_table=a[0], source=a[1], target_table=b[0], target=b[1])))
        self.added = len(nodes)
        return out + self._states
