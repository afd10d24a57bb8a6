"""What happened in a place: sessions told in order, around a memory, or for a project."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from agent_memory.flow.notes import project_id
from agent_memory.model.memory import VISIBLE, MemoryNode
from agent_memory.model.transcript import Message, Role, Session, ToolEvent
from agent_memory.model.visibility import Viewpoint, visible
from agent_memory.notes.naming import named as named_memory
from agent_memory.notes.upkeep import overdue
from agent_memory.sessions import finding, naming, trouble
from agent_memory.sessions.finding import Tree, checked_limit
from agent_memory.sessions.summary import Summary, one_line, summarise
from agent_memory.store.base import GraphStore, MemoryFilter

if TYPE_CHECKING:
    from agent_memory.flow.place import Place

_AROUND = 5


@dataclass(frozen=True, slots=True)
class Moment:
    """One line of a timeline: a session, a message, a tool call or a memory, with its time."""

    at: datetime | None
    what: str
    id: str
    text: str
    session: str = ""
    here: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """A session with its summary and its first records after ``after`` (sequence number)."""

    session: Session
    summary: Summary
    records: tuple[Moment, ...]
    more: int


@dataclass(frozen=True, slots=True)
class ProjectContext:
    """What was done here recently, what holds here, what is contested or due."""

    project: str
    name: str
    sessions: tuple[Summary, ...]
    recent: tuple[MemoryNode, ...]
    contested: tuple[MemoryNode, ...]
    due: tuple[MemoryNode, ...]


def listed(place: Place, *, project: str | None, cwd: str, all_projects: bool, limit: int,
           agent: str = "", subagents: bool = False) -> list[Summary]:
    """Summaries of sessions, latest first; subagents only where asked for."""
    checked_limit(limit)
    here = project_id(place, project, cwd)
    with place.store.read() as graph:
        every = graph.sessions("" if all_projects or not here else here)
        children = _children(every)
        chosen = [s for s in every if (subagents or not s.parent) and (not agent or s.agent == agent)
                  and (all_projects or s.project == here)]
        chosen.sort(key=_latest, reverse=True)
        return [summarise(graph, s, children=children.get(s.id, 0)) for s in chosen[:limit]]


def _latest(session: Session) -> tuple[float, str]:
    at = session.last_at or session.started_at
    return (at.timestamp() if at else 0.0, session.id)


def _children(sessions: list[Session]) -> dict[str, int]:
    found: dict[str, int] = {}
    for session in sessions:
        if session.parent:
            found[session.parent] = found.get(session.parent, 0) + 1
    return found


def show(place: Place, given: str, *, after: int, limit: int) -> Shown:
    """One session; see `Shown`."""
    checked_limit(limit)
    with place.store.read() as graph:
        session = naming.named(graph, given)
        summary = summarise(graph, session, children=_children(graph.sessions()).get(session.id, 0))
        records = _records(graph, session.id)
    later = [(r.seq, _moment(r)) for r in records if r.seq > after]
    return Shown(session, summary, tuple(m for _, m in later[:limit]), max(0, len(later) - limit))


def _records(graph: GraphStore, session: str) -> list[Message | ToolEvent]:
    found: list[Message | ToolEvent] = [m for m in graph.messages(session) if m.role is not Role.HARNESS]
    return sorted([*found, *graph.tool_events(session)], key=lambda r: (r.seq, r.id))


def _moment(record: Message | ToolEvent, *, here: bool = False) -> Moment:
    if isinstance(record, Message):
        return Moment(record.at, record.role.value, record.id, one_line(record.text, 400), record.session, here)
    told = f"{record.name} {one_line(record.input, 240)} → {record.status}"
    return Moment(record.at, "tool", record.id, told, record.session, here)


def tree(place: Place, given: str) -> Tree:
    """The family of a session."""
    with place.store.read() as graph:
        return finding.tree(graph, naming.named(graph, given))


def timeline(place: Place, *, around: str, project: str | None, cwd: str, all_projects: bool, limit: int,
             before: int = _AROUND, after: int = _AROUND) -> list[Moment]:
    """Sessions in order of time, the latest ``limit``; or what stands before and after one memory.

    Around a memory of a session: the records of that session beside where it was said. Around a note: the visible
    memories of its project that were stored before and after it.
    """
    checked_limit(limit)
    here = project_id(place, project, cwd)
    if not around.strip():
        told = listed(place, project=project, cwd=cwd, all_projects=all_projects, limit=limit)
        return [Moment(s.started_at or s.last_at, "session", s.session, _session_line(s), s.session)
                for s in reversed(told)]
    with place.store.read() as graph:
        memory = named_memory(place.store, graph, around, here)
        first = (graph.revisions(memory.id) or [memory])[0]
        records = _records(graph, first.session) if first.session and first.message else []
        at = next((i for i, r in enumerate(records) if r.id == first.message), None)
        if at is not None:
            near = records[max(0, at - before):at + after + 1]
            return [_moment(r, here=r.id == first.message) for r in near]
        view = Viewpoint(place.now(), memory.project)
        others = [m for m in graph.memories(MemoryFilter(projects=(memory.project,) if memory.project else ()))
                  if m.id == memory.id or visible(m, view)]
    others.sort(key=lambda m: (m.created_at, m.id))
    place_of = next(i for i, m in enumerate(others) if m.id == memory.id)
    return [Moment(m.created_at, m.kind.value, m.id, one_line(m.text, 400), m.session, m.id == memory.id)
            for m in others[max(0, place_of - before):place_of + after + 1]]


def _session_line(told: Summary) -> str:
    head = told.title or (told.asked[0] if told.asked else "untitled")
    parts = [f"{len(told.changed)} changed" if told.changed else "",
             f"{len(told.failed)} failed" if told.failed else "",
             f"{told.children} subagents" if told.children else ""]
    tail = ", ".join(p for p in parts if p)
    return f"{told.agent}: {one_line(head, 120)}" + (f" ({tail})" if tail else "")


def project_context(place: Place, *, project: str | None, cwd: str, limit: int) -> ProjectContext:
    """What was done in a project recently; everything in it obeys the visibility rule."""
    checked_limit(limit)
    here, now = project_id(place, project, cwd), place.now()
    sessions = tuple(listed(place, project=project, cwd=cwd, all_projects=False, limit=limit))
    view = Viewpoint(now, here)
    with place.store.read() as graph:
        name = next((p.project.name for p in graph.projects() if p.project.id == here), "")
        shown = [m for m in graph.memories() if visible(m, view)]
        due = tuple(d.memory for d in overdue(graph, now=now, project=here, limit=limit) if visible(d.memory, view))
    recent = sorted((m for m in shown if m.project == here), key=lambda m: (m.created_at, m.id), reverse=True)
    contested = tuple(m for m in shown if m.status in VISIBLE and m.status.word == "contested")
    return ProjectContext(here, name, sessions, tuple(recent[:limit * 2]), contested[:limit], due)


def analyze(place: Place, *, project: str | None, cwd: str, all_projects: bool, days: int,
            least: int) -> list[trouble.Trouble]:
    """Commands that make trouble here in the last ``days`` days (0: ever)."""
    here = project_id(place, project, cwd)
    since = place.now() - timedelta(days=days) if days else None
    with place.store.read() as graph:
        events = [e for e in graph.tool_events_with(()) if (all_projects or e.project == here)
                  and (since is None or e.at is None or e.at >= since)]
    return trouble.analyze(events, least=max(1, least))
