"""The lexical arm: words and trigrams, each asked as an OR of quoted tokens, ranked by BM25.

A question can never be a syntax error: only quoted tokens of our analyzer reach SQLite.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agent_memory.recall.filters import Filters
from agent_memory.text.analyze import Query, grams

MOST_TERMS = 48
MOST_GRAMS = 40
TAKE = 400
"""Passages each arm gives. Asked again for four times as many while filters drop most of them."""


@dataclass(slots=True)
class Place:
    """Where a document stands."""

    session: str
    ord: int
    project: str


@dataclass(slots=True)
class Arm:
    """What one arm found: document number → score, best is 1; and the passage that matched best."""

    scores: dict[int, float] = field(default_factory=dict)
    passages: dict[int, int] = field(default_factory=dict)
    raw_best: float = 0.0


def ask_words(connection: sqlite3.Connection, query: Query, filters: Filters, places: dict[int, Place],
              take: int = TAKE) -> Arm:
    """Documents that share words with the question."""
    parts = [_quoted(t) for t in query.terms[:MOST_TERMS]] + [f"{_quoted(p)} *" for p in query.prefixes[:MOST_TERMS]]
    return _ask(connection, "words", parts, filters, places, take)


def ask_grams(connection: sqlite3.Connection, query: Query, filters: Filters, places: dict[int, Place],
              take: int = TAKE) -> Arm:
    """Documents that share trigrams with the question: parts of words, typing errors, other endings."""
    found = dict.fromkeys(g for w in query.words for g in grams(w).split())
    return _ask(connection, "grams", [_quoted(g) for g in list(found)[:MOST_GRAMS]], filters, places, take)


def ask_text(connection: sqlite3.Connection, text: str, filters: Filters, places: dict[int, Place],
             take: int = TAKE) -> Arm:
    """Documents that hold ``text`` as it is, newest first: for questions of which no token is left (``_``, ``=>``)."""
    arm = Arm()
    if not text:
        return arm
    where, values = filters.where()
    rows = connection.execute(
        f"SELECT d.n, d.session, d.ord, d.project FROM doc d WHERE {where} AND instr(lower(d.text), ?) "
        "ORDER BY d.created DESC, d.n DESC LIMIT ?", (*values, text, take))
    for rank, (n, session, ordinal, project) in enumerate(rows):
        places[n] = Place(session, ordinal, project)
        arm.scores[n] = 1.0 - rank / (4 * take)
    return arm


def _ask(connection: sqlite3.Connection, table: str, parts: Sequence[str], filters: Filters,
         places: dict[int, Place], take: int) -> Arm:
    if not parts:
        return Arm()
    match = f"{filters.tags()} AND body : ({' OR '.join(parts)})"
    while True:
        found = connection.execute(
            f"SELECT rowid, -rank FROM {table} WHERE {table} MATCH ? AND rank MATCH 'bm25(0.0, 1.0)' "
            "ORDER BY rank LIMIT ?", (match, take)).fetchall()
        arm = _documents(connection, found, filters, places)
        if len(found) < take or len(arm.scores) * 4 >= min(take, TAKE):
            return arm
        take *= 4


def _documents(connection: sqlite3.Connection, found: Sequence[tuple[int, float]], filters: Filters,
               places: dict[int, Place]) -> Arm:
    """Passages to documents that pass the filters, best passage first."""
    where, values = filters.where()
    owner: dict[int, int] = {}
    for part in _slices([n for n, _ in found]):
        for passage, n, session, ordinal, project in connection.execute(
                "SELECT p.n, d.n, d.session, d.ord, d.project FROM passage p JOIN doc d ON d.n = p.doc "
                f"WHERE p.n IN ({', '.join(map(str, part))}) AND {where}", values):
            owner[passage] = n
            places[n] = Place(session, ordinal, project)
    arm = Arm()
    for passage, score in found:
        document = owner.get(passage)
        if document is not None and document not in arm.scores:
            arm.scores[document] = score
            arm.passages[document] = passage
    arm.raw_best = max(arm.scores.values(), default=0.0)
    if arm.raw_best > 0:
        arm.scores = {n: s / arm.raw_best for n, s in arm.scores.items()}
    return arm


def _slices(numbers: Sequence[int], size: int = 500) -> Iterable[Sequence[int]]:
    return (numbers[i:i + size] for i in range(0, len(numbers), size))


def _quoted(token: str) -> str:
    return '"' + token.replace('"', "") + '"'
