"""Invented nodes, edges and batches for tests of the store, from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from agent_memory.model import lifecycle
from agent_memory.model.change import Batch, Change, PutEdge, PutNode, SetCursor, SetObserved, SetState
from agent_memory.model.graph import (
    EDGES,
    MEMORY_TABLES,
    RELATIONS,
    STATE,
    Agent,
    Edge,
    File,
    Happening,
    ModelCall,
    Project,
    Symbol,
    Tombstone,
    key_of,
    table_of,
)
from agent_memory.model.memory import Kind, MemoryNode, MemoryType, Priority, Scope, Status
from agent_memory.model.transcript import Cursor, Message, Role, Session, ToolEvent, Via
from agent_memory.text.normal import content_hash

T0 = datetime(2026, 3, 1, 8, 30, 0, 123456, tzinfo=UTC)
TEXTS = ("plain words", "quotes ' \" ` and back\\slash", "two\nlines\r\n\ttab", "数据库迁移 需要 备份", "emoji 🧠👩‍👩‍👧 e\u0301",
         "nul \x00 inside", "{curly: $dollar}", "// comment; drop", "x" * 5000, " ")


def at(minutes: float) -> datetime:
    """A time some minutes after the first."""
    return T0 + timedelta(minutes=minutes)


def project(name: str = "p1") -> Project:
    return Project(name, f"name of {name}", f"/src/{name}", "example.org/x", (f"root:/src/{name}", "k2"), T0)


def session(name: str = "s1", project_id: str = "p1", **fields: Any) -> Session:
    values: dict[str, Any] = {"agent": "claude", "host_id": f"host-{name}", "project": project_id, "parent": "",
                              "cwd": "/src/p1", "branch": "main", "remote": "", "title": "A session", "file": "/t/a.jsonl",
                              "started_at": T0}
    return Session(id=name, **(values | fields))


def message(n: int, session_id: str = "s1", text: str = "hello") -> Message:
    return Message(f"{session_id}-m{n}", session_id, "claude", "p1", f"rec{n}", n, Role.PERSON, Via.PROMPT, text,
                   at(n) if n % 3 else None, "/t/a.jsonl", n + 1, n + 1, f"{n:064d}")


def tool_event(n: int, session_id: str = "s1", text: str = "ls -la") -> ToolEvent:
    return ToolEvent(f"{session_id}-t{n}", session_id, "claude", "p1", f"rect{n}", n, "Bash", text, "out", "ok",
                     n % 3 or None, at(n), "/t/a.jsonl", n + 1, n + 2, f"{n:064d}")


def memory(name: str, text: str = "Use pnpm.", revision: int = 1, **fields: Any) -> MemoryNode:
    values: dict[str, Any] = {
        "type": MemoryType.OBSERVATION, "kind": Kind.DECISION, "raw": "", "content_hash": content_hash(text),
        "topic_key": "", "scope": Scope.PROJECT, "project": "p1", "tags": (), "agent": "claude", "session": "s1",
        "message": "s1-m0", "file": "/t/a.jsonl", "line": 1, "line_end": 1, "sha256": "0" * 64, "sources": (),
        "observer": "rules/1", "rule": "decision", "operation": "", "created_at": T0, "recorded_at": T0,
        "valid_from": None}
    return MemoryNode(id=name, revision=revision, text=text, **(values | fields))


def base() -> list[Change]:
    """Agent, project, session and a few messages that other things can hang on."""
    changes: list[Change] = [PutNode(Agent("claude", "Claude Code")), PutNode(project()), PutNode(session()),
                             PutEdge(Edge("in_project", "Session", "s1", "Project", "p1", T0)),
                             PutEdge(Edge("by_agent", "Session", "s1", "Agent", "claude", T0))]
    for n in range(4):
        changes += [PutNode(message(n)), PutEdge(Edge("in_session", "Message", f"s1-m{n}", "Session", "s1", T0))]
    return changes


def batch(position: int, *changes: Change) -> Batch:
    return Batch(at(position), "test", tuple(changes), position)


class Chaos:
    """A stream of random but valid changes; it remembers what it made, so that later ones touch earlier ones."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.keys: dict[str, list[str]] = {}
        self.memories: list[MemoryNode] = []
        self.edges: list[Edge] = []
        self.count = 0
        self.position = 0

    def batches(self, number: int) -> Iterator[Batch]:
        for _ in range(number):
            self.position += 1
            changes = tuple(c for _ in range(self.random.randint(1, 6)) for c in self.changes())
            yield Batch(at(self.position), self.random.choice(("observe", "person")), changes, self.position)

    def changes(self) -> list[Change]:
        makers = [self._node, self._node, self._memory, self._memory, self._revise, self._edge, self._edge, self._relation,
                  self._state, self._state, self._cursor, self._observed, self._again]
        return self.random.choice(makers)()

    def _name(self, letter: str) -> str:
        self.count += 1
        return f"{letter}{self.random.randrange(36 ** 4):05d}{self.count}"

    def _text(self) -> str:
        return self.random.choice(TEXTS) + str(self.random.randrange(1000))

    def _time(self) -> datetime | None:
        return self.random.choice((None, at(self.random.randrange(10 ** 6))))

    def _remember(self, change: PutNode) -> list[Change]:
        self.keys.setdefault(table_of(change.node), []).append(key_of(change.node))
        return [change]

    def _node(self) -> list[Change]:
        r, n = self.random, self.count
        sessions = self.keys.get("Session", ["s1"])
        made = r.choice((
            lambda: Agent(r.choice(("claude", "codex")), "title"),
            lambda: project(self._name("p")),
            lambda: session(self._name("s"), r.choice(self.keys.get("Project", [""])), title=self._text(),
                            started_at=self._time()),
            lambda: message(n, r.choice(sessions), self._text()),
            lambda: tool_event(n, r.choice(sessions), self._text()),
            lambda: Symbol(self._name("y"), "parse_args", "p1"),
            lambda: File(self._name("f"), "src/a b.py", "p1"),
            lambda: Happening(self._name("h"), r.choice(self.keys.get("Project", ["p1"])), "alias", self._text(), "", "x",
                              at(n)),
            lambda: ModelCall(self._name("c"), at(n), "m", "observe", "s1", 10, 2, 7, "ok"),
            lambda: Tombstone(self._name("z"), at(n)),
        ))()
        return self._remember(PutNode(made))

    def _memory(self) -> list[Change]:
        r = self.random
        made = memory(self._name("m"), self._text() + ".", type=r.choice(list(MemoryType)), kind=r.choice(list(Kind)),
                      scope=r.choice(list(Scope)), tags=tuple(sorted(r.sample(("a", "b", "ü"), r.randint(0, 3)))),
                      project=r.choice(self.keys.get("Project", [""])), session=r.choice(self.keys.get("Session", [""])),
                      valid_from=self._time(), priority=r.choice(list(Priority)), confidence=r.random(),
                      expires_at=self._time())
        self.memories.append(made)
        self.keys.setdefault(table_of(made), []).append(made.key)
        return lifecycle.learn(made)

    def _revise(self) -> list[Change]:
        if not self.memories:
            return self._memory()
        index = self.random.randrange(len(self.memories))
        new, changes = lifecycle.revise(self.memories[index], "person", at(self.count), text=self._text() + "!")
        self.memories[index] = new
        self.keys.setdefault(table_of(new), []).append(new.key)
        return changes

    def _join(self, kind: str, **fields: Any) -> list[Change]:
        pairs = [p for p in EDGES[kind] if self.keys.get(p[0]) and self.keys.get(p[1])]
        if not pairs:
            return self._node()
        source, target = self.random.choice(pairs)
        ends = self.random.choice(self.keys[source]), self.random.choice([*self.keys[target], "no-such-key"])
        edge = Edge(kind, source, ends[0], target, ends[1], at(self.count), **fields)
        self.edges.append(edge)
        return [PutEdge(edge)]

    def _edge(self) -> list[Change]:
        return self._join(self.random.choice([k for k in EDGES if k not in RELATIONS]), reason=self._text())

    def _relation(self) -> list[Change]:
        status = self.random.choice(("pending", "judged", "ignored"))
        old = [e for e in self.edges if e.kind in RELATIONS]
        if old and self.random.random() < 0.5:
            e = self.random.choice(old)
            return [PutEdge(Edge(e.kind, e.source_table, e.source, e.target_table, e.target, at(self.count),
                                 status=status, confidence=self.random.random(), reason=self._text()))]
        return self._join(self.random.choice(RELATIONS), status=status, confidence=self.random.random(),
                          reason=self._text())

    def _state(self) -> list[Change]:
        r = self.random
        table = r.choice([t for t in STATE if self.keys.get(t)] or ["Session"])
        values: dict[str, Any] = {"last_at": self._time(), "messages": r.randrange(99)} if table == "Session" else {
            "status": r.choice(list(Status)), "current": r.random() < 0.9, "priority": r.choice(list(Priority)),
            "confidence": r.random(), "pinned": r.random() < 0.5, "done": r.random() < 0.5, "seen": r.randrange(50),
            "sessions": r.randrange(9), "last_seen_at": self._time(), "valid_until": self._time(),
            "review_after": self._time(), "expires_at": self._time()}
        some = dict(r.sample(sorted(values.items()), r.randint(1, len(values))))
        return [SetState(table, r.choice([*self.keys.get(table, []), "no-such-key"]), some)]

    def _cursor(self) -> list[Change]:
        r = self.random
        return [SetCursor(Cursor(r.choice(("claude", "codex")), r.choice(("/t/a.jsonl", "/t/b c.jsonl")), "s1", "id",
                                 r.randrange(10 ** 12), "ab" * 32, 5, r.randrange(99), '{"open": [1]}',
                                 tuple(f"r{i}" for i in range(r.randrange(5)))))]

    def _observed(self) -> list[Change]:
        return [SetObserved(self.random.choice(("s1", "s2")), self.random.randrange(-1, 99))]

    def _again(self) -> list[Change]:
        """A node under a key that is there already, with other content: it must stay as it was."""
        if not self.memories:
            return self._node()
        old = self.random.choice(self.memories)
        return [PutNode(memory(old.id, "must not be seen", old.revision, type=old.type))]


TABLE_NAMES = tuple(MEMORY_TABLES.values())
