"""profile.md: the person, in every project: identity, preferences, style, and what else is not of one project."""

from __future__ import annotations

from agent_memory.materialize.items import section
from agent_memory.materialize.snapshot import Snapshot, is_goal, is_personal
from agent_memory.model.memory import Kind, MemoryNode, MemoryType
from agent_memory.model.view import Document

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
    """The view of memories with a personal or global scope, or without a project. Goals stand in active.md."""
    places: dict[str, list[MemoryNode]] = {name: [] for name in (*_ALWAYS, *(k.value for k in _OTHERS))}
    for memory in snapshot.memories:
        if is_personal(memory) and not is_goal(memory) and memory.id not in snapshot.condensed:
            places[place(memory)].append(memory)
    sections = tuple(section(name, found) for name, found in places.items() if found or name in _ALWAYS)
    front = (("title", "Profile"), ("tags", ("agent-memory", "agent-memory/profile")))
    return Document(NAME, "Profile", front, "What holds in every project.", sections)
