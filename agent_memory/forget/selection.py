"""Which memories a person means: by id, by words, by project, time and agent."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from rapidfuzz import fuzz, process

from agent_memory.errors import AmbiguousError, NotFoundError, UsageError
from agent_memory.model.memory import MemoryNode, Status
from agent_memory.projects import project_id
from agent_memory.store.base import GraphStore, MemoryFilter
from agent_memory.text.normal import normalise

MIN_PREFIX: Final = 6
"""An id may be cut to this many characters."""

SHOWN: Final = 8
"""Candidates that an error names."""

LIVING: Final = frozenset(Status) - {Status.RETIRED}


@dataclass(frozen=True, slots=True)
class Selection:
    """What is meant. All that is given must fit; ``ids`` are ids or their first characters.

    ``query`` is text: the memory must contain all its words. ``project`` is an id or a name. ``since`` is inclusive,
    ``until`` exclusive, both compared with the time when it was said. ``agent`` is a stem of the roster.
    """

    ids: tuple[str, ...] = ()
    query: str = ""
    project: str = ""
    since: datetime | None = None
    until: datetime | None = None
    agent: str = ""
    session: str = ""
    statuses: Collection[Status] = field(default=LIVING)

    def empty(self) -> bool:
        """True if nothing at all is asked for."""
        return not (self.ids or self.query.strip() or self.project or self.since or self.until or self.agent
                    or self.session)

    def by_words_only(self) -> bool:
        """True if only words say what is meant, so that several hits may be a surprise."""
        return bool(self.query.strip()) and not (self.ids or self.project or self.since or self.until or self.agent
                                                 or self.session)


def select(graph: GraphStore, selection: Selection) -> list[MemoryNode]:
    """Current revisions of the memories that are meant, by id.

    Raises:
        UsageError: nothing is asked for.
        NotFoundError: nothing fits; the hint names the nearest texts.
        AmbiguousError: the start of an id fits several; the hint lists them.
    """
    if selection.empty():
        raise UsageError("say what to forget: an id, some words, a project, a time or an agent",
                         hint="nothing was changed")
    if selection.since and selection.until and selection.since >= selection.until:
        raise UsageError("the time range is empty: it ends before it starts", hint="nothing was changed")
    wanted = {resolve(graph, given) for given in selection.ids}
    projects = _projects(graph, selection.project)
    everything = graph.memories(MemoryFilter(projects=projects))
    words = normalise(selection.query).split()
    found = [m for m in everything if m.status in selection.statuses and _fits(m, selection, wanted, words)]
    if missing := wanted - {m.id for m in found}:
        _explain_missing(everything, sorted(missing), selection)
    if not found:
        raise NotFoundError("no memory fits", hint=_nearest(everything, selection))
    return found


def _fits(memory: MemoryNode, selection: Selection, wanted: set[str], words: Sequence[str]) -> bool:
    if wanted and memory.id not in wanted:
        return False
    if selection.agent and memory.agent != selection.agent:
        return False
    if selection.session and memory.session != selection.session:
        return False
    if selection.since and memory.created_at < selection.since:
        return False
    if selection.until and memory.created_at >= selection.until:
        return False
    text = normalise(memory.text)
    return all(word in text for word in words)


def resolve(graph: GraphStore, given: str) -> str:
    """The memory id that ``given`` (an id, ``id@revision`` or the start of an id) names.

    Raises:
        NotFoundError: no memory has such an id.
        AmbiguousError: several start with it.
        UsageError: it is too short to mean one.
    """
    wanted = given.strip().partition("@")[0].lower()
    if wanted and graph.memory(wanted) is not None:
        return wanted
    if len(wanted) < MIN_PREFIX:
        raise UsageError(f"{given!r} is too short for an id", hint=f"give at least {MIN_PREFIX} characters of it")
    ids = graph.memory_ids(wanted, SHOWN + 1)
    if not ids:
        raise NotFoundError(f"no memory has the id {given!r}", hint="nothing was changed; export or recall show ids")
    if len(ids) > 1:
        shown = [m for i in ids[:SHOWN] if (m := graph.memory(i)) is not None]
        more = ", and more" if len(ids) > SHOWN else ""
        raise AmbiguousError(f"{given!r} starts the ids of several memories",
                             hint=f"nothing was changed; candidates: {candidates(shown)}{more}")
    return ids[0]


def candidates(memories: Sequence[MemoryNode]) -> str:
    """Memories as one line for a hint: id and the start of the text."""
    shown = [f"{m.id} “{m.text[:60]}{'…' if len(m.text) > 60 else ''}”" for m in memories[:SHOWN]]
    more = len(memories) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more > 0 else "")


def one(found: Sequence[MemoryNode], selection: Selection, *, many: bool) -> None:
    """Refuse several hits where only words were given and ``many`` was not said.

    Raises:
        AmbiguousError: several memories contain the words.
    """
    if len(found) > 1 and selection.by_words_only() and not many:
        raise AmbiguousError(f"{len(found)} memories contain {selection.query!r}",
                             hint=f"nothing was changed; name an id or say that all are meant: {candidates(found)}")


def _projects(graph: GraphStore, given: str) -> tuple[str, ...]:
    if not given:
        return ()
    known = graph.projects()
    found = [p.project.id for p in known if given in (p.project.id, p.project.name, p.project.root, *p.aliases)]
    if not found:
        found = [p.project.id for p in known if p.project.id == project_id(given)]
    if not found:
        names = ", ".join(sorted({p.project.name for p in known})[:SHOWN]) or "none yet"
        raise NotFoundError(f"no project is called {given!r}", hint=f"nothing was changed; known projects: {names}")
    if len(found) > 1:
        listed = ", ".join(f"{p.project.id} ({p.project.root})" for p in known if p.project.id in found)
        raise AmbiguousError(f"several projects are called {given!r}", hint=f"name one by its id: {listed}")
    return tuple(found)


def _explain_missing(everything: Sequence[MemoryNode], missing: Sequence[str], selection: Selection) -> None:
    for memory in everything:
        if memory.id in missing and memory.status not in selection.statuses:
            raise NotFoundError(f"memory {memory.id} is {memory.status.word} already", hint="nothing was changed")
    raise NotFoundError(f"memory {missing[0]} does not fit the rest of what was asked", hint="nothing was changed")


def _nearest(everything: Sequence[MemoryNode], selection: Selection) -> str:
    texts = {m.id: m.text for m in everything if m.status in selection.statuses}
    if not selection.query or not texts:
        return "nothing was changed"
    near = process.extract(selection.query, texts, scorer=fuzz.token_set_ratio, limit=3, score_cutoff=50)
    listed = candidates([m for m in everything if m.id in {key for _, _, key in near}])
    return f"nothing was changed; nearest: {listed}" if listed else "nothing was changed"
