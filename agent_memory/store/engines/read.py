"""Answers of an engine that speaks Cypher. Only a key is looked up by index; everything else is one scan of columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, cast

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
    ProjectInfo,
    Symbol,
)
from agent_memory.model.memory import MemoryNode
from agent_memory.model.transcript import Cursor, Message, Session, ToolEvent
from agent_memory.store.base import EVERY_CURRENT, MemoryFilter
from agent_memory.store.engines import order
from agent_memory.store.engines.columns import (
    COLUMNS,
    EDGE_COLUMNS,
    MOVE_COLUMNS,
    cursor_key,
    cursor_of,
    edge_of,
    micros,
    node_of,
)

FEW_KEYS: Final = 24
"""Edges of up to so many keys are asked for key by key; of more, by one scan of the edges."""


class CypherReader:
    """Reading half of a graph; the other half provides `run` and `stream`."""

    def run(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[list[Any]]:
        """All rows of a statement."""
        raise NotImplementedError

    def stream(self, statement: str) -> Iterator[list[Any]]:
        """Rows of a statement, one at a time."""
        raise NotImplementedError

    def _nodes_of(self, table: str, where: str = "", parameters: Mapping[str, Any] | None = None) -> list[Any]:
        found = self.run(f"MATCH (n:`{table}`) {where} RETURN {_columns(table)}", parameters)
        return [node_of(table, values) for values in found]

    def _node(self, table: str, key: str) -> Any:
        found = self.run(f"MATCH (n:`{table}` {{`key`: $key}}) RETURN {_columns(table)}", {"key": key})
        return node_of(table, found[0]) if found else None

    def position(self) -> int:
        """Position of the last applied batch."""
        found = self.run("MATCH (n:Meta {`key`: 'position'}) RETURN n.`number`")
        return int(found[0][0]) if found else 0

    def _lineage(self, memory_id: str) -> tuple[str, int, int] | None:
        found = self.run("MATCH (n:Lineage {`key`: $key}) RETURN n.`table`, n.`first`, n.`last`", {"key": memory_id})
        return (found[0][0], found[0][1], found[0][2]) if found else None

    def memory(self, memory_id: str) -> MemoryNode | None:
        """The newest revision of a memory."""
        line = self._lineage(memory_id)
        return None if line is None else cast(MemoryNode, self._node(line[0], f"{memory_id}@{line[2]}"))

    def revisions(self, memory_id: str) -> list[MemoryNode]:
        """All revisions, oldest first."""
        line = self._lineage(memory_id)
        if line is None:
            return []
        found = (self._node(line[0], f"{memory_id}@{n}") for n in range(line[1], line[2] + 1))
        return [m for m in found if m is not None]

    def memories(self, wanted: MemoryFilter = EVERY_CURRENT) -> list[MemoryNode]:
        """Memories that pass the filter."""
        tables = dict.fromkeys([MEMORY_TABLES[t] for t in wanted.types] or MEMORY_TABLES.values())
        conditions = [] if wanted.all_revisions else ["n.`current`"]
        parameters: dict[str, Any] = {}
        for name, values in (("project", wanted.projects), ("session", wanted.sessions)):
            if values:
                conditions.append("(" + " OR ".join(f"n.`{name}` = ${name}{i}" for i in range(len(values))) + ")")
                parameters |= {f"{name}{i}": value for i, value in enumerate(values)}
        where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
        return order.memories(m for table in tables for m in self._nodes_of(table, where, parameters))

    def memory_ids(self, prefix: str, limit: int = 20) -> list[str]:
        """Ids that start with ``prefix``."""
        found = self.run("MATCH (n:Lineage) WHERE starts_with(n.`key`, $prefix) "
                         "RETURN n.`key` AS k ORDER BY k LIMIT $limit", {"prefix": prefix, "limit": limit})
        return [r[0] for r in found]

    def happenings(self, subject: str = "") -> list[Happening]:
        """What befell a node, or everything."""
        return order.happenings(self._some("Happening", "subject", subject))

    def _some(self, table: str, column: str, value: str) -> list[Any]:
        """Nodes with a value in a column, or all for ""."""
        return self._nodes_of(table, f"WHERE n.`{column}` = $value", {"value": value}) if value \
            else self._nodes_of(table)

    def edges(self, kinds: Sequence[str] = (), touching: Sequence[str] = ()) -> list[Edge]:
        """Edges of some kinds that touch some keys."""
        names = [k for k in EDGES if not kinds or k in kinds]
        keys = dict.fromkeys(touching)
        if not keys or len(keys) > FEW_KEYS:
            found = [e for kind in names for e in self._kind(kind)]
            return order.edges(e for e in found if not keys or e.source in keys or e.target in keys)
        return order.edges(self._touching(names, keys))

    def _kind(self, kind: str) -> Iterable[Edge]:
        rank = ", r.`rank`" if kind in RELATIONS else ", 0"
        found = self.run(f"MATCH (a)-[r:`{kind}`]->(b) RETURN label(a), a.`key`, label(b), b.`key`, {_EDGE}{rank}")
        return _newest((kind, *values) for values in found)

    def _touching(self, kinds: Sequence[str], keys: Iterable[str]) -> Iterable[Edge]:
        rows: list[tuple[Any, ...]] = []
        for key in keys:
            for table in TABLES:
                mine = [k for k in kinds if any(table in pair for pair in EDGES[k])]
                if mine and self.run(f"MATCH (n:`{table}` {{`key`: $key}}) RETURN n.`key`", {"key": key}):
                    rows += self._around(table, key, mine)
        return _newest(rows)

    def _around(self, table: str, key: str, kinds: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        for out in (True, False):
            for ranked in (True, False):
                mine = [k for k in kinds if (k in RELATIONS) is ranked
                        and any(pair[0 if out else 1] == table for pair in EDGES[k])]
                if not mine:
                    continue
                names = "|".join(f"`{k}`" for k in mine)
                arrow = f"-[r:{names}]->(b)" if out else f"<-[r:{names}]-(b)"
                found = self.run(f"MATCH (a:`{table}` {{`key`: $key}}){arrow} RETURN label(r), label(b), b.`key`, "
                                 f"{_EDGE}, {'r.`rank`' if ranked else '0'}", {"key": key})
                for kind, label, other, *values in found:
                    ends = (table, key, label, other) if out else (label, other, table, key)
                    yield (kind, *ends, *values)

    def projects(self) -> list[ProjectInfo]:
        """All projects with aliases."""
        return order.projects(self._nodes_of("Project"), order.happenings(self._some("Happening", "what", "alias")))

    def agents(self) -> list[Agent]:
        """All agents."""
        return order.by_id(self._nodes_of("Agent"))

    def symbols(self, project: str = "") -> list[Symbol]:
        """Symbols of a project, or all."""
        return order.by_id(self._some("Symbol", "project", project))

    def files(self, project: str = "") -> list[File]:
        """Files of a project, or all."""
        return order.by_id(self._some("File", "project", project))

    def session(self, session_id: str) -> Session | None:
        """One session by our id."""
        return cast("Session | None", self._node("Session", session_id))

    def find_session(self, agent: str, host_id: str) -> Session | None:
        """One session by the host's id."""
        found = order.by_id(self._nodes_of("Session", "WHERE n.`agent` = $agent AND n.`host_id` = $host",
                                           {"agent": agent, "host": host_id}))
        return found[0] if found else None

    def sessions(self, project: str = "") -> list[Session]:
        """Sessions of a project, or all."""
        return order.sessions(self._some("Session", "project", project))

    def messages(self, session: str, after_seq: int = -1) -> list[Message]:
        """Messages of a session beyond a sequence number."""
        return order.by_seq(self._nodes_of("Message", _BEYOND, {"session": session, "seq": after_seq}))

    def tool_events(self, session: str, after_seq: int = -1) -> list[ToolEvent]:
        """Tool events of a session beyond a sequence number."""
        return order.by_seq(self._nodes_of("ToolEvent", _BEYOND, {"session": session, "seq": after_seq}))

    def tool_events_with(self, words: Sequence[str]) -> list[ToolEvent]:
        """Tool events whose name, input or output holds all words."""
        words = [word for word in words if word]  # the engine holds that nothing contains ""
        text = "lower(concat(n.`name`, ' ', n.`input`, ' ', n.`output`))"
        where = " AND ".join(f"contains({text}, $w{i})" for i in range(len(words)))
        return order.by_id(self._nodes_of("ToolEvent", f"WHERE {where}" if where else "",
                                          {f"w{i}": word for i, word in enumerate(words)} or None))

    def cursor(self, agent: str, file: str) -> Cursor | None:
        """How far a transcript was read."""
        key = cursor_key(agent, file)
        head = self.run("MATCH (n:CursorHead {`key`: $key}) RETURN n.`move`", {"key": key})
        if not head:
            return None
        found = self.run(f"MATCH (n:CursorMove {{`key`: $key}}) RETURN {_MOVE}", {"key": f"{key}\x1f{head[0][0]}"})
        return cursor_of(agent, file, found[0]) if found else None

    def cursors(self) -> list[Cursor]:
        """All cursors."""
        heads = self.run("MATCH (n:CursorHead) RETURN n.`agent`, n.`file`")
        found = (self.cursor(agent, file) for agent, file in sorted(map(tuple, heads)))
        return [c for c in found if c is not None]

    def observed(self, session: str) -> int:
        """The last observed ``seq``; -1 for none."""
        found = self.run("MATCH (n:Observed {`key`: $key}) RETURN n.`seq`", {"key": session})
        return int(found[0][0]) if found else -1

    def observed_all(self) -> dict[str, int]:
        """Every session that was observed, with its last ``seq``."""
        return {r[0]: r[1] for r in sorted(self.run("MATCH (n:Observed) RETURN n.`key`, n.`seq`"))}

    def model_calls(self, since: datetime | None = None) -> list[ModelCall]:
        """Metered calls."""
        if since is None:
            return order.by_time(self._nodes_of("ModelCall"))
        return order.by_time(self._nodes_of("ModelCall", "WHERE n.`at` >= $since", {"since": micros(since)}))

    def tombstoned(self, fingerprints: Sequence[str]) -> set[str]:
        """Those fingerprints that were purged."""
        wanted = set(fingerprints)
        if len(wanted) <= FEW_KEYS:
            return {f for f in wanted if self.run("MATCH (n:Tombstone {`key`: $key}) RETURN n.`key`", {"key": f})}
        return wanted & {r[0] for r in self.run("MATCH (n:Tombstone) RETURN n.`key`")}

    def tombstones(self) -> frozenset[str]:
        """Fingerprints of everything that was purged."""
        return frozenset(r[0] for r in self.run("MATCH (n:Tombstone) RETURN n.`key`"))

    def nodes(self) -> Iterator[Node]:
        """Every node, by table and key."""
        for table in TABLES:
            for values in self.stream(f"MATCH (n:`{table}`) RETURN {_columns(table)} ORDER BY n.`key`"):
                yield node_of(table, values)

    def all_edges(self) -> Iterator[Edge]:
        """Every edge, by kind, source and target."""
        for kind in sorted(EDGES):
            yield from order.edges(self._kind(kind))

    def counts(self) -> dict[str, int]:
        """Number of nodes by table and of edges by kind."""
        numbers = {t: self.run(f"MATCH (n:`{t}`) RETURN count(*)")[0][0] for t in TABLES}
        for kind in EDGES:
            first = "WHERE r.`rank` = 0 " if kind in RELATIONS else ""  # later ranks replace an edge, they add none
            numbers[kind] = self.run(f"MATCH ()-[r:`{kind}`]->() {first}RETURN count(*)")[0][0]
        return numbers


_BEYOND: Final = "WHERE n.`session` = $session AND n.`seq` > $seq"
_EDGE: Final = ", ".join(f"r.`{n}`" for n in EDGE_COLUMNS)
_MOVE: Final = ", ".join(f"n.`{n}`" for n in MOVE_COLUMNS)


def _columns(table: str) -> str:
    return ", ".join(f"n.`{c.name}`" for c in COLUMNS[table])


def _newest(rows: Iterable[Sequence[Any]]) -> Iterable[Edge]:
    """Edges of (kind, four ends, edge columns, rank): of several with the same ends, the one of the highest rank."""
    best: dict[tuple[Any, ...], tuple[int, Sequence[Any]]] = {}
    for values in rows:
        key, rank = tuple(values[:5]), values[-1]
        if key not in best or best[key][0] < rank:
            best[key] = (rank, values)
    return [edge_of(v[0], v[1:5], v[5:-1]) for _, v in best.values()]
