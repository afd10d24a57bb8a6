"""A small home with everything in it that operations have to care about."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from agent_memory import ids
from agent_memory.model import lifecycle
from agent_memory.model.change import Change, PutEdge, PutNode, SetCursor, SetObserved
from agent_memory.model.graph import Agent, Edge, File, ModelCall, Project, Symbol
from agent_memory.model.memory import Kind, MemoryNode, MemoryType, Priority, Scope
from agent_memory.model.transcript import Cursor, Message, Role, Session, ToolEvent, Via
from agent_memory.paths import Home
from agent_memory.store.base import GraphStore, MemoryFilter
from agent_memory.store.open import Store
from agent_memory.text.normal import content_hash

AT = datetime(2026, 11, 1, 9, 30, tzinfo=UTC)
PROJECT = "p-0123456789abcdef"
SESSION = ids.derive(AT, "claude", "session-1")
TEXTS = ("Deploy the bakery blue/green, never rolling.", "Use pnpm in the oven folder, not npm.",
         "The flaky test was caused by a shared temp folder.", "Money is stored as whole cents.")


def message(number: int, text: str) -> Message:
    return Message(ids.derive(AT, "message", str(number)), SESSION, "claude", PROJECT, f"r{number}", number, Role.PERSON,
                   Via.PROMPT, text, AT + timedelta(minutes=number), "/data/one.jsonl", number + 1, number + 1, "ab" * 32)


def memory(number: int, text: str, **fields: Any) -> MemoryNode:
    at = AT + timedelta(minutes=number)
    plain: dict[str, Any] = {
        "id": ids.derive(at, "memory", str(number), text), "revision": 1, "type": MemoryType.OBSERVATION, "kind": Kind.DECISION, "text": text,
        "raw": "", "content_hash": content_hash(text), "topic_key": "", "scope": Scope.PROJECT, "project": PROJECT,
        "tags": ("bakery",), "agent": "claude", "session": SESSION, "message": message(number, text).id,
        "file": "/data/one.jsonl", "line": number + 1, "line_end": number + 1, "sha256": "ab" * 32, "sources": (),
        "observer": "rules/1", "rule": "decision", "operation": "", "created_at": at, "recorded_at": at,
        "valid_from": None, "priority": Priority.RED}
    return MemoryNode(**(plain | fields))


MEMORIES = tuple(memory(n, t) for n, t in enumerate(TEXTS))


def first_batch() -> list[Change]:
    session = Session(SESSION, "claude", "session-1", PROJECT, "", "/data/bakery", "main", "", "Bakery plans",
                      "/data/one.jsonl", AT)
    changes: list[Change] = [
        PutNode(Agent("claude", "Claude Code")),
        PutNode(Project(PROJECT, "bakery", "/data/bakery", "", ("root:/data/bakery",), AT)), PutNode(session),
        PutEdge(Edge("in_project", "Session", SESSION, "Project", PROJECT, AT)),
        PutEdge(Edge("by_agent", "Session", SESSION, "Agent", "claude", AT)),
        PutNode(Symbol("s-1", "deploy_all", PROJECT)), PutNode(File("f-1", "src/deploy.py", PROJECT)),
        PutNode(ModelCall("c-1", AT, "small", "observe", SESSION, 10, 5, 100, "ok")),
        PutNode(ToolEvent("t-1", SESSION, "claude", PROJECT, "rt", 10, "Bash", '{"command":"pnpm test"}', "1 failed",
                          "error", 1, AT, "/data/one.jsonl", 11, 11, "cd" * 32)),
        PutEdge(Edge("in_session", "ToolEvent", "t-1", "Session", SESSION, AT))]
    for number, text in enumerate(TEXTS):
        said = message(number, f"Hello. {text} Thanks!")
        changes += [PutNode(said), PutEdge(Edge("in_session", "Message", said.id, "Session", SESSION, AT))]
        changes += lifecycle.learn(MEMORIES[number], (("Message", said.id),))
    changes += [PutEdge(Edge("mentions", "Observation", MEMORIES[0].key, "Symbol", "s-1", AT)),
                SetCursor(Cursor("claude", "/data/one.jsonl", SESSION, "i", 100, "t", 5, 11)), SetObserved(SESSION, 10)]
    return changes


def second_batch() -> list[Change]:
    condensed = memory(50, "The bakery deploys blue/green.", type=MemoryType.REFLECTION, message="", observer="reflector/1")
    _, revised = lifecycle.revise(MEMORIES[1], "person", AT + timedelta(days=1), text="Use pnpm 9 in the oven folder.")
    return [*lifecycle.learn(condensed),
            PutEdge(Edge("condenses", "Reflection", condensed.key, "Observation", MEMORIES[0].key, AT)),
            PutEdge(Edge("related", "Observation", MEMORIES[2].key, "Observation", MEMORIES[3].key, AT, "pending", 0.5,
                         "both about tests")),
            *revised, *lifecycle.retire(MEMORIES[3], "no longer true", "person", AT + timedelta(days=2))]


def fill(home: Home, engine: str = "memory") -> Store:
    store = Store(home, engine=engine)
    store.commit(first_batch(), at=AT, actor="test")
    store.commit(second_batch(), at=AT + timedelta(days=2), actor="test")
    return store


def texts(graph: GraphStore) -> set[str]:
    return {m.text for m in graph.memories(MemoryFilter())}
