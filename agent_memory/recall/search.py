"""recall: a question in plain words → the few memories that answer it, with proof and the reason for each rank."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from agent_memory.errors import UsageError
from agent_memory.model.memory import VISIBLE, Status
from agent_memory.paths import Home
from agent_memory.recall import lexical, links, parts
from agent_memory.recall.filters import DEFAULT_TYPES, Filters, checked, kind_words
from agent_memory.recall.hit import Hit, Source
from agent_memory.recall.lexical import Arm, Place
from agent_memory.search.blocks import Key
from agent_memory.search.reader import open_reader
from agent_memory.text import analyze

PARTS = 0.4


def recall(home: Home, query: str, *, now: datetime, project: str = "", all_projects: bool = False, limit: int = 10,
           as_of: datetime | None = None, kinds: Sequence[str] = (), sessions: Sequence[str] = (),
           agents: Sequence[str] = (), scopes: Sequence[str] = (),
           statuses: Sequence[Status] = tuple(sorted(VISIBLE)), priorities: Sequence[int] = (),
           types: Sequence[str] = DEFAULT_TYPES, why: bool = False) -> list[Hit]:
    """Hits for a question, best first, at most ``limit``; an empty list if nothing is relevant or stored.

    Any string in any script is a valid question. ``project`` is a Project id; memories of other projects show only
    with ``all_projects`` or a wider scope. Empty filters restrict nothing.

    Raises:
        UsageError: an unknown kind, type, scope or priority, or a limit below 1.
        StoreError: the search file is damaged or of another version; it can be rebuilt.
    """
    if limit < 1:
        raise UsageError(f"limit {limit} is below 1", hint="Ask for at least one hit.")
    filters = checked(Filters(
        now=now, project=project, all_projects=all_projects, as_of=as_of, kinds=kind_words(kinds),
        sessions=tuple(sessions), agents=tuple(agents), scopes=tuple(scopes), statuses=tuple(statuses),
        priorities=tuple(priorities), types=tuple(types)))
    connection = open_reader(home.search)
    if connection is None:
        return []
    try:
        return find(connection, query, filters, limit=limit, why=why)
    finally:
        connection.close()


@dataclass(slots=True)
class Found:
    """Scores on their way: what each arm gave, and the fused score a document has."""

    query: analyze.Query
    places: dict[int, Place] = field(default_factory=dict)
    words: Arm = field(default_factory=Arm)
    parts: dict[int, float] = field(default_factory=dict)
    own: dict[int, float] = field(default_factory=dict)
    gains: dict[int, float] = field(default_factory=dict)
    blocks: dict[Key, float] = field(default_factory=dict)
    scores: dict[int, float] = field(default_factory=dict)


def find(connection: sqlite3.Connection, query: str, filters: Filters, *, limit: int, why: bool = False) -> list[Hit]:
    """Hits over an open search file; see `recall`."""
    found = rank(connection, query, filters)
    order = sorted(found.scores, key=lambda n: (-found.scores[n], n))[:limit]
    return _hits(connection, order, found, filters)


def rank(connection: sqlite3.Connection, query: str, filters: Filters) -> Found:
    """All candidates with their fused scores."""
    found = Found(analyze.query(query))
    if found.query.empty:
        found.words = lexical.ask_text(connection, found.query.text, filters, found.places)
        found.scores = dict(found.words.scores)
        return found
    found.words = lexical.ask_words(connection, found.query, filters, found.places)
    order = sorted(found.words.scores, key=lambda n: (-found.words.scores[n], n))
    found.parts = parts.ask_parts(connection, found.query, order)
    found.own = fuse((1 - PARTS, found.words.scores), (PARTS, found.parts))
    found.gains = links.spread_to_neighbours(connection, found.own, filters, found.places)
    spread = {n: found.own.get(n, 0.0) + found.gains.get(n, 0.0) for n in found.own.keys() | found.gains.keys()}
    best = max(spread.values(), default=1.0) or 1.0
    found.blocks = links.block_scores(connection, found.words.terms)
    found.scores = {n: s / best + links.block_gain(found.places[n], found.blocks) for n, s in spread.items()}
    return found


def fuse(*arms: tuple[float, dict[int, float]]) -> dict[int, float]:
    """Weighted sum of arms whose scores are on one scale, 0 … 1."""
    fused: dict[int, float] = {}
    for weight, scores in arms:
        for n, score in scores.items():
            fused[n] = fused.get(n, 0.0) + weight * score
    return fused


_COLUMNS = ("n, id, text, type, kind, priority, status, created, project, agent, session, file, line, line_end, "
            "sha256, external")


def _hits(connection: sqlite3.Connection, order: Sequence[int], found: Found, filters: Filters) -> list[Hit]:
    if not order:
        return []
    rows = {r[0]: r for r in connection.execute(
        f"SELECT {_COLUMNS} FROM doc WHERE n IN ({', '.join(map(str, order))})")}
    best = found.scores[order[0]]
    return [_hit(rows[n], found.scores[n] / best if best else 0.0, filters) for n in order]


def _hit(row: tuple[Any, ...], score: float, filters: Filters) -> Hit:
    (_, id_, text, type_, kind, priority, status, created, project, agent, session, file, line, line_end, sha256,
     external) = row
    at = None if created is None else datetime.fromtimestamp(created, UTC)
    age = None if at is None else max(0.0, (filters.moment - at).total_seconds() / 86400)
    return Hit(id_, text, type_, kind, priority, status, score, age, at, project,
               Source(agent, session, file, (line, line_end), sha256), external_id=external)
