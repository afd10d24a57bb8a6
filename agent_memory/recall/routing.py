"""How much each chunk deserves its place: what it is, then how much it shares with the folder and the task."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from agent_memory.recall.sources import Fact
from agent_memory.recall.view_chunks import Chunk
from agent_memory.text import analyze

_FOLDERS = re.compile(r"[/\\]+")
_COMMON_FOLDERS = frozenset({"home", "users", "code", "src", "work", "projects", "repos", "git", "dev", "documents"})

BASE: Final = {
    ("active", "goals"): 60, ("active", "thread"): 55, ("project", "goals"): 60, ("project", "thread"): 55,
    ("profile", "preference"): 50, ("project", "preference"): 50, ("project", "decision"): 45,
    ("project", "lesson"): 42, ("project", "architecture"): 35, ("project", "pattern"): 32, ("project", "fact"): 30,
    ("profile", "style"): 35, ("profile", "identity"): 25, ("profile", "lesson"): 38, ("profile", "decision"): 36,
    ("active", "sessions"): 12, ("project", "sessions"): 12, ("active", "reached"): 4, ("project", "reached"): 4,
}
_OTHER: Final = {"project": 28, "active": 26, "profile": 22}
_MARKS: Final = {"🔴": 3, "🟡": 2, "🟢": 1}
BESIDE: Final = 25
"""For what was said in the same session as the best finds for the task: it is about the same, in other words."""
WORK: Final = frozenset({"goals", "thread"})
RULES: Final = frozenset({"preference", "style", "pattern", "decision", "lesson"})


def terms_of(cwd: str, task: str) -> frozenset[str]:
    """Routing terms: the words of the task, and the last folders of the path."""
    folders = [f for f in _FOLDERS.split(cwd) if f and f.casefold() not in _COMMON_FOLDERS][-2:]
    return frozenset((*analyze.query(task).terms, *analyze.query(" ".join(folders)).terms))


def priority(chunk: Chunk, fact: Fact | None) -> int:
    """3 red, 2 yellow, 1 green, 0 for what a person wrote without a mark."""
    return fact.priority if fact is not None else _MARKS.get(chunk.bullet.mark, 0)


def pinned(chunk: Chunk, fact: Fact | None) -> bool:
    """True for what a person pinned."""
    return fact.pinned if fact is not None else "pinned" in chunk.bullet.suffix.split(" · ")


def score(chunk: Chunk, fact: Fact | None, routing: frozenset[str], hits: Collection[str],
          near: Collection[str] = ()) -> int:
    """Points of a chunk; equal chunks keep the order of the view, which is by rank already.

    ``hits`` are ids that a search for the task found, ``near`` the transcripts of the best of them.
    """
    points = BASE.get((chunk.view, chunk.section), _OTHER[chunk.view])
    if chunk.bullet.done:
        points = 2
    points += 8 * priority(chunk, fact) + (60 if pinned(chunk, fact) else 0)
    text = f"{chunk.title} {chunk.bullet.text}"
    if routing and _may_share(routing, text):
        points += min(45, 15 * len(routing & set(analyze.tokens(text))))
    if chunk.bullet.id and chunk.bullet.id in hits:
        points += 40
    if fact is not None and fact.file and fact.file in near:
        points += BESIDE
    return points


def _may_share(routing: frozenset[str], text: str) -> bool:
    """False if no term can be a token of a text, told without taking it apart. A stem may change a last letter."""
    folded = text.casefold()
    return any(term[:max(2, len(term) - 1)] in folded for term in routing)


def is_rule(chunk: Chunk, fact: Fact | None) -> bool:
    """True for what must not be missed: pinned, or a red preference, decision or lesson."""
    return pinned(chunk, fact) or (priority(chunk, fact) == 3 and chunk.section in RULES)


def is_work(chunk: Chunk) -> bool:
    """True for open work of this project."""
    return chunk.section in WORK and not chunk.bullet.done
