"""What a start payload is made from: the views of this folder's project, and what the search file says of each id."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from agent_memory import projects
from agent_memory.capture import failures
from agent_memory.errors import StoreError
from agent_memory.paths import Home
from agent_memory.recall import context_file
from agent_memory.recall.filters import MEMORY_TYPES, Filters
from agent_memory.recall.unreported import unreported
from agent_memory.recall.unsynced import Edits, edits
from agent_memory.recall.view_chunks import Chunk, read_view
from agent_memory.search.reader import open_reader

_FIXED = ("observations.md", "reflections.md", "profile.md", "active.md")
_UNSAFE_NAME = re.compile(r"\.\.|^[/\\]|[\x00]")


@dataclass(frozen=True, slots=True)
class Fact:
    """What the search file knows about a memory that may be shown."""

    pinned: bool
    priority: int
    created: float | None
    agent: str
    file: str
    line: int


@dataclass(slots=True)
class Sources:
    """Everything `context.build` chooses from. ``facts`` is None where there is no search file to ask."""

    project: str = ""
    name: str = ""
    chunks: list[Chunk] = field(default_factory=list)
    facts: dict[str, Fact] | None = None
    dropped: int = 0
    edited: bool = False
    edits: Edits = field(default_factory=Edits)
    alarms: list[str] = field(default_factory=list)
    limits: dict[str, float] = field(default_factory=dict)
    connection: sqlite3.Connection | None = None

    def close(self) -> None:
        """Release the search file."""
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def gather(home: Home, *, cwd: str, now: datetime) -> Sources:
    """Read views and search file for the project around ``cwd``. Missing parts are left out, broken ones named."""
    told = context_file.read(home)
    found = Sources(alarms=[*told.alarms, *(_failures(home) or unreported(home, now, told.alarms))],
                    limits=told.limits)
    try:
        found.connection = open_reader(home.search)
    except StoreError as error:
        found.alarms.append(f"{error.message}. {error.hint}")
    found.project, found.name = _project(told, found.connection, cwd)
    agreed = _agreed(home)
    view = told.views.get(found.project, "")
    files = [("profile", home.views / "profile.md"), ("active", home.views / "active.md")]
    if view and not _UNSAFE_NAME.search(view):
        files.append(("project", home.views / view))
    for name, path in files:
        found.chunks += _chunks(name, path, agreed, found)
    found.edits = edits(home, (*_FIXED, *([view] if view else ())), agreed)
    found.edited = found.edited or bool(found.edits.changed)
    found.chunks = [_edited(c, found.edits) for c in found.chunks if c.bullet.id not in found.edits.gone]
    _drop(found, now)
    return found


def _edited(chunk: Chunk, known: Edits) -> Chunk:
    """The chunk with the words that a person gave its memory in some view."""
    text = known.changed.get(chunk.bullet.id) if chunk.bullet.id else None
    return chunk if text is None else replace(chunk, bullet=replace(chunk.bullet, text=text))


def _failures(home: Home) -> list[str]:
    """One line if capture has failed since it last worked: nobody else may notice."""
    left = failures.unresolved(home)
    if not left:
        return []
    last = left[-1]
    return [f"Memory capture has failed {len(left)} times since it last worked (last on {str(last.get('at'))[:10]}: "
            f"{str(last.get('what'))[:160]}). Run: agent-utilities-memory observe."]


def _project(told: context_file.ContextFile, connection: sqlite3.Connection | None, cwd: str) -> tuple[str, str]:
    """Id and name of the project around ``cwd``, by the aliases that were materialized, else by the search file's."""
    identity = projects.identify(cwd) if cwd else projects.Identity((), "", "", "")
    known = dict(told.keys)
    if connection is not None and identity.keys:
        marks = ", ".join("?" * len(identity.keys))
        for key, project in connection.execute(f"SELECT key, project FROM alias WHERE key IN ({marks})",
                                               identity.keys):
            known.setdefault(key, project)
    project = projects.resolve(identity, known)
    return project, told.names.get(project, identity.name)


def _agreed(home: Home) -> str:
    try:
        return home.view_cursor.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _chunks(name: str, path: Path, agreed: str, found: Sources) -> Iterable[Chunk]:
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return []
    except OSError as error:
        found.alarms.append(f"The view {path.name} cannot be read: {error.strerror}.")
        return []
    if hashlib.md5(data, usedforsecurity=False).hexdigest() not in agreed:
        found.edited = True
    chunks = read_view(name, data.decode("utf-8", "replace"))
    return [c for c in chunks if not c.project or c.project == found.project]


def _drop(found: Sources, now: datetime) -> None:
    """Leave out what may not be shown here and now: retired, expired, superseded, purged, another project's."""
    if found.connection is None:
        return
    wanted = sorted({c.bullet.id for c in found.chunks if c.bullet.id})
    where, values = Filters(now=now, project=found.project, types=MEMORY_TYPES).where()
    facts: dict[str, Fact] = {}
    for start in range(0, len(wanted), 500):
        part = wanted[start:start + 500]
        for id_, *rest in found.connection.execute(
                "SELECT d.id, d.pinned, d.priority, d.created, d.agent, d.file, d.line FROM doc d "
                f"WHERE d.id IN ({', '.join('?' * len(part))}) AND {where}", [*part, *values]):
            facts[id_] = Fact(bool(rest[0]), *rest[1:])
    found.facts = facts
    kept = [c for c in found.chunks if not c.bullet.id or c.bullet.id in facts]
    found.dropped = len(found.chunks) - len(kept)
    found.chunks = kept


def seen_from(home: Home, name: str, *, cwd: str, now: datetime) -> list[Chunk]:
    """Chunks of one view (profile, active, observations, reflections) that may be shown in ``cwd``, in order."""
    found = Sources(alarms=[])
    found.connection = open_reader(home.search)
    try:
        told = context_file.read(home)
        found.project, found.name = _project(told, found.connection, cwd)
        found.chunks += _chunks(name, home.views / f"{name}.md", "", found)
        _drop(found, now)
    finally:
        found.close()
    return found.chunks
