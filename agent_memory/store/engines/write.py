"""Writing to an engine that speaks Cypher, within the safe subset (docs/decisions/).

Creates first, sets of fixed-width columns last, one transaction a batch, no delete, no rollback, and no COPY: what a
transaction copies is not in the log, and a kill after its commit can leave the position without the rows.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

from agent_memory.model.change import Batch
from agent_memory.model.graph import RELATIONS, TABLES, Edge
from agent_memory.model.transcript import Cursor
from agent_memory.store.engines.columns import (
    COLUMNS,
    EDGE_COLUMNS,
    MOVE_COLUMNS,
    cursor_key,
    edge_row,
    move_row,
    row,
    state_row,
)
from agent_memory.store.engines.memory import edge_key
from agent_memory.store.engines.plan import Plan, plan, wanted

Row = dict[str, Any]

SINGLE_NODES: Final = 4
"""Up to so many nodes of a table are created one by one."""
HUBS: Final = ("in_session", "in_project")
"""Edges to a node that many others share; they are created together with their sources, many at once."""
CHUNK_ROWS: Final = 1000
CHUNK_BYTES: Final = 4 << 20
"""Rows and bytes that one statement carries at most."""
JOIN_KEYS: Final = 12
"""More keys than this are looked up by one scan instead of one by one."""


class Session(Protocol):
    """An open connection: runs one statement and gives all rows."""

    def run(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[list[Any]]:
        """All rows of a statement."""


def _create(table: str, names: Iterable[str]) -> str:
    return f"CREATE (:`{table}` {{{', '.join(f'`{n}`: $p_{n}' for n in names)}}})"


def _named(one: Row) -> Row:
    """A row as parameters; the prefix keeps column names from meeting words of the language."""
    return {f"p_{name}": value for name, value in one.items()}


def _create_many(table: str, names: Iterable[str]) -> str:
    return f"UNWIND $rows AS r CREATE (:`{table}` {{{', '.join(f'`{n}`: r.`{n}`' for n in names)}}})"


_NAMES: Final = {table: tuple(c.name for c in found) for table, found in COLUMNS.items()}
_INTERNAL: Final = {
    "Lineage": ("key", "table", "first", "last"),
    "CursorHead": ("key", "agent", "file", "move"),
    "CursorMove": ("key", *MOVE_COLUMNS),
    "Observed": ("key", "seq"),
}


def _edge_names(kind: str) -> tuple[str, ...]:
    return (*EDGE_COLUMNS, "rank") if kind in RELATIONS else EDGE_COLUMNS


def chunks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Rows in pieces that one statement can carry."""
    piece: list[Row] = []
    size = 0
    for one in rows:
        piece.append(one)
        size += sum(len(v) for v in one.values() if isinstance(v, str))
        if len(piece) >= CHUNK_ROWS or size >= CHUNK_BYTES:
            yield piece
            piece, size = [], 0
    if piece:
        yield piece


def create_rows(session: Session, table: str, rows: Sequence[Row]) -> None:
    """Create rows of a node table, one by one if few."""
    names = _NAMES.get(table) or _INTERNAL[table]
    if len(rows) <= SINGLE_NODES:
        for one in rows:
            session.run(_create(table, names), _named(one))
        return
    for piece in chunks(rows):
        filled = _filled(names, piece)
        session.run(_create_many(table, filled), {"rows": [{n: one[n] for n in filled} for one in piece]})


def _filled(names: Iterable[str], rows: Sequence[Row]) -> list[str]:
    """Columns with a value in some row: one without any would be taken for text; left out, it is empty all the same."""
    return [n for n in names if any(one[n] is not None for one in rows)]


def full_edge_row(edge: Edge, rank: int) -> Row:
    """Ends and columns of an edge."""
    values = {"a": edge.source, "b": edge.target, **edge_row(edge)}
    return values | {"rank": rank} if edge.kind in RELATIONS else values


