"""What all views are made from, read from the graph at one position."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from agent_memory.materialize import names
from agent_memory.model.graph import ProjectInfo
from agent_memory.model.memory import Kind, MemoryNode, Scope
from agent_memory.model.transcript import Message, Role, Session, Via
from agent_memory.model.visibility import Viewpoint, visible
from agent_memory.store.base import GraphStore

_THREADS = 30  # projects whose last session's words are read
_GOAL_TAGS = frozenset({"goal", "open"})
_WORD = re.compile(r"\W")


@dataclass(frozen=True, slots=True)
class Asked:
    """First and last words of a person in a session."""

    first: str = ""
    last: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Visible memories of all projects, newest first, and what gives them a place.

    ``stems`` are the file names of projects. ``condensed`` are ids that a visible reflection speaks for; views of a
    subject leave them out, the list by date does not. ``position`` is the journal position that this shows.
    """

    memories: tuple[MemoryNode, ...]
    projects: Mapping[str, ProjectInfo] = field(default_factory=dict)
    stems: Mapping[str, str] = field(default_factory=dict)
    sessions: Sequence[Session] = ()
    asked: Mapping[str, Asked] = field(default_factory=dict)
    condensed: frozenset[str] = frozenset()
    position: int = 0

    def name(self, project: str) -> str:
        """How a project is called."""
        found = self.projects.get(project)
        return found.project.name if found else project

    def view_of(self, project: str) -> str:
        """The view of a project, as a name below the views folder."""
        return f"projects/{self.stems[project]}.md"


def is_goal(memory: MemoryNode) -> bool:
    """True for open work: a context memory that a person or a rule marked as a goal or an open end."""
    if memory.kind is not Kind.CONTEXT:
        return False
    said = {*memory.tags, *(_WORD.split(text)[0] for text in (memory.rule, memory.topic_key))}
    return not _GOAL_TAGS.isdisjoint(said)


def is_personal(memory: MemoryNode) -> bool:
    """True if a memory speaks of the person or of everything, not of one project."""
    return memory.scope is not Scope.PROJECT or not memory.project


def read(graph: GraphStore, *, now: datetime, stems: Mapping[str, str]) -> Snapshot:
    """Read what views need. ``stems`` are the file names that projects had before."""
    everywhere = Viewpoint(now, all_projects=True)
    memories = [m for m in graph.memories() if visible(m, everywhere)]
    memories.sort(key=lambda m: (m.created_at, m.id), reverse=True)
    shown = {m.id for m in memories}
    # An edge names the revision it was drawn at; the lineage keeps speaking for what it condensed.
    condensed = {edge.target.rpartition("@")[0] for edge in graph.edges(("condenses", "merged_from"))
                 if edge.source.rpartition("@")[0] in shown}
    projects = {info.project.id: info for info in graph.projects()}
    sessions = [s for s in graph.sessions() if not s.parent]
    sessions.sort(key=lambda s: (_when(s), s.id), reverse=True)
    order = sorted(projects.values(), key=lambda info: (info.project.created_at, info.project.id))
    given = names.assign([(info.project.id, info.project.name) for info in order], stems)
    return Snapshot(tuple(memories), projects, given, sessions, _asked(graph, sessions), frozenset(condensed),
                    graph.position())


def _when(session: Session) -> datetime:
    return session.last_at or session.started_at or datetime.min.replace(tzinfo=UTC)


def _asked(graph: GraphStore, sessions: Sequence[Session]) -> dict[str, Asked]:
    """The person's first and last words in the last session of each project."""
    found: dict[str, Asked] = {}
    seen: set[str] = set()
    for session in sessions:
        if session.project in seen:
            continue
        seen.add(session.project)
        if len(seen) > _THREADS:
            break
        words = [m for m in graph.messages(session.id) if _said(m)]
        if words:
            found[session.id] = Asked(words[0].text, words[-1].text if len(words) > 1 else "")
    return found


def _said(message: Message) -> bool:
    return message.role is Role.PERSON and message.via is Via.PROMPT and bool(message.text.strip())
