"""Saving notes into a place: which project is meant, what its settings say, and when the graph follows."""

from __future__ import annotations

import fnmatch
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from agent_memory import ids, projects
from agent_memory.errors import NotFoundError, UsageError
from agent_memory.flow.place import LastProject
from agent_memory.model.change import Change, PutEdge, PutNode
from agent_memory.model.graph import Agent, Edge, Project
from agent_memory.model.transcript import Message, Role, Session, Via
from agent_memory.notes import request, saving, sections
from agent_memory.notes.request import Origin, Stored
from agent_memory.recall.where import project_around, project_named

if TYPE_CHECKING:
    from agent_memory.flow.place import Place

_BURST = 2.0
"""Seconds for which notes of a burst take the project that was looked up last."""
SPOKEN_TO = "notes"
"""Agent of the session that prompts without a session of their own are kept in."""


@dataclass(frozen=True, slots=True)
class Captured:
    """What a text with headed sections gave: notes in order, headings that say nothing known, and what was refused."""

    stored: tuple[Stored, ...]
    unknown_headings: tuple[str, ...]
    refused: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SavedPrompt:
    """A prompt that was kept: id of the message and its session; ``new`` is False if it was kept before."""

    id: str
    session: str
    text: str
    new: bool


def store(place: Place, content: str, *, project: str | None, cwd: str, origin: Origin, **fields: Any) -> Stored:
    """Store one note; see `request.check` for the fields and `saving.save` for what it raises."""
    wanted = request.check(content, now=place.now(), origin=origin, **fields)
    done = saving.save(place.desk, wanted, surroundings(place, project, cwd), now=place.now())
    place.desk.settle()
    return done


def capture(place: Place, text: str, *, project: str | None, cwd: str, origin: Origin, **fields: Any) -> Captured:
    """Store what stands under known headings. A note that is refused does not stop the others."""
    found, unknown = sections.pieces(text)
    around = surroundings(place, project, cwd)
    stored: list[Stored] = []
    refused: list[tuple[str, str]] = []
    for piece in found:
        try:
            wanted = request.check(piece.text, now=place.now(), kind=piece.kind.value, origin=origin,
                                   rule=f"section:{piece.heading[:60]}", **fields)
            stored.append(saving.save(place.desk, wanted, around, now=place.now()))
        except UsageError as problem:
            refused.append((piece.text, problem.message))
    place.desk.settle()
    return Captured(tuple(stored), tuple(unknown), tuple(refused))


def surroundings(place: Place, project: str | None, cwd: str) -> saving.Surroundings:
    """What a note of this project (a name, id or folder), or of the folder ``cwd``, is put into."""
    asked = (project, cwd)
    last = place.last_project
    if last is None or last.asked != asked or time.monotonic() - last.at > _BURST:
        last = place.last_project = LastProject(asked, project_of(place, project, cwd), time.monotonic())
    return saving.Surroundings(last.project, place.redactor().text,
                               place.settings.memory_compression, linked=_unless(place.settings.exclude))


def _unless(globs: tuple[str, ...]) -> Callable[[str], bool]:
    return lambda path: not (path and any(fnmatch.fnmatch(path, g) for g in globs))


def project_of(place: Place, project: str | None, cwd: str) -> Project | None:
    """The project that is meant; a folder that is not known yet gives a new one.

    Raises:
        NotFoundError, AmbiguousError: no project is called so and it is no folder.
    """
    now = place.now()
    if project and project.strip():
        try:
            return Project(project_named(place.home, project), "", "", "", (), now)
        except NotFoundError:
            place.desk.flush()
            try:
                return Project(project_named(place.home, project), "", "", "", (), now)
            except NotFoundError:
                if not os.path.isdir(os.path.expanduser(project)):
                    raise
        cwd = os.path.expanduser(project)
    if not cwd:
        return None
    identity = projects.identify(cwd)
    if not identity.keys:
        return None
    clean = place.redactor().text
    key = project_around(place.home, cwd)
    return Project(key, clean(identity.name), clean(identity.root), clean(identity.remote),
                   tuple(clean(k) for k in identity.keys), now) if key else None


def project_id(place: Place, project: str | None, cwd: str) -> str:
    """The id of the project that is meant, "" for none; nothing is created."""
    if project and project.strip():
        return project_named(place.home, project)
    return project_around(place.home, cwd) if cwd else ""


def save_prompt(place: Place, text: str, *, project: str | None, cwd: str, session: str) -> SavedPrompt:
    """Keep what a user asked, as a message of a session; the same text in it twice is kept once.

    Raises:
        UsageError: nothing is left of it, or it was purged.
    """
    now = place.now()
    clean_text = place.redactor().text
    clean = clean_text(text).strip()
    if not clean:
        raise UsageError("the prompt is empty", hint="Nothing was stored.")
    home = project_of(place, project, cwd)
    project_key = home.id if home else ""
    with place.desk.open() as desk:
        if desk.purged(clean):
            raise UsageError("this text was purged and is not stored again", hint="Nothing was stored.")
        name = session.strip() or f"prompts:{project_key}:{now:%Y-%m-%d}"
        key = ids.derive(_EPOCH, SPOKEN_TO, name)
        message = ids.derive(_EPOCH, SPOKEN_TO, name, clean)
        seq = desk.next_seq(key)
        changes: list[Change] = []
        if home is not None and not desk.has_project(home.id):
            changes.append(PutNode(home))
        changes += [PutNode(Agent(SPOKEN_TO, "Notes")),
                    PutNode(Session(key, SPOKEN_TO, name, project_key, "", clean_text(cwd), "", "", "Prompts", "",
                                    now)),
                    PutEdge(Edge("by_agent", "Session", key, "Agent", SPOKEN_TO, now))]
        if project_key:
            changes.append(PutEdge(Edge("in_project", "Session", key, "Project", project_key, now)))
        known = desk.has_message(message)
        if not known:
            changes += [PutNode(Message(message, key, SPOKEN_TO, project_key, message, seq, Role.PERSON, Via.PROMPT,
                                        clean, now, "", 0, 0, "")),
                        PutEdge(Edge("in_session", "Message", message, "Session", key, now))]
            desk.append(changes, at=now, actor="save-prompt")
    place.desk.settle()
    return SavedPrompt(message, key, clean, not known)


_EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")