def present(session: Session, keys: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Those of ``keys`` that are in the graph, by table."""
    found: dict[str, set[str]] = {}
    for table, names in keys.items():
        if len(names) > JOIN_KEYS:
            got = session.run(f"UNWIND $keys AS k MATCH (n:`{table}` {{`key`: k}}) RETURN n.`key`",
                              {"keys": sorted(names)})
        else:
            got = [r for k in sorted(names)
                   for r in session.run(f"MATCH (n:`{table}` {{`key`: $key}}) RETURN n.`key`", {"key": k})]
        found[table] = {r[0] for r in got}
    return found


def standing(session: Session, edge: Edge) -> tuple[int, str] | None:
    """(rank, status) of the edge that stands for this kind and ends."""
    rank = "r.`rank`" if edge.kind in RELATIONS else "0"
    found = session.run(
        f"MATCH (a:`{edge.source_table}` {{`key`: $a}})-[r:`{edge.kind}`]->(b:`{edge.target_table}` {{`key`: $b}}) "
        f"RETURN {rank}, r.`status`", {"a": edge.source, "b": edge.target})
    return max(((r[0], r[1]) for r in found), default=None)


def write_batch(session: Session, batch: Batch) -> int:
    """Apply one batch in one transaction that also records its position.

    Returns:
        How many edges were left out because an end is missing.
    """
    made = plan(batch, present(session, wanted(batch)), lambda edge: standing(session, edge))
    lineages = {key: session.run("MATCH (n:Lineage {`key`: $key}) RETURN n.`first`, n.`last`", {"key": key})
                for key in made.spans}
    heads = {key: session.run("MATCH (n:CursorHead {`key`: $key}) RETURN n.`move`", {"key": cursor_key(*key)})
             for key in made.cursors}
    watched = {key: session.run("MATCH (n:Observed {`key`: $key}) RETURN n.`seq`", {"key": key})
               for key in made.observed}
    session.run("BEGIN TRANSACTION")
    _create_all(session, made, batch.position, lineages, heads, watched)
    _set_all(session, made, batch.position, lineages, heads, watched)
    session.run("COMMIT")
    return made.unplaced


Found = dict[Any, list[list[Any]]]


def _create_all(session: Session, made: Plan, position: int, lineages: Found, heads: Found, watched: Found) -> None:
    for table in TABLES:
        if table in made.nodes:
            _create_nodes(session, made, table)
    create_rows(session, "Lineage", [{"key": key, "table": table, "first": first, "last": last}
                                     for key, (table, first, last) in made.spans.items() if not lineages[key]])
    _create_edges(session, made)
    create_rows(session, "CursorMove", [cursor_move(cursor, position) for cursor in made.cursors.values()])
    create_rows(session, "CursorHead", [cursor_head(made.cursors[key], position) for key, there in heads.items()
                                        if not there])
    create_rows(session, "Observed", [{"key": key, "seq": made.observed[key]} for key, there in watched.items()
                                      if not there])


def cursor_move(cursor: Cursor, position: int) -> Row:
    """Row of one move of a cursor: moves are kept, the head says which counts."""
    return {"key": f"{cursor_key(cursor.agent, cursor.file)}\x1f{position}", **move_row(cursor)}


def cursor_head(cursor: Cursor, position: int) -> Row:
    """Row that points to the last move of a cursor."""
    return {"key": cursor_key(cursor.agent, cursor.file), "agent": cursor.agent, "file": cursor.file, "move": position}


def _create_nodes(session: Session, made: Plan, table: str) -> None:
    """Create the new nodes of a table; where several share hubs, together with their edges to them."""
    hubs: dict[str, list[Edge]] = {}
    for edge, _ in made.edges.values():
        if edge.kind in HUBS and edge.source_table == table and edge.source in made.nodes[table] and (
                edge.target_table != table):
            hubs.setdefault(edge.source, []).append(edge)
    groups: dict[tuple[tuple[str, str, str], ...], list[str]] = {}
    for key in made.nodes[table]:
        ends = tuple(sorted((e.kind, e.target_table, e.target) for e in hubs.get(key, ())))
        groups.setdefault(ends, []).append(key)
    plain: list[Row] = []
    for ends, keys in groups.items():
        rows = [row(table, made.nodes[table][key]) for key in keys]
        if not ends or len(rows) <= SINGLE_NODES:
            plain += rows
            continue
        for one in rows:
            for number, edge in enumerate(sorted(hubs[one["key"]], key=lambda e: (e.kind, e.target_table, e.target))):
                one |= {f"e{number}_{name}": value for name, value in edge_row(edge).items()}
                del made.edges[edge_key(edge)]
        _create_joined(session, table, ends, rows)
    create_rows(session, table, plain)


def _create_joined(session: Session, table: str, ends: Sequence[tuple[str, str, str]], rows: Sequence[Row]) -> None:
    """Create rows of a table, each with an edge to every one of ``ends`` (kind, table, key), which exist."""
    found = ", ".join(f"(b{i}:`{target}` {{`key`: $b{i}}})" for i, (_, target, _) in enumerate(ends))
    edges = "".join(
        f", (a)-[:`{kind}` {{{', '.join(f'`{n}`: r.e{i}_{n}' for n in EDGE_COLUMNS)}}}]->(b{i})"
        for i, (kind, _, _) in enumerate(ends))
    keys = {f"b{i}": key for i, (_, _, key) in enumerate(ends)}
    for piece in chunks(rows):
        filled = _filled(_NAMES[table], piece)
        values = ", ".join(f"`{n}`: r.`{n}`" for n in filled)
        named = [*filled, *(n for n in piece[0] if n not in _NAMES[table])]
        session.run(f"MATCH {found} UNWIND $rows AS r CREATE (a:`{table}` {{{values}}}){edges}",
                    {"rows": [{n: one[n] for n in named} for one in piece], **keys})


def _create_edges(session: Session, made: Plan) -> None:
    for (kind, source, _, target, _), (edge, rank) in made.edges.items():
        values = ", ".join(f"`{n}`: $p_{n}" for n in _edge_names(kind))
        session.run(f"MATCH (a:`{source}` {{`key`: $p_a}}), (b:`{target}` {{`key`: $p_b}}) "
                    f"CREATE (a)-[:`{kind}` {{{values}}}]->(b)", _named(full_edge_row(edge, rank)))


def _set_all(session: Session, made: Plan, position: int, lineages: Found, heads: Found, watched: Found) -> None:
    for (table, key), values in made.states.items():
        columns = state_row(table, values)
        if columns:
            sets = ", ".join(f"n.`{name}` = $p_{name}" for name in columns)
            session.run(f"MATCH (n:`{table}` {{`key`: $key}}) SET {sets}", {"key": key, **_named(columns)})
    for key, (_, first, last) in made.spans.items():
        if lineages[key]:
            old_first, old_last = lineages[key][0]
            session.run("MATCH (n:Lineage {`key`: $key}) SET n.`first` = $first, n.`last` = $last",
                        {"key": key, "first": min(first, old_first), "last": max(last, old_last)})
    for name, there in heads.items():
        if there:
            session.run("MATCH (n:CursorHead {`key`: $key}) SET n.`move` = $move",
                        {"key": cursor_key(*name), "move": position})
    for key, there in watched.items():
        if there:
            session.run("MATCH (n:Observed {`key`: $key}) SET n.`seq` = $seq", {"key": key, "seq": made.observed[key]})
    set_position(session, position)


def set_position(session: Session, position: int) -> None:
    """Record how far the journal was applied."""
    session.run("MATCH (n:Meta {`key`: 'position'}) SET n.`number` = $number", {"number": position})


def immortal(value: object) -> None:
    """Keep an object until the process ends, without ever running its destructor.

    Closing a kuzu database that failed after a SET rolls back, which can end the process (docs/decisions/).
    """
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(value))
