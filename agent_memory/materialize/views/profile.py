"""profile.md: the person: identity, preferences and style that hold everywhere, then what they want in each project."""

from __future__ import annotations

from dataclasses import replace

from agent_memory.materialize.items import section
from agent_memory.materialize.snapshot import Snapshot, is_goal, is_personal
from agent_memory.model.memory import Kind, MemoryNode, MemoryType
from agent_memory.model.view import Document, Section

NAME = "profile.md"
_ALWAYS = ("identity", "preference", "style")
_OTHERS = (Kind.DECISION, Kind.LESSON, Kind.CONTEXT, Kind.ARCHITECTURE, Kind.SUMMARY, Kind.NOTE)


def place(memory: MemoryNode) -> str:
    """The section of profile.md in which a personal memory stands.

    Facts tell who the person is, patterns and principles how they work. What a person moved stands where its kind says.
    """
    if memory.observer != "person":
        if memory.type is MemoryType.PREFERENCE:
            return "preference"
        if memory.type is MemoryType.PRINCIPLE:
            return "style"
    return {Kind.FACT: "identity", Kind.PATTERN: "style"}.get(memory.kind, memory.kind.value)


def build(snapshot: Snapshot) -> Document:
    """The view: memories with a personal or global scope or without a project, then preferences, project by project.

    Goals stand in active.md. A project's part is marked as such, so that a start payload of another project leaves it
    out.
    """
    places: dict[str, list[MemoryNode]] = {name: [] for name in (*_ALWAYS, *(k.value for k in _OTHERS))}
    wanted: dict[str, list[MemoryNode]] = {}
    for memory in snapshot.memories:
        if is_goal(memory) or memory.id in snapshot.condensed:
            continue
        if is_personal(memory):
            places[place(memory)].append(memory)
        elif memory.kind is Kind.PREFERENCE or memory.type is MemoryType.PREFERENCE:
            wanted.setdefault(memory.project, []).append(memory)
    sections = [section(name, found) for name, found in places.items() if found or name in _ALWAYS]
    for project in sorted(wanted, key=lambda key: (snapshot.name(key), key)):
        sections += [Section(snapshot.name(project), f"project:{project}"),
                     replace(section("preference", wanted[project]), level=3)]
    front = (("title", "Profile"), ("tags", ("agent-memory", "agent-memory/profile")))
    intro = "How you like to work: everywhere, then project by project."
    return Document(NAME, "Profile", front, intro, tuple(sections))
