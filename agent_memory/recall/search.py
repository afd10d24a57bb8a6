"""recall: a question in plain words → the few memories that answer it, with proof and the reason for each rank."""

from __future__ import annotations

import heapq
import math
import sqlite3
from collections.abc import Sequence
from datetime import datetime, tzinfo
from typing import Any

from agent_memory.errors import UsageError
from agent_memory.model.memory import VISIBLE, Status
from agent_memory.paths import Home
from agent_memory.recall import choose, explain, lexical, links, parts, weigh, when
from agent_memory.recall.filters import DEFAULT_TYPES, Filters, checked, kind_words
from agent_memory.recall.found import Found, Semantic
from agent_memory.recall.hit import Hit
from agent_memory.recall.weigh import Candidate
from agent_memory.search.reader import open_reader
from agent_memory.text import analyze
from agent_memory.text.normal import without_surrogates

PARTS = 0.4


def recall(home: Home, query: str, *, now: datetime, project: str = "", all_projects: bool = False, limit: int = 10,
           as_of: datetime | None = None, kinds: Sequence[str] = (), sessions: Sequence[str] = (),
           agents: Sequence[str] = (), scopes: Sequence[str] = (),
           statuses: Sequence[Status] = tuple(sorted(VISIBLE)), priorities: Sequence[int] = (),
           types: Sequence[str] = DEFAULT_TYPES, why: bool = False, zone: tzinfo | None = None,
           meaning: Semantic | None = None) -> list[Hit]:
    """Hits for a question, best first, at most ``limit``; an empty list if nothing is relevant or stored.

    Any string in any script is a valid question. ``project`` is a Project id; memories of other projects show only
    with ``all_projects`` or a wider scope. Empty filters restrict nothing. ``zone`` is the one in which words such as
    "yesterday" are meant (default: this machine's). ``meaning`` adds the semantic arm.

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
        return find(connection, query, filters, limit=limit, why=why, zone=zone, meaning=meaning)
    finally:
        connection.close()


def find(connection: sqlite3.Connection, query: str, filters: Filters, *, limit: int, why: bool = False,
         zone: tzinfo | None = None, meaning: Semantic | None = None) -> list[Hit]:
    """Hits over an open search file; see `recall`."""
    found = rank(connection, query, filters, zone=zone, meaning=meaning)
    best = heapq.nsmallest(limit * 2 + 20, found.scores, key=lambda n: (-found.scores[n], n))
    candidates = _candidates(connection, best, found)
    weights = term_weights(connection, found.words.counts)
    for candidate in candidates:
        weigh.weigh(candidate, found.query, found.words.terms, weights, found.span, filters.moment.timestamp(),
                    found.words.members)
    hits, missed = choose.choose(candidates, limit)
    return explain.hits(connection, hits, missed, found, filters, why=why)


def rank(connection: sqlite3.Connection, query: str, filters: Filters, *, zone: tzinfo | None = None,
         meaning: Semantic | None = None) -> Found:
    """All candidates with their fused scores, best about 1."""
    query = without_surrogates(query)
    found = Found(analyze.query(query), when.span_of(query, filters.moment, zone))
    if found.query.empty:
        found.words = lexical.ask_text(connection, found.query.text, filters, found.places)
        found.scores = dict(found.words.scores)
        return found
    found.words = lexical.ask_words(connection, found.query, filters, found.places)
    order = sorted(found.words.scores, key=lambda n: (-found.words.scores[n], n))
    found.parts = parts.ask_parts(connection, found.query, order)
    own = fuse((1 - PARTS, found.words.scores), (PARTS, found.parts))
    if meaning is not None:
        own = _with_meaning(connection, own, query, filters, found, meaning)
    found.gains = links.spread_to_neighbours(connection, own, filters, found.places, links.NEXT)
    spread = {n: own.get(n, 0.0) + found.gains.get(n, 0.0) for n in own.keys() | found.gains.keys()}
    best = max(spread.values(), default=1.0) or 1.0
    found.blocks = links.block_scores(connection, found.words.asked)
    found.scores = {n: s / best + links.block_gain(found.places[n], found.blocks) for n, s in spread.items()}
    if found.span is not None:
        for n in lexical.within(connection, found.span, filters, found.places):
            found.scores.setdefault(n, 0.1)
    return found


def _with_meaning(connection: sqlite3.Connection, own: dict[int, float], query: str, filters: Filters, found: Found,
                  meaning: Semantic) -> dict[int, float]:
    """Words and meaning on one scale; ``found.meaning`` says what the second gave."""
    found.meaning = meaning.ask(connection, query, filters, found.places)
    if not found.meaning:
        return own
    first = ", ".join(map(str, heapq.nlargest(20, own, key=lambda n: own[n])))
    rows = connection.execute(f"SELECT substr(text, 1, 1000) FROM doc WHERE n IN ({first})")
    weight = meaning.share([text for (text,) in rows])
    best = max(own.values(), default=1.0) or 1.0
    return fuse((1 - weight, {n: s / best for n, s in own.items()}), (weight, found.meaning))


def fuse(*arms: tuple[float, dict[int, float]]) -> dict[int, float]:
    """Weighted sum of arms whose scores are on one scale, 0 … 1."""
    fused: dict[int, float] = {}
    for weight, scores in arms:
        for n, score in scores.items():
            fused[n] = fused.get(n, 0.0) + weight * score
    return fused


def term_weights(connection: sqlite3.Connection, counts: dict[str, int]) -> dict[str, float]:
    """How much each term of the question says: the rarer, the more; unknown ones most."""
    total = connection.execute("SELECT coalesce(max(n), 0) FROM passage").fetchone()[0]
    return {term: math.log(1 + (total + 1) / (1 + count)) for term, count in counts.items()}


_COLUMNS = ("n", "id", "text", "type", "kind", "priority", "status", "created", "project", "agent", "session", "file",
            "line", "line_end", "sha256", "external", "tags", "topic", "pinned", "speaker", "key")


def _candidates(connection: sqlite3.Connection, order: Sequence[int], found: Found) -> list[Candidate]:
    rows: dict[int, dict[str, Any]] = {}
    for part in lexical.slices(order):
        for row in connection.execute(
                f"SELECT {', '.join(_COLUMNS)} FROM doc WHERE n IN ({', '.join(map(str, part))})"):
            rows[row[0]] = dict(zip(_COLUMNS, row, strict=True))
    made = [Candidate(n, rows[n], found.scores[n]) for n in order]
    for candidate in made:
        if len(candidate.row["text"]) > weigh.LOOKED_AT:
            candidate.passage = explain.passage_of(connection, found.words.passages.get(candidate.n),
                                                   candidate.row["text"])
    return made
