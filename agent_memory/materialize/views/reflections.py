"""reflections.md: what was made of the observations, by category, with confidence."""

from __future__ import annotations

from agent_memory.materialize.items import MOST, bullet, link, more, ranked, seen
from agent_memory.materialize.sections import TITLES
from agent_memory.materialize.snapshot import Snapshot
from agent_memory.model.memory import Kind, MemoryType
from agent_memory.model.view import Document, Section

NAME = "reflections.md"


def build(snapshot: Snapshot) -> Document:
    """The view: reflections, preferences and principles of all projects; each bullet names its project."""
    sections = []
    for kind in Kind:
        found = ranked(m for m in snapshot.memories if m.kind is kind and m.type is not MemoryType.OBSERVATION)
        if not found:
            continue
        bullets = [bullet(m, f"confidence {m.confidence:.2f}", link(snapshot, m.project), seen(m))
                   for m in found[:MOST]]
        if len(found) > MOST:
            bullets.append(more(kind.value, len(found) - MOST))
        sections.append(Section(TITLES[kind.value], kind.value, tuple(bullets)))
    front = (("title", "Reflections"), ("tags", ("agent-memory", "agent-memory/reflections")))
    return Document(NAME, "Reflections", front, "What repeated observations add up to, by kind.", tuple(sections))
