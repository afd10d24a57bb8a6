"""projects/<project>.md: what is known about one project and stays in it."""

from __future__ import annotations

from agent_memory.materialize.items import section
from agent_memory.materialize.snapshot import Snapshot, is_personal
from agent_memory.model.memory import Kind, MemoryNode
from agent_memory.model.view import Document

_ORDER = (Kind.DECISION, Kind.PREFERENCE, Kind.LESSON, Kind.CONTEXT, Kind.ARCHITECTURE, Kind.FACT, Kind.PATTERN,
          Kind.SUMMARY, Kind.NOTE)


def members(snapshot: Snapshot, project: str) -> list[MemoryNode]:
    """The memories that the view of a project shows: of its scope, and no reflection speaks for them."""
    return [m for m in snapshot.memories
            if m.project == project and not is_personal(m) and m.id not in snapshot.condensed]


def build(snapshot: Snapshot, project: str) -> Document:
    """The view, a section a kind; goals are open work and stand under Context with a task box."""
    found = members(snapshot, project)
    sections = []
    for kind in _ORDER:
        of_kind = [m for m in found if m.kind is kind]
        if of_kind:
            sections.append(section(kind.value, of_kind))
    name = snapshot.name(project)
    front = (
        ("title", name),
        ("project", project),
        ("aliases", (name,)),
        ("tags", ("agent-memory", "agent-memory/project")),
        ("related", ("[[active]]", "[[profile]]")),
    )
    return Document(snapshot.view_of(project), name, front, "", tuple(sections))
