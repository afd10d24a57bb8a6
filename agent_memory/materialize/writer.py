"""Writes the views that changed, and nothing else.

A file that a person edited is not touched before its edits were ingested; a file that changes between reading and
replacing is left alone until the next pass.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from agent_memory.materialize import context_file, cursor, snapshot
from agent_memory.materialize.cursor import Entry, ViewCursor
from agent_memory.materialize.merge import foreign, merge
from agent_memory.materialize.parse import Parsed, parse
from agent_memory.materialize.place import Changed, Unreadable, read, remove, replace, turn
from agent_memory.materialize.render import render
from agent_memory.materialize.snapshot import Snapshot
from agent_memory.materialize.views import active, observations, profile, project, reflections
from agent_memory.model.view import Document
from agent_memory.paths import Home
from agent_memory.store.base import GraphStore

FIXED = (observations, reflections, profile, active)
"""The views that every home has."""


class Readable(Protocol):
    """What views need of the store."""

    home: Home

    def read(self) -> AbstractContextManager[GraphStore]:
        """The graph behind a shared lease."""


@dataclass(frozen=True, slots=True)
class Ingested:
    """An edited file whose edits are in the graph: hash of the bytes that were read (None: the file was missing).

    ``renamed`` gives bullets the keys that they have by now, None for those that stay the person's own lines. ``file``
    is what the file says without secrets.
    """

    md5: str | None
    renamed: Mapping[str, str | None] = field(default_factory=dict)
    file: Parsed | None = None


@dataclass(frozen=True, slots=True)
class MaterializeReport:
    """Names of views: written, as they were, and kept as they are with the reason; ``removed`` are gone projects."""

    written: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    kept: tuple[tuple[str, str], ...] = ()
    removed: tuple[str, ...] = ()
    position: int = 0


def documents(shown: Snapshot) -> list[tuple[str, Document]]:
    """(project id or "", document) of every view, in a stable order. A project without memories has none."""
    found: list[tuple[str, Document]] = [("", view.build(shown)) for view in FIXED]
    for key in sorted(shown.projects):
        document = project.build(shown, key)
        if document.sections:
            found.append((key, document))
    return found


def materialize(store: Readable, *, now: datetime, ingest: Callable[[], object] | None = None,
                alarms: Sequence[str] | None = None,
                limits: Mapping[str, float] = context_file.LIMITS) -> MaterializeReport:
    """Bring the views up to date with the graph.

    Args:
        store: where the graph is.
        now: the present, for what expires.
        ingest: called first, to bring edits into the graph (``sync``). Without it an edited view is kept.
        alarms: plain lines for the next start payload; None keeps those of before.
        limits: sizes of the start payload, see context_file.

    Raises:
        ViewError: a view cannot be written.
    """
    if ingest is not None:
        ingest()
    with turn(store.home):
        return write_views(store, now=now, ingested={}, alarms=alarms, limits=limits)


def write_views(store: Readable, *, now: datetime, ingested: Mapping[str, Ingested],
                alarms: Sequence[str] | None = None,
                limits: Mapping[str, float] = context_file.LIMITS) -> MaterializeReport:
    """Like `materialize`, for a pass that holds the turn and has ingested the edits of some files."""
    known = cursor.load(store.home)
    with store.read() as graph:
        shown = snapshot.read(graph, now=now, stems=known.stems())
    return _Writer(store.home, known, ingested).write(shown, limits, alarms)


class _Writer:
    """One pass over all views."""

    def __init__(self, home: Home, known: ViewCursor, ingested: Mapping[str, Ingested]) -> None:
        self.home, self.ingested = home, ingested
        self.entries = dict(known.views)
        self.written: list[str] = []
        self.unchanged: list[str] = []
        self.kept: list[tuple[str, str]] = []
        self.removed: list[str] = []

    def write(self, shown: Snapshot, limits: Mapping[str, float], alarms: Sequence[str] | None) -> MaterializeReport:
        views: dict[str, str] = {}
        for key, document in documents(shown):
            self._view(key, document)
            if key:
                views[key] = document.name
        for name, entry in sorted(self.entries.items()):
            if entry.project and name not in views.values():
                self._without_memories(name, entry, shown)
                if name in self.entries:
                    views[entry.project] = name
        context_file.write(self.home, shown, views, limits=limits, alarms=alarms)
        cursor.save(self.home, ViewCursor(self.entries))
        return MaterializeReport(tuple(self.written), tuple(self.unchanged), tuple(self.kept), tuple(self.removed),
                                 shown.position)

    def _current(self, name: str) -> tuple[bytes | None, bytes | None] | None:
        """(file, agreed text) of a view, or None if the file must be kept as it is."""
        found = read(self.home, name)
        if isinstance(found, Unreadable):
            self.kept.append((name, found.reason))
            return None
        agreed = cursor.agreed(self.home, name, found)
        ingested = self.ingested.get(name)
        if found != agreed and not (agreed is None and not found):
            md5 = cursor.digest(found) if found is not None else None
            if ingested is None or ingested.md5 != md5:
                self.kept.append((name, "vanished" if found is None else "edited"))
                return None
        return found, agreed

    def _view(self, key: str, document: Document) -> None:
        current = self._current(document.name)
        if current is None:
            return
        self._merge(key, document, *current)

    def _merge(self, key: str, document: Document, file: bytes | None, agreed: bytes | None) -> None:
        name = document.name
        before, ingested = self.entries.get(name), self.ingested.get(name)
        rendered = render(document)
        md5 = cursor.digest(rendered.encode())
        if before and file is not None and file == agreed and before.render == md5 \
                and before.md5 == cursor.digest(file):
            self.unchanged.append(name)
            return
        mine = ingested.file if ingested and ingested.file else _parsed(file)
        merged = merge(rendered, mine, mine if agreed == file else _parsed(agreed),
                       renamed=ingested.renamed if ingested else None,
                       order=before.order if before else (), own=before.own if before else ())
        data = merged.text.encode()
        if self._put(name, file, data):
            self.entries[name] = Entry(cursor.digest(data), key, merged.order, merged.own, md5)

    def _put(self, name: str, file: bytes | None, data: bytes) -> bool:
        """Make ``data`` the text of a view whose file held ``file``; False if the file changed meanwhile."""
        if data == file:
            self.unchanged.append(name)
        else:
            cursor.announce(self.home, name, data)
            try:
                replace(self.home, name, file, data)
            except Changed:
                cursor.withdraw(self.home, name)
                self.kept.append((name, "edited meanwhile"))
                return False
            self.written.append(name)
        cursor.settle(self.home, name, data)
        return True

    def _without_memories(self, name: str, entry: Entry, shown: Snapshot) -> None:
        """The view of a project that has no visible memory: it goes, unless a person wrote into it."""
        current = self._current(name)
        if current is None:
            return
        file, agreed = current
        if file is not None and foreign(parse(file.decode())):
            known = entry.project in shown.projects
            bare = project.build(shown, entry.project) if known else Document(name, name[len("projects/"):-len(".md")])
            self._merge(entry.project, bare, file, agreed)
            return
        try:
            remove(self.home, name, file)
        except Changed:
            self.kept.append((name, "edited meanwhile"))
            return
        cursor.drop(self.home, name)
        del self.entries[name]
        self.removed.append(name)


def _parsed(data: bytes | None) -> Parsed | None:
    return parse(data.decode("utf-8", "replace")) if data is not None else None
