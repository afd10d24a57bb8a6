"""Turns records into batches of changes: redacted, with their project and session, the cursor in the same batch."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from agent_memory import ids
from agent_memory.capture.agents.base import Head
from agent_memory.capture.recorder import EPOCH, session_id
from agent_memory.model.change import Change, PutEdge, PutNode, SetCursor, SetState
from agent_memory.model.graph import Agent, Edge, Happening, Project
from agent_memory.model.transcript import Cursor, Message, Role, Session, ToolEvent, Via
from agent_memory.projects import identify, resolve
from agent_memory.roster import TITLES
from agent_memory.store.base import GraphStore
from agent_memory.store.open import Store
from agent_memory.text.redact import Redactor

BATCH: Final = (1_500, 1_500_000)
"""Changes, or characters of text, after which a batch is written at the next cursor."""
TITLE: Final = 80


@dataclass(frozen=True, slots=True)
class Known:
    """What the graph knew before reading: the project, the session and its children, the agent."""

    project: Project
    new_project: bool
    aliases: tuple[str, ...]  # keys of the project that the graph does not know yet
    sessions: dict[str, Session]  # by id: the transcript's session and its children
    parent: bool  # the parent session is in the graph
    new_agent: bool

    @classmethod
    def of(cls, graph: GraphStore, agent: str, head: Head, redactor: Redactor) -> Known:
        """Look everything up in one go, so that the lease is short."""
        projects = {key: info.project for info in graph.projects() for key in (*info.project.keys, *info.aliases)}
        identity = identify(head.cwd, head.remote)
        keys = tuple(redactor.text(key) for key in identity.keys)
        chosen = resolve(replace(identity, keys=keys), {key: p.id for key, p in projects.items()})
        session = session_id(agent, head.host_id)
        existing = graph.session(session)
        if existing is not None and existing.project:
            chosen = existing.project
        project = next((p for p in projects.values() if p.id == chosen), None)
        name, root, remote = (redactor.text(t) for t in (identity.name, identity.root, identity.remote))
        fresh = Project(chosen, name, root, remote, keys, head.started_at or EPOCH)
        sessions = {s.id: s for s in graph.sessions(chosen) if session in (s.id, s.parent)}
        if existing is not None:
            sessions[session] = existing
        parent = session_id(agent, head.parent) if head.parent else ""
        return cls(project or fresh, project is None and bool(chosen),
                   tuple(k for k in keys if chosen and k not in projects) if project else (), sessions,
                   bool(parent) and graph.session(parent) is not None, all(a.id != agent for a in graph.agents()))


class Writer:
    """Collects the changes of one transcript and writes them with its cursors."""

    def __init__(self, store: Store, agent: str, known: Known, redactor: Redactor,
                 tombstoned: Callable[[str], bool] | None, *, now: datetime, actor: str,
                 previous: Cursor | None) -> None:
        """Nothing is written before there is something new."""
        self.store, self.agent, self.known, self.redactor = store, agent, known, redactor
        self.tombstoned, self.now, self.actor = tombstoned, now, actor
        self.messages = self.tools = self.forgotten = self.batches = 0
        self.touched: dict[str, None] = {}
        self._put: set[str] = set(known.sessions)
        self._waiting: dict[str, Session] = {}  # announced, without a record yet
        self._latest: dict[str, Session] = dict(known.sessions)  # with its state as of now
        self._changes: list[Change] = []
        self._dirty: dict[str, None] = {}
        self._size = 0
        self._stored = previous
        self._pending: Cursor | None = None
        self._surrounded = False
        self._untitled: dict[str, int] = {}  # sessions put without a title: their place among the changes
        self._titles: dict[str, str] = {}

    def session(self, session: Session) -> None:
        """A session is announced, or announced again with another title."""
        session = replace(
            session, project=self.known.project.id, cwd=self.redactor.text(session.cwd),
            branch=self.redactor.text(session.branch), title=self.redactor.text(session.title),
            file=self.redactor.text(session.file), remote=self.redactor.text(session.remote))
        if session.id in self._put:
            known = self._titles.get(session.id)
            if known is not None and session.title and session.title != known:
                key = ids.derive(session.started_at or EPOCH, "title", session.id, session.title)
                titled = Happening(key, session.id, "title", session.title, "", self.actor, self.now)
                self._changes.append(PutNode(titled))
            self._titles[session.id] = session.title
        else:
            self._waiting[session.id] = session
            self._titles[session.id] = session.title

    def message(self, message: Message) -> None:
        """Store a message, unless its text was purged."""
        text = self.redactor.text(message.text)
        if self.tombstoned is not None and self.tombstoned(text):
            self.forgotten += 1
            return
        self._begin(message.session)
        if message.session in self._untitled and (message.role is Role.PERSON or message.via is Via.TASK):
            self._name(message.session, text)
        message = replace(message, text=text, project=self._latest[message.session].project,
                          file=self.redactor.text(message.file))
        self._add(PutNode(message), "Message", message.id, message.session, len(text))
        self.messages += 1
        self._advance(message.session, message.at, 1)

    def tool(self, event: ToolEvent) -> None:
        """Store a tool event."""
        self._begin(event.session)
        event = replace(event, name=self.redactor.text(event.name), input=self.redactor.text(event.input),
                        output=self.redactor.text(event.output), project=self._latest[event.session].project,
                        file=self.redactor.text(event.file))
        self._add(PutNode(event), "ToolEvent", event.id, event.session, len(event.input) + len(event.output))
        self.tools += 1
        self._advance(event.session, event.at, 0)

    def cursor(self, cursor: Cursor) -> Cursor:
        """A place up to which all records were given; a batch is written if enough has come together."""
        state = json.loads(cursor.state)
        cursor = replace(cursor, file=self.redactor.text(cursor.file),
                         state=json.dumps(self.redactor.value(state), sort_keys=True, ensure_ascii=False))
        self._pending = cursor
        if len(self._changes) >= BATCH[0] or self._size >= BATCH[1]:
            self._write()
        return cursor

    def finish(self) -> None:
        """Write what is left."""
        self._write()

    def _add(self, change: Change, table: str, key: str, session: str, size: int) -> None:
        self._changes += (change, PutEdge(Edge("in_session", table, key, "Session", session, self.now)))
        self._size += size

    def _advance(self, session: str, at: datetime | None, messages: int) -> None:
        known = self._latest[session]
        last = max((t for t in (known.last_at, at) if t is not None), default=None)
        self._latest[session] = replace(known, last_at=last, messages=known.messages + messages)
        self._dirty[session] = None
        self.touched[session] = None

    def _begin(self, session_key: str) -> None:
        """Put a session and what it belongs to before its first record."""
        if session_key in self._put:
            return
        session = self._waiting.pop(session_key)
        self._surroundings()
        self._changes.append(PutNode(session))
        if not session.title:
            self._untitled[session.id] = len(self._changes) - 1
        self._join("by_agent", session.id, "Agent", self.agent)
        if session.project:
            self._join("in_project", session.id, "Project", session.project)
        if session.parent and (session.parent in self._put or self.known.parent):
            self._join("child_of", session.id, "Session", session.parent)
        for child in self.known.sessions.values():
            if child.parent == session.id:
                self._join("child_of", child.id, "Session", session.id)
        self._put.add(session.id)
        self._latest[session.id] = session

    def _name(self, session: str, said: str) -> None:
        """A session without a title is called by the first words of a person, as long as it is not written."""
        first = next((line.strip() for line in said.splitlines() if line.strip()), "")
        place = self._untitled.pop(session)
        title = first if len(first) <= TITLE else first[:TITLE - 1].rstrip() + "…"
        titled = replace(self._latest[session], title=title)
        self._changes[place] = PutNode(replace(titled, last_at=None, messages=0))
        self._latest[session] = titled

    def _join(self, kind: str, session: str, table: str, key: str) -> None:
        self._changes.append(PutEdge(Edge(kind, "Session", session, table, key, self.now)))

    def _surroundings(self) -> None:
        """Put agent, project and new names of the project, once."""
        if self._surrounded:
            return
        self._surrounded = True
        project = self.known.project
        if self.known.new_agent:
            self._changes.append(PutNode(Agent(self.agent, TITLES.get(self.agent, self.agent))))
        if self.known.new_project:
            self._changes.append(PutNode(project))
        for key in self.known.aliases:
            alias = ids.derive(project.created_at, "alias", project.id, key)
            self._changes.append(PutNode(Happening(alias, project.id, "alias", key, "", self.actor, self.now)))

    def _write(self) -> None:
        cursor = self._pending
        if cursor is None or (not self._changes and cursor == self._stored):
            return
        changes = list(self._changes)
        for key in self._dirty:
            latest = self._latest[key]
            changes.append(SetState("Session", key, {"messages": latest.messages}
                                    | ({"last_at": latest.last_at} if latest.last_at else {})))
        changes.append(SetCursor(cursor))
        self.store.append(changes, at=self.now, actor=self.actor)
        self.batches += 1
        self._stored, self._changes, self._dirty, self._size = cursor, [], {}, 0
        self._untitled.clear()
