"""Small graphs for the reflector's tests: a store over the reference engine, and memories in one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from agent_memory import ids
from agent_memory.model.change import Batch, Change, PutNode, problems
from agent_memory.model.graph import Project
from agent_memory.model.lifecycle import learn
from agent_memory.model.memory import Kind, MemoryNode, MemoryType, Priority, Scope
from agent_memory.model.transcript import Message, Role, Session, ToolEvent, Via
from agent_memory.store.base import GraphStore
from agent_memory.store.engines.memory import MemoryGraph
from agent_memory.text.normal import content_hash

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)



class SmallStore:
    """A store without files: what `Store` promises, over the reference engine."""

    def __init__(self) -> None:
        self.graph = MemoryGraph()
        self.written: list[Batch] = []

    @contextmanager
    def read(self) -> Iterator[GraphStore]:
        yield self.graph

    @contextmanager
    def deciding(self) -> Iterator[None]:
        yield

    def commit(self, changes: Sequence[Change], *, at: datetime, actor: str) -> int:
        batch = Batch(at, actor, tuple(changes), len(self.written) + 1)
        assert problems(batch) == []
        self.written.append(batch)
        self.graph.apply([batch])
        return batch.position


def memory(text: str, *, days: float = 1, n: int = 0, kind: Kind = Kind.DECISION, **fields: Any) -> MemoryNode:
    """An observation said ``days`` before NOW; equal arguments give an equal memory."""
    at = NOW - timedelta(days=days)
    values: dict[str, Any] = {
        "id": ids.derive(at, "test", text, str(n)), "revision": 1, "type": MemoryType.OBSERVATION, "kind": kind, "text": text, "raw": "",
        "content_hash": content_hash(text), "topic_key": "", "scope": Scope.PROJECT, "project": "", "tags": (), "agent": "claude",
        "session": "", "message": "", "file": "", "line": 0, "line_end": 0, "sha256": "", "sources": (), "observer": "rules/1", "rule": "test",
        "operation": "", "created_at": at, "recorded_at": at, "valid_from": None, "priority": Priority.YELLOW, "confidence": 0.6}
    return MemoryNode(**(values | fields))


def project(name: str) -> Project:
    return Project(name, name, f"/src/{name}", "", (f"root:/src/{name}",), NOW)


def said(store: SmallStore, node: MemoryNode, role: Role | None = Role.PERSON) -> MemoryNode:
    """Put a memory together with the session and the message (or tool event, with role None) it rests on."""
    session = node.session or f"s-{node.id}"
    key = f"m-{node.id}"
    node = replace(node, session=session, message=key)
    place = {"id": key, "session": session, "agent": "claude", "project": node.project, "record": key, "seq": 0, "at": node.created_at,
                 "file": "t.jsonl", "line": 1, "line_end": 1, "sha256": "0"}
    source: Message | ToolEvent
    if role is None:
        source = ToolEvent(name="Bash", input="cat page", output=node.text, status="ok", exit_code=0, **place)  # type: ignore[arg-type]
    else:
        source = Message(role=role, via=Via.PROMPT, text=node.text, **place)  # type: ignore[arg-type]
    changes: list[Change] = []
    if node.project:
        changes.append(PutNode(project(node.project)))
    changes += [PutNode(Session(session, "claude", session, node.project, "", "", "", "", "", "t.jsonl", node.created_at)),
                PutNode(source), *learn(node, (("ToolEvent" if role is None else "Message", key),))]
    store.commit(changes, at=node.created_at, actor="test")
    return node


def put(store: SmallStore, *nodes: MemoryNode) -> None:
    changes: list[Change] = []
    for node in nodes:
        if node.project:
            changes.append(PutNode(project(node.project)))
        if node.session:
            changes.append(PutNode(Session(node.session, "claude", node.session, node.project, "", "", "", "", "",
                                           "t.jsonl", node.created_at)))
        changes += learn(node)
    store.commit(changes, at=NOW, actor="test")


def texts(store: SmallStore, *statuses: Any) -> set[str]:
    return {m.text for m in store.graph.memories() if m.status in statuses}


def edge_pairs(store: SmallStore, kind: str) -> set[tuple[str, str]]:
    return {(e.source.split("@")[0], e.target.split("@")[0]) for e in store.graph.edges((kind,))}

