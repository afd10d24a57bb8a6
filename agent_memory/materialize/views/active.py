"""active.md: where work stands: goals, recent sessions and the last thread, of each project."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from agent_memory import roster
from agent_memory.materialize.items import MOST, bullet, link, more, plain, ranked
from agent_memory.materialize.render import one_line
from agent_memory.materialize.sections import TITLES
from agent_memory.materialize.snapshot import Snapshot, is_goal, is_personal
from agent_memory.model.memory import Kind, MemoryNode
from agent_memory.model.transcript import Session
from agent_memory.model.view import Bullet, Document, Section

NAME = "active.md"
DAYS = 30
PROJECTS = 20
_SESSIONS = 5
_REACHED = 5
_DECIDED = 5
_WORDS = 200


def build(snapshot: Snapshot) -> Document:
    """The view. What belongs to no project comes first, then a part for each project, the latest first.

    A project is shown if it has an open goal, or a session in the ``DAYS`` before the newest session.
    """
    goals: dict[str, list[MemoryNode]] = {}
    for memory in snapshot.memories:
        if is_goal(memory):
            goals.setdefault("" if is_personal(memory) else memory.project, []).append(memory)
    sections = [_goals(goals.get("", []), level=2)]
    loose = [s for s in snapshot.sessions if not s.project]
    if loose:
        sections.append(_sessions(snapshot, loose, level=2))
    for project in _projects(snapshot, goals)[:PROJECTS]:
        sections += _part(snapshot, project, goals.get(project, []))
    front = (("title", "Active"), ("tags", ("agent-memory", "agent-memory/active")))
    return Document(NAME, "Active", front, "Where work stands.", tuple(sections))


def _projects(snapshot: Snapshot, goals: dict[str, list[MemoryNode]]) -> list[str]:
    """Projects to show, the one with the latest session or goal first."""
    latest: dict[str, datetime] = {}
    newest = max((at for s in snapshot.sessions if (at := _at(s))), default=None)
    for session in snapshot.sessions:
        at = _at(session)
        if at and newest and session.project in snapshot.stems and at >= newest - timedelta(days=DAYS):
            latest[session.project] = max(at, latest.get(session.project, at))
    for project, found in goals.items():
        pending = [m.created_at for m in found if not m.done]
        if project and pending:
            latest[project] = max(*pending, latest.get(project, pending[0]))
    return sorted(latest, key=lambda project: (-latest[project].timestamp(), project))


def _at(session: Session) -> datetime | None:
    return session.last_at or session.started_at


def _part(snapshot: Snapshot, project: str, goals: list[MemoryNode]) -> list[Section]:
    sessions = [s for s in snapshot.sessions if s.project == project]
    part = [Section(snapshot.name(project), f"project:{project}"), _goals(goals, level=3)]
    if sessions:
        part += [_sessions(snapshot, sessions, level=3), _thread(snapshot, sessions[0])]
    return part


def _goals(goals: Sequence[MemoryNode], *, level: int) -> Section:
    """Open goals, then those reached last."""
    pending = ranked(m for m in goals if not m.done)
    reached = [m for m in goals if m.done][:_REACHED]
    bullets = [bullet(m) for m in (*pending[:MOST], *reached)]
    if len(pending) > MOST:
        bullets.append(more("goals", len(pending) - MOST))
    return Section(TITLES["goals"], "goals", tuple(bullets), level=level)


def _sessions(snapshot: Snapshot, sessions: Sequence[Session], *, level: int) -> Section:
    bullets = tuple(
        Bullet(_describe(session), info=session.id,
               suffix=" · ".join(filter(None, (_count(session), link(snapshot, session.project)))))
        for session in sessions[:_SESSIONS])
    return Section(TITLES["sessions"], "sessions", bullets, level=level)


def _describe(session: Session) -> str:
    at = _at(session)
    day = at.astimezone(UTC).strftime("%Y-%m-%d %H:%M") if at else "undated"
    branch = f" on {plain(session.branch, 40)}" if session.branch else ""
    title = f": {_short(session.title)}" if session.title.strip() else ""
    return f"{day} {roster.TITLES.get(session.agent, session.agent)}{branch}{title}"


def _count(session: Session) -> str:
    return f"{session.messages} message{'' if session.messages == 1 else 's'}" if session.messages else ""


def _thread(snapshot: Snapshot, session: Session) -> Section:
    """What the last session asked for and decided; what is open stands under the goals."""
    bullets = []
    asked = snapshot.asked.get(session.id)
    if asked and asked.first:
        bullets.append(Bullet(f"Asked: {_short(asked.first)}", info=f"asked.{session.id}"))
    if asked and asked.last:
        bullets.append(Bullet(f"Asked last: {_short(asked.last)}", info=f"last.{session.id}"))
    decided = [m for m in snapshot.memories if m.session == session.id and m.kind is Kind.DECISION
               and not is_personal(m) and m.id not in snapshot.condensed]
    bullets += [bullet(m, "decided") for m in ranked(decided)[:_DECIDED]]
    return Section(TITLES["thread"], "thread", tuple(bullets), level=3)


def _short(text: str) -> str:
    text = one_line(text)
    return text if len(text) <= _WORDS else text[: _WORDS - 1].rstrip() + "…"
