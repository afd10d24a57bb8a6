"""The lexical arm: words, asked as an OR of quoted tokens and ranked by BM25, and words that look alike.

A question can never be a syntax error: only quoted tokens of our analyzer reach SQLite.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from agent_memory.recall import related
from agent_memory.recall.filters import Filters
from agent_memory.recall.when import Span
from agent_memory.text.analyze import Query, index_text

MOST_TERMS = 48
MOST_ALIKE = 6
MOST_POSTINGS = 6_000
"""Passages that are ranked for one question at most; about two millionths of a second each."""
LEAST_ALIKE = 0.5
TAKE = 250
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
    terms: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
    members: dict[str, str] = field(default_factory=dict)  # token of a thing → term that names its class


def ask_words(connection: sqlite3.Connection, query: Query, filters: Filters, places: dict[int, Place],
              take: int = TAKE) -> Arm:
    """Documents that share words with the question."""
    terms = [*query.terms[:MOST_TERMS], *alike(connection, query)]
    counts = {t: documents_with(connection, t) for t in terms}
    asked = telling(counts)
    known = {t: term for t, term in related.members(query).items() if documents_with(connection, t)}
    parts = [_quoted(t) for t in (*asked, *known)] + [f"{_quoted(p)} *" for p in query.prefixes[:MOST_TERMS]]
    arm = _ask(connection, parts, filters, places, take)
    arm.terms, arm.asked, arm.counts, arm.members = tuple(terms), tuple(asked), counts, known
    return arm


def documents_with(connection: sqlite3.Connection, token: str) -> int:
    """How many passages hold a token."""
    row = connection.execute("SELECT doc FROM terms WHERE term = ?", (token,)).fetchone()
    return int(row[0]) if row else 0


def telling(counts: dict[str, int], most: int = MOST_POSTINGS) -> list[str]:
    """The terms to ask for: all, unless they stand in so many passages that ranking them takes long; then the rarest.

    >>> telling({"ledger": 12, "data": 90_000, "shop": 50})
    ['ledger', 'shop']
    """
    kept: list[str] = []
    total = 0
    for term in sorted(counts, key=lambda t: counts[t]):
        total += counts[term]
        if total > most and any(counts[t] for t in kept):
            break
        kept.append(term)
    return [t for t in counts if t in kept]


def alike(connection: sqlite3.Connection, query: Query) -> list[str]:
    """Tokens of known words that look like those words of the question that the index does not know."""
    found: dict[str, None] = {}
    for word in query.words[:MOST_TERMS]:
        tokens = index_text(word).split()
        if len(word) < 4 or len(word) > 40 or not tokens or any(documents_with(connection, t) for t in tokens):
            continue
        mine = _trigrams(word)
        rows = connection.execute("SELECT v.word FROM alike JOIN vocab v ON v.n = alike.rowid WHERE alike MATCH ? "
                                  "ORDER BY alike.rank LIMIT 50", (" OR ".join(map(_quoted, sorted(mine))),))
        close = sorted(((_likeness(mine, other, word), other) for (other,) in rows), reverse=True)
        for likeness, other in close[:MOST_ALIKE]:
            if likeness >= LEAST_ALIKE:
                found.update(dict.fromkeys(index_text(other).split()))
    return list(found)


def _trigrams(word: str) -> set[str]:
    plain = word.replace('"', "")
    return {plain[i:i + 3] for i in range(len(plain) - 2)} or {plain}


def _likeness(mine: set[str], other: str, word: str) -> float:
    theirs = _trigrams(other)
    if word in other:
        return 0.99
    return 2 * len(mine & theirs) / (len(mine) + len(theirs))


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


def within(connection: sqlite3.Connection, span: Span, filters: Filters, places: dict[int, Place],
           take: int = 100) -> list[int]:
    """The newest documents of a span of time, whatever they say; none for a span that is open or long."""
    if span.since is None or span.until is None or (span.until - span.since).days > 62:
        return []
    where, values = filters.where()
    rows = connection.execute(
        f"SELECT d.n, d.session, d.ord, d.project FROM doc d WHERE d.created >= ? AND d.created < ? AND {where} "
        "ORDER BY d.created DESC, d.n DESC LIMIT ?",
        (span.since.timestamp(), span.until.timestamp(), *values, take)).fetchall()
    for n, session, ordinal, project in rows:
        places[n] = Place(session, ordinal, project)
    return [row[0] for row in rows]


def _ask(connection: sqlite3.Connection, parts: Sequence[str], filters: Filters, places: dict[int, Place],
         take: int) -> Arm:
    if not parts:
        return Arm()
    match = f"{filters.tags()} AND body : ({' OR '.join(parts)})"
    while True:
        found = connection.execute(
            "SELECT rowid, -rank FROM words WHERE words MATCH ? AND rank MATCH 'bm25(0.0, 1.0)' "
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
    for part in slices([n for n, _ in found]):
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
    best = max(arm.scores.values(), default=0.0)
    arm.scores = {n: s / best for n, s in arm.scores.items()} if best > 0 else arm.scores
    return arm


T = TypeVar("T")


def slices(values: Sequence[T], size: int = 500) -> Iterable[Sequence[T]]:
    """``values`` in pieces that fit into one statement."""
    return (values[i:i + size] for i in range(0, len(values), size))


def _quoted(token: str) -> str:
    return '"' + token.replace('"', "") + '"'
