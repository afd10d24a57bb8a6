"""What does not fit together any more: links to files that are gone, sessions never closed, orphans, loose words,
vectors of another model."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from agent_memory.model import lifecycle
from agent_memory.model.change import Change, PutNode, SetState
from agent_memory.model.graph import Agent, Project
from agent_memory.model.memory import VISIBLE, Kind, MemoryNode, MemoryType
from agent_memory.model.transcript import Session
from agent_memory.notes.saving import ACTOR
from agent_memory.recall.encoder import name_of
from agent_memory.reflect.snapshot import lineage
from agent_memory.search import vectors
from agent_memory.store.base import GraphStore
from agent_memory.store.open import Store

_SET_ASIDE: Final = "link-gone"
"""A happening of a memory: the file with this id is gone, and that is known. Links are never removed."""


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


def lint(store: Store, *, now: datetime, session_timeout: timedelta, fix: bool, semantic: str = "",
         embed: Callable[[], object] | None = None, exists: Callable[[str], bool] = os.path.exists) -> LintReport:
    """Look at memories, sessions and vectors; with ``fix`` put right what can be put right safely.

    Old sessions are closed, links to files that are gone are noted as known, and a project or session that memories
    belong to and that is not stored is put. No memory is changed or removed.

    Args:
        store: the store.
        now: the present.
        session_timeout: how long after its last message a session counts as never closed.
        fix: write.
        semantic: the setting that names the model of the semantic arm.
        embed: makes the vectors of that model and drops those of others; None without one.
        exists: tells whether a file is there.
    """
    found: list[Finding] = list(_vectors(store.home.search, semantic))
    changes: list[Change] = []
    with store.read() as graph:
        memories = [m for m in graph.memories() if m.status in VISIBLE and m.type is not MemoryType.MEMENTO]
        for finding, change in (*_links(graph, memories, exists, now), *_orphans(graph, memories, now)):
            found.append(finding)
            changes += change
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
    if fix and any(f.code == "model-mismatch" for f in found):
        if embed is not None:
            embed()
        else:
            for _, path in vectors.models(store.home.search):
                path.unlink(missing_ok=True)  # derived from the search file
    return LintReport(tuple(found), sum(1 for f in found if f.fix) if fix else 0)


def _vectors(search: Path, semantic: str) -> Iterator[Finding]:
    """Vectors that another model made than the one that the settings name."""
    wanted = name_of(semantic)
    for model, path in vectors.models(search):
        if not semantic:
            yield Finding("model-mismatch", path.name, f"vectors of {model.name}, and no setting names a model",
                          "removed")
        elif model.name != wanted:
            yield Finding("model-mismatch", path.name, f"vectors of {model.name}; the setting semantic names {wanted}",
                          "made anew with the model of the settings")


def _links(graph: GraphStore, memories: list[MemoryNode], exists: Callable[[str], bool],
           now: datetime) -> Iterator[tuple[Finding, list[Change]]]:
    """Files that memories name and that are not in their project's folder any more, where the folder is here."""
    roots = {p.project.id: p.project.root for p in graph.projects() if p.project.root and exists(p.project.root)}
    files = {f.id: f for f in graph.files()}
    shown = {m.key for m in memories}
    known = {(h.subject, h.value) for h in graph.happenings() if h.what == _SET_ASIDE}
    for edge in graph.edges(("mentions",)):
        file = files.get(edge.target)
        if file is None or edge.source not in shown or file.project not in roots or (
                lineage(edge.source), file.id) in known:
            continue
        path = Path(file.path)
        if len(path.parts) < 2 or not path.suffix:  # "blue/green" is no file
            continue
        if not path.is_absolute() and not exists(str(Path(roots[file.project]) / path)):
            yield (Finding("stale-link", lineage(edge.source), f"names {file.path}, which is not in "
                           f"{roots[file.project]}", "accepted: the file stays named and is not told again"),
                   [lifecycle.happening(lineage(edge.source), _SET_ASIDE, file.id, "the file is gone", "lint", now)])


def _orphans(graph: GraphStore, memories: list[MemoryNode],
             now: datetime) -> Iterator[tuple[Finding, list[Change]]]:
    """Memories of a project or session that is not stored; a bare one is put for the first of them."""
    projects = {p.project.id for p in graph.projects()}
    sessions = {s.id for s in graph.sessions()}
    for memory in memories:
        if memory.project and memory.project not in projects:
            put: list[Change] = [PutNode(Project(memory.project, memory.project, "", "", (), now))]
            yield (Finding("orphan", memory.id, f"belongs to a project that is not stored: {memory.project}",
                           "a bare project of that id is put"), put)
            projects.add(memory.project)
        if memory.session and memory.session not in sessions:
            agent = memory.agent or ACTOR
            put = [PutNode(Agent(agent, agent)), PutNode(Session(
                memory.session, agent, memory.session, memory.project, "", "", "", "", "Not stored", "",
                memory.created_at, ended_at=memory.created_at))]
            yield (Finding("orphan", memory.id, f"belongs to a session that is not stored: {memory.session}",
                           "a bare session of that id is put"), put)
            sessions.add(memory.session)
