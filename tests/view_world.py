"""A small invented graph for tests of views and sync: two projects, sessions, memories of every kind."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from agent_memory import ids
from agent_memory.model import lifecycle
from agent_memory.model.change import Change, PutEdge, PutNode
from agent_memory.model.graph import Agent, Edge, Project
from agent_memory.model.memory import Kind, MemoryNode, MemoryType, Priority, Scope
from agent_memory.model.transcript import Message, Role, Session, Via
from agent_memory.paths import Home
from agent_memory.store.open import Store
from agent_memory.text.normal import content_hash

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SHOP, DOCS = "p-00000000000000aa", "p-00000000000000bb"


def memory(text: str, kind: Kind = Kind.FACT, *, at: datetime = NOW - timedelta(hours=2), project: str = SHOP,
           type: MemoryType = MemoryType.OBSERVATION, key: str = "", **fields: Any) -> MemoryNode:  # noqa: A002 - the field's name
    scope = fields.pop("scope", Scope.PROJECT)
    values: dict[str, Any] = {
        "raw": "", "topic_key": "", "tags": (), "agent": "claude", "session": "", "message": "", "file": "", "line": 0,
        "line_end": 0, "sha256": "", "sources": (), "observer": "rules/1", "rule": "test", "operation": "",
        "valid_from": None, "priority": Priority.YELLOW,
    }
    values.update(fields)
    return MemoryNode(id=key or ids.derive(at, "test", text, project), revision=1, type=type, kind=kind, text=text,
                      content_hash=content_hash(text), scope=scope, project=project, created_at=at, recorded_at=at, **values)


def base(at: datetime = NOW) -> list[Change]:
    """Agent, projects and two sessions with words."""
    def session(host: str, project: str, start: datetime, words: Sequence[str]) -> list[Change]:
        made = Session(ids.derive(start, "claude", host), "claude", host, project, "", "/srv/x", "main", "", f"The {host} work",
                       "/srv/t.jsonl", start, start + timedelta(hours=1), None, len(words))
        changes: list[Change] = [PutNode(made), PutEdge(Edge("in_project", "Session", made.id, "Project", project, at))]
        for n, text in enumerate(words):
            message = Message(ids.derive(start, host, str(n)), made.id, "claude", project, str(n), n, Role.PERSON, Via.PROMPT, text,
                              start, "/srv/t.jsonl", n + 1, n + 1, "0" * 64)
            changes += [PutNode(message), PutEdge(Edge("in_session", "Message", message.id, "Session", made.id, at))]
        return changes

    return [
        PutNode(Agent("claude", "Claude Code")),
        PutNode(Project(SHOP, "shop", "/srv/shop", "", ("root:/srv/shop",), at - timedelta(days=9))),
        PutNode(Project(DOCS, "docs/handbook", "/srv/docs", "", ("root:/srv/docs",), at - timedelta(days=8))),
        *session("checkout", SHOP, at - timedelta(hours=3), ["Make the checkout faster", "Now write the test"]),
        *session("handbook", DOCS, at - timedelta(days=2), ["Restructure the handbook"]),
    ]


def memories() -> list[MemoryNode]:
    """One memory of most kinds and places."""
    day = timedelta(days=1)
    checkout = ids.derive(NOW - timedelta(hours=3), "claude", "checkout")
    return [
        memory("Payments run on PostgreSQL 16, because advisory locks are needed", Kind.DECISION, priority=Priority.RED,
               session=checkout, pinned=True),
        memory("Use pnpm, never npm", Kind.PREFERENCE, priority=Priority.RED, seen=3),
        memory("The build fails without `NODE_OPTIONS=--max-old-space-size=4096`", Kind.LESSON),
        memory("Carts expire after 30 minutes", Kind.FACT, at=NOW - day, priority=Priority.GREEN),
        memory("Finish the refund flow", Kind.CONTEXT, rule="open-end", session=checkout),
        memory("Move images to the new bucket", Kind.CONTEXT, rule="open-end", done=True, at=NOW - 2 * day),
        memory("The handbook is built with mkdocs <strict>", Kind.ARCHITECTURE, project=DOCS, at=NOW - 2 * day),
        memory("見出しは日本語で書く", Kind.PREFERENCE, project=DOCS, at=NOW - 2 * day),
        memory("Answer in short sentences", Kind.PREFERENCE, scope=Scope.PERSONAL, type=MemoryType.PREFERENCE, confidence=0.9),
        memory("Works from Lisbon, UTC+0", Kind.FACT, scope=Scope.PERSONAL, project=""),
        memory("Small commits, each with its test", Kind.PATTERN, scope=Scope.GLOBAL, type=MemoryType.PRINCIPLE, confidence=0.8),
        memory("Timeouts of the payment provider explain most failed orders", Kind.LESSON, type=MemoryType.REFLECTION,
               confidence=0.75, seen=4),
    ]


def commit(store: Store, changes: Sequence[Change], at: datetime = NOW, actor: str = "test") -> None:
    store.commit(changes, at=at, actor=actor)


def learn(store: Store, *found: MemoryNode) -> None:
    commit(store, [change for m in found for change in lifecycle.learn(m)])


def new_store(home: Home, engine: str = "memory") -> Store:
    """An empty store without a search file."""
    return Store(home, engine=engine, index=None)


def filled_store(home: Home, engine: str = "memory") -> Store:
    """A store that holds `base` and `memories`."""
    store = new_store(home, engine)
    commit(store, base())
    learn(store, *memories())
    return store
