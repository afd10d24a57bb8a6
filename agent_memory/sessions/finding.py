"""Sessions and tool calls found by what was said and done in them. Any text is a valid question."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from agent_memory.errors import UsageError
from agent_memory.model.transcript import Session, ToolEvent
from agent_memory.recall.filters import MEMORY_TYPES
from agent_memory.recall.hit import Hit
from agent_memory.recall.search import recall
from agent_memory.sessions.commands import command_line
from agent_memory.sessions.summary import one_line
from agent_memory.store.base import GraphStore
from agent_memory.store.open import Store

DEPTH: Final = 200
"""Hits that are grouped by session."""


@dataclass(frozen=True, slots=True)
class SessionHit:
    """A session that answers, with its best passages."""

    session: Session
    score: float
    passages: tuple[str, ...]
    hits: int


@dataclass(frozen=True, slots=True)
class EventHit:
    """A tool call that answers. ``command`` is "" for tools that run none."""

    event: ToolEvent
    session: Session | None
    command: str


@dataclass(frozen=True, slots=True)
class Tree:
    """A session with its subagents."""

    session: Session
    children: tuple[Tree, ...] = field(default=())


def search_sessions(store: Store, query: str, *, now: datetime, project: str, all_projects: bool, limit: int,
                    agents: Sequence[str] = (), only: Callable[[Session], bool] = lambda _s: True) -> list[SessionHit]:
    """Sessions in which something was said or learned that fits, best first."""
    checked_limit(limit)
    hits = recall(store.home, query, now=now, project=project, all_projects=all_projects, limit=DEPTH, agents=agents,
                  types=("message", *MEMORY_TYPES))
    grouped: dict[str, list[Hit]] = {}
    for hit in hits:
        if hit.source.session:
            grouped.setdefault(hit.source.session, []).append(hit)
    found: list[SessionHit] = []
    with store.read() as graph:
        for key, mine in grouped.items():
            session = graph.session(key)
            if session is not None and only(session):
                passages = tuple(one_line(h.passage or h.text) for h in mine[:3])
                found.append(SessionHit(session, mine[0].score + min(0.1, 0.01 * (len(mine) - 1)), passages, len(mine)))
            if len(found) >= limit * 3:
                break
    return sorted(found, key=lambda h: (-h.score, h.session.id))[:limit]


def search_events(store: Store, query: str, *, project: str, all_projects: bool, limit: int, status: str = "",
                  since: datetime | None = None) -> list[EventHit]:
    """Tool calls whose name, input or output holds all words of the query, newest first.

    Raises:
        UsageError: an unknown status or a limit below 1.
    """
    checked_limit(limit)
    if status and status not in ("ok", "error", "refused", "open", "unknown"):
        raise UsageError(f"unknown status {status!r}", hint="Known are: ok, error, refused, open, unknown.")
    words = fold(query).split()
    plain = [word.lower() for word in query.split() if word.isascii()]  # what engines and Python compare alike
    with store.read() as graph:
        found = [e for e in graph.tool_events_with(plain) if (all_projects or e.project in (project, ""))
                 and (not status or e.status == status) and (since is None or (e.at is not None and e.at >= since))
                 and _holds(e, words)]
        found.sort(key=lambda e: (e.at is not None, e.at.timestamp() if e.at else 0.0, e.seq, e.id), reverse=True)
        sessions = {key: graph.session(key) for key in {e.session for e in found[:limit]}}
    return [EventHit(e, sessions[e.session], command_line(e)) for e in found[:limit]]


def fold(text: str) -> str:
    """Text in the form in which words of tool calls are compared."""
    return unicodedata.normalize("NFKC", text).encode("utf-8", "replace").decode().lower()


def _holds(event: ToolEvent, words: list[str]) -> bool:
    text = fold(f"{event.name} {event.input} {event.output}")
    return all(word in text for word in words)


def tree(graph: GraphStore, session: Session) -> Tree:
    """The session at the root of ``session`` with all its descendants."""
    every = {s.id: s for s in graph.sessions()}
    root, seen = session, {session.id}
    while root.parent in every and root.parent not in seen:
        root = every[root.parent]
        seen.add(root.id)
    below: dict[str, list[Session]] = {}
    for one in every.values():
        below.setdefault(one.parent, []).append(one)
    placed: set[str] = set()

    def grow(one: Session) -> Tree:
        placed.add(one.id)
        return Tree(one, tuple(grow(child) for child in below.get(one.id, ()) if child.id not in placed))

    return grow(root)


def checked_limit(limit: int) -> None:
    """Refuse a limit below 1.

    Raises:
        UsageError.
    """
    if limit < 1:
        raise UsageError(f"limit {limit} is below 1", hint="Ask for at least one.")
