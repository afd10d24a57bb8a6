"""What does not fit together any more: links to names that are gone, sessions never closed, orphans, loose words."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from agent_memory.model import lifecycle
from agent_memory.model.change import Change, SetState
from agent_memory.model.memory import VISIBLE, Kind, MemoryNode, MemoryType
from agent_memory.notes.saving import ACTOR
from agent_memory.reflect.snapshot import lineage
from agent_memory.store.base import GraphStore
from agent_memory.store.open import Store


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that does not fit. ``fix`` says what `lint --fix` does, "" if a person has to look."""

    code: str
    subject: str
    what: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class LintReport:
    """What was found, and how many of it were put right."""

    findings: tuple[Finding, ...]
    fixed: int


def lint(store: Store, *, now: datetime, session_timeout: timedelta, fix: bool,
         exists: Callable[[str], bool] = os.path.exists) -> LintReport:
    """Look at memories and sessions; with ``fix`` close old sessions. Nothing is removed."""
    found: list[Finding] = []
    changes: list[Change] = []
    with store.read() as graph:
        memories = [m for m in graph.memories() if m.status in VISIBLE and m.type is not MemoryType.MEMENTO]
        found += _links(graph, memories, exists)
        found += _orphans(graph, memories)
        found += [Finding("untyped", m.id, f"a plain note without kind, topic or tags: {m.text[:60]}") for m in memories
                  if m.kind is Kind.NOTE and m.observer == ACTOR and not (m.topic_key or m.tags)]
        for session in graph.sessions():
            last = session.last_at or session.started_at
            if session.ended_at is None and last is not None and now - last > session_timeout:
                found.append(Finding("session-open", session.id, f"never closed; last heard {last:%Y-%m-%d %H:%M} UTC",
                                     "closed at its last message"))
                changes += [SetState("Session", session.id, {"ended_at": last}),
                            lifecycle.happening(session.id, "closed", "", "timed out", "lint", now)]
    if fix and changes:
        store.commit(changes, at=now, actor="lint")
    return LintReport(tuple(found), sum(1 for f in found if f.fix) if fix else 0)


def _links(graph: GraphStore, memories: list[MemoryNode], exists: Callable[[str], bool]) -> Iterator[Finding]:
    """Files that memories name and that are not in their project's folder any more, where the folder is here."""
    roots = {p.project.id: p.project.root for p in graph.projects() if p.project.root and exists(p.project.root)}
    files = {f.id: f for f in graph.files()}
    shown = {m.key for m in memories}
    for edge in graph.edges(("mentions",)):
        file = files.get(edge.target)
        if file is None or edge.source not in shown or file.project not in roots:
            continue
        path = Path(file.path)
        if len(path.parts) < 2 or not path.suffix:  # "blue/green" is no file
            continue
        if not path.is_absolute() and not exists(str(Path(roots[file.project]) / path)):
            yield Finding("stale-link", lineage(edge.source),
                          f"names {file.path}, which is not in {roots[file.project]}")


def _orphans(graph: GraphStore, memories: list[MemoryNode]) -> Iterator[Finding]:
    """Memories of a project or session that is not stored."""
    projects = {p.project.id for p in graph.projects()}
    sessions = {s.id for s in graph.sessions()}
    for memory in memories:
        if memory.project and memory.project not in projects:
            yield Finding("orphan", memory.id, f"belongs to a project that is not stored: {memory.project}")
        if memory.session and memory.session not in sessions:
            yield Finding("orphan", memory.id, f"belongs to a session that is not stored: {memory.session}")
