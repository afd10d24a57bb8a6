"""Candidates as hits, and in plain words why each stands where it stands (``recall --why``)."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime

from agent_memory.model.memory import Status
from agent_memory.recall.filters import Filters
from agent_memory.recall.found import Found
from agent_memory.recall.hit import Hit, Source
from agent_memory.recall.links import block_gain
from agent_memory.recall.weigh import Candidate

_LONG = 400
"""A text longer than this many characters comes with the passage that matched."""


def hits(connection: sqlite3.Connection, chosen: Sequence[Candidate], missed: Sequence[Candidate], found: Found,
         filters: Filters, *, why: bool) -> list[Hit]:
    """The hits of an answer, scores beside the best one."""
    best = chosen[0].score if chosen else 1.0
    relations = _relations(connection, chosen)
    out = [_hit(connection, c, found, filters, best, relations.get(c.row["key"], ()), why=why) for c in chosen]
    if why and out and missed:
        rejected = tuple(f"just missed: {c.score / best:.2f} {' '.join(c.row['text'].split())[:60]}" for c in missed)
        out[-1] = _with_why(out[-1], rejected)
    return out


def _with_why(hit: Hit, more: tuple[str, ...]) -> Hit:
    from dataclasses import replace

    return replace(hit, why=hit.why + more)


def _hit(connection: sqlite3.Connection, candidate: Candidate, found: Found, filters: Filters, best: float,
         marks: tuple[str, ...], *, why: bool) -> Hit:
    row = candidate.row
    at = None if row["created"] is None else datetime.fromtimestamp(row["created"], UTC)
    age = None if at is None else max(0.0, (filters.moment - at).total_seconds() / 86400)
    status = row["status"]
    own = (Status(status).word,) if status != Status.ACTIVE else ()
    text = row["text"]
    passage = passage_of(connection, found.words.passages.get(candidate.n), text) if len(text) > _LONG else ""
    return Hit(
        row["id"], text, row["type"], row["kind"], row["priority"], status, candidate.score / best if best else 0.0,
        age, at, row["project"],
        Source(row["agent"], row["session"], row["file"], (row["line"], row["line_end"]), row["sha256"]),
        external_id=row["external"], passage=passage, duplicates=candidate.duplicates, marks=own + marks,
        why=_reasons(candidate, found) if why else (_short(candidate, found),))


def passage_of(connection: sqlite3.Connection, n: int | None, text: str) -> str:
    """The piece of ``text`` that a passage number stands for, "" for none."""
    row = connection.execute("SELECT start, stop FROM passage WHERE n = ?", (n,)).fetchone()
    return text[row[0]:row[1]].strip() if row else ""


def _short(candidate: Candidate, found: Found) -> str:
    """One line: the words, or what else brought it here."""
    if candidate.terms:
        return f"words: {', '.join(candidate.terms)}"
    if candidate.n in found.meaning:
        return "means what was asked"
    if candidate.n in found.gains:
        return "stands beside a match"
    return "lies in the time asked for" if "time" in candidate.factors else "text as written"


def _reasons(candidate: Candidate, found: Found) -> tuple[str, ...]:
    n = candidate.n
    lines = [f"words: {', '.join(candidate.terms) or 'none'} ({candidate.covered:.0%} of what was asked)"]
    arms = [f"words {found.words.scores[n]:.2f}"] if n in found.words.scores else []
    arms += [f"parts of words {found.parts[n]:.2f}"] if found.parts.get(n) else []
    arms += [f"meaning {found.meaning[n]:.2f}"] if n in found.meaning else []
    if arms:
        lines.append(f"arms: {', '.join(arms)}")
    links = [f"neighbours {found.gains[n]:.2f}"] if found.gains.get(n) else []
    gain = block_gain(found.places[n], found.blocks)
    links += [f"session {gain:.2f}"] if gain else []
    if links:
        lines.append(f"links: {', '.join(links)}")
    if found.span is not None:
        lines.append(f"time: {found.span.words}")
    if candidate.factors:
        lines.append(f"factors: {', '.join(f'{name} {value:g}' for name, value in candidate.factors.items())}")
    return tuple(lines)


def _relations(connection: sqlite3.Connection, chosen: Sequence[Candidate]) -> dict[str, tuple[str, ...]]:
    """Marks from edges: what a memory is superseded by or conflicts with, as ids."""
    keys = [c.row["key"] for c in chosen if not c.spoken]
    if not keys:
        return {}
    marks = ", ".join("?" * len(keys))
    found: dict[str, tuple[str, ...]] = {}
    for source, kind, target in connection.execute(
            f"SELECT source, kind, target FROM edge WHERE (source IN ({marks}) OR target IN ({marks})) AND kind IN "
            "('supersedes', 'conflicts_with') AND status <> 'ignored' ORDER BY source, target", (*keys, *keys)):
        for key, other, word in ((target, source, "superseded by" if kind == "supersedes" else "conflicts with"),
                                 (source, target, "replaces" if kind == "supersedes" else "conflicts with")):
            if key in keys:
                found[key] = (*found.get(key, ()), f"{word} {other.rpartition('@')[0]}")
    return found
