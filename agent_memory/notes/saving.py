"""Storing one note: redacted, told apart from what is known, linked, with what may contradict it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from agent_memory import ids
from agent_memory.errors import UsageError
from agent_memory.materialize.escape import canonical
from agent_memory.model import lifecycle
from agent_memory.model.change import Change, PutEdge, PutNode, SetState
from agent_memory.model.graph import Edge, Project
from agent_memory.model.memory import VISIBLE, MemoryNode, MemoryType, Scope, Status
from agent_memory.notes.compress import compress
from agent_memory.notes.desk import Desk
from agent_memory.notes.request import Clash, Request, Stored
from agent_memory.observe.linking import mentions
from agent_memory.reflect.likeness import Features, features, opposite, other_value
from agent_memory.search.note_lookup import Held
from agent_memory.search.project import wall
from agent_memory.text.analyze import index_text
from agent_memory.text.marker import has_marker, neutralise
from agent_memory.text.normal import content_hash

ACTOR: Final = "api"
SHOWN: Final = 5
"""Clashes that an answer names."""
_OPEN = frozenset(int(s) for s in VISIBLE)
_TABLE: Final = {t.value: f"{t.value.title()}" for t in MemoryType}


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the note is put into: its project (None for none), how text is cleaned, how it is shortened."""

    project: Project | None
    clean: Callable[[str], str]
    compression: str = "off"
    linked: Callable[[str], bool] = lambda _path: True


def save(desk: Desk, wanted: Request, around: Surroundings, *, now: datetime) -> Stored:
    """Store a note durably; `Desk.settle` applies it.

    Raises:
        UsageError: the operation id was used with another content, the text was forgotten or purged, or nothing of it
            is left after redaction. Nothing was stored.
        LeaseTimeout, StoreError: nothing was stored.
    """
    wanted = _cleaned(wanted, around.clean)
    with desk.open():
        if wanted.operation and (answered := _answered(desk, wanted)) is not None:
            return answered
        if desk.purged(wanted.text):
            raise UsageError("this text was purged and is not stored again", hint="Nothing was stored.")
        project = around.project.id if around.project else ""
        digest = content_hash(wanted.text)
        same = [h for h in desk.by_hash(digest) if _within(h, wanted.scope, project)]
        stored, changes = _known(same, wanted, now) or _new(desk, wanted, around, digest, now)
        if around.project is not None and not desk.has_project(project):
            changes = [PutNode(around.project), *changes]
        if wanted.operation:
            detail = f"{stored.outcome} {stored.revision} {stored.replaces or '-'} {wanted.fingerprint()}"
            changes = [*changes, lifecycle.happening(stored.id, "operation", wanted.operation, detail, ACTOR, now)]
        desk.append(changes, at=now, actor="store")
    return stored


def _cleaned(wanted: Request, clean: Callable[[str], str]) -> Request:
    text = canonical(neutralise(clean(wanted.text)))
    if not text or has_marker(wanted.text):
        raise UsageError("the note holds our own start payload" if text else "nothing of the note is left",
                         hint="Nothing was stored. Say it in your own words.")
    origin = wanted.origin
    return replace(wanted, text=text, topic_key=clean(wanted.topic_key), tags=tuple(clean(t) for t in wanted.tags),
                   origin=replace(origin, agent=clean(origin.agent)[:60], file=clean(origin.file)))


def _answered(desk: Desk, wanted: Request) -> Stored | None:
    """The first answer to this operation id, None if it is new."""
    before = desk.operation(wanted.operation)
    if before is None:
        return None
    outcome, revision, replaces, fingerprint = before.detail.split(" ")
    if fingerprint != wanted.fingerprint():
        raise UsageError(f"operation id {wanted.operation!r} was used for another note ({before.memory})",
                         hint="Nothing was stored. Use a new operation id for a new note.")
    return Stored(outcome, before.memory, int(revision), wanted.text, wanted.kind.value, wanted.topic_key, 1,
                  "" if replaces == "-" else replaces, replayed=True)


def _within(held: Held, scope: Scope, project: str) -> bool:
    """True for a memory behind the same wall: same scope, and same project unless it is meant for everywhere."""
    return held.scope == scope and (scope is not Scope.PROJECT or held.project == project)


def _known(same: list[Held], wanted: Request, now: datetime) -> tuple[Stored, list[Change]] | None:
    """The answer for a text that is known behind this wall; None if it is not, or may be said anew."""
    for held in same:
        if held.status == Status.RETIRED:
            raise UsageError(f"this was forgotten as {held.id}",
                             hint=f"Nothing was stored. `restore {held.id}` brings it back.")
    for held in same:
        if held.status in (*_OPEN, Status.STALE) and wanted.topic_key in ("", held.topic_key):
            values: dict[str, object] = {"seen": held.seen + 1, "last_seen_at": now}
            changes: list[Change] = [SetState(_TABLE[held.type], held.key, values)]
            if held.status == Status.STALE:
                values["status"] = Status.ACTIVE
                changes.append(lifecycle.happening(held.id, "status", "active", "stored again", ACTOR, now))
            times = {"review_after": wanted.review_after, "expires_at": wanted.expires_at,
                     "valid_until": wanted.valid_until}
            values |= {name: time for name, time in times.items() if time is not None}
            return Stored("repeated", held.id, held.revision, held.text, held.kind, held.topic_key,
                          held.seen + 1), changes
    return None


def _new(desk: Desk, wanted: Request, around: Surroundings, digest: str, now: datetime) -> tuple[Stored, list[Change]]:
    project = around.project.id if around.project else ""
    session = desk.session(wanted.origin.session)
    notes = (f"the session {wanted.origin.session!r} is not known; stored without it",) \
        if wanted.origin.session and not session else ()
    node = _node(wanted, project, session, around.compression, digest, now)
    holders = [h for h in desk.by_topic(wanted.topic_key) if _within(h, wanted.scope, project) and h.status in _OPEN] \
        if wanted.topic_key else []
    outcome, replaces = "created", ""
    changes: list[Change] = []
    ours = next((h for h in holders if h.observer.partition("/")[0] == ACTOR), None)
    if ours is not None:
        outcome = "revised"
        node = replace(node, id=ours.id, revision=ours.revision + 1, pinned=ours.pinned, seen=ours.seen)
    changes += lifecycle.learn(node)
    changes += [c for c in mentions(node) if around.linked(_file_path(c))]
    if ours is not None:
        table = _TABLE[ours.type]
        changes += [PutEdge(Edge("revises", table, node.key, table, ours.key, now)),
                    SetState(table, ours.key, {"current": False}),
                    lifecycle.happening(node.id, "revised", str(node.revision), "", ACTOR, now)]
    for held in holders:
        if held is ours:
            continue
        person = held.observer.partition("/")[0] in ("person", "sync") or held.pinned
        changes += _contest(node, held, "a person's own words stand on this topic", now) if person \
            else _replace(node, held, now)
        outcome, replaces = ("contested" if person else outcome if ours else "superseded"), held.id
    clashes = [c for c in _clashes(desk, node, project) if c.id != node.id and c.id not in {h.id for h in holders}]
    by_id = {h.id: h for h in desk.alike(_tokens(node), wall(node.scope, project))} if clashes else {}
    for found in clashes[:SHOWN]:
        held = by_id[found.id]
        changes.append(PutEdge(Edge("conflicts_with", "Observation", node.key, _TABLE[held.type], held.key, now,
                                    status="pending", confidence=0.6, reason=found.reason)))
    return Stored(outcome, node.id, node.revision, node.raw or node.text, node.kind.value, node.topic_key, node.seen,
                  replaces, tuple(clashes[:SHOWN]), notes=notes), changes


def _file_path(change: Change) -> str:
    """The file that a change speaks of, "" for none."""
    match change:
        case PutNode(node) if hasattr(node, "path"):
            return str(node.path)
        case _:
            return ""


def _node(wanted: Request, project: str, session: str, compression: str, digest: str, now: datetime) -> MemoryNode:
    short = compress(wanted.text, compression)
    key = ids.derive(now, "note", project, wanted.scope, digest, wanted.operation, wanted.topic_key)
    origin = wanted.origin
    return MemoryNode(
        id=key, revision=1, type=MemoryType.OBSERVATION, kind=wanted.kind, text=short,
        raw=wanted.text if short != wanted.text else "", content_hash=digest, topic_key=wanted.topic_key,
        scope=wanted.scope, project=project, tags=wanted.tags, agent=origin.agent, session=session, message="",
        file=origin.file, line=origin.line, line_end=origin.line, sha256="", sources=(), observer=ACTOR,
        rule=wanted.rule, operation=wanted.operation, created_at=now, recorded_at=now, valid_from=wanted.valid_from,
        priority=wanted.priority, confidence=0.8, last_seen_at=now, valid_until=wanted.valid_until,
        review_after=wanted.review_after, expires_at=wanted.expires_at)


def _replace(node: MemoryNode, held: Held, now: datetime) -> list[Change]:
    """The new note takes the place of another memory on its topic."""
    table, reason = _TABLE[held.type], "stored anew on the same topic"
    return [PutEdge(Edge("supersedes", "Observation", node.key, table, held.key, now, status="judged", reason=reason)),
            lifecycle.happening(held.id, "status", Status.SUPERSEDED.word, f"{reason} (by {node.id})", ACTOR, now),
            SetState(table, held.key, {"status": Status.SUPERSEDED, "valid_until": now})]


def _contest(node: MemoryNode, held: Held, reason: str, now: datetime) -> list[Change]:
    """Both stay and both say so, until someone judges."""
    table = _TABLE[held.type]
    changes: list[Change] = [PutEdge(Edge("conflicts_with", "Observation", node.key, table, held.key, now,
                                          status="pending", confidence=0.8, reason=reason)),
                             *lifecycle.set_status(node, Status.CONTESTED, f"{reason} (with {held.id})", ACTOR, now)]
    if held.status == Status.ACTIVE:
        changes += [lifecycle.happening(held.id, "status", Status.CONTESTED.word, f"{reason} (with {node.id})", ACTOR,
                                        now), SetState(table, held.key, {"status": Status.CONTESTED})]
    return changes


def _tokens(node: MemoryNode) -> list[str]:
    return index_text(node.raw or node.text).split()


def _clashes(desk: Desk, node: MemoryNode, project: str) -> list[Clash]:
    """Visible memories behind the same wall that cannot hold beside this one, as far as words tell."""
    mine = features(node.raw or node.text)
    found = []
    for held in desk.alike(_tokens(node), wall(node.scope, project)):
        if held.status in _OPEN and held.current and _within(held, node.scope, project):
            reason = contradiction(mine, features(held.text))
            if reason:
                found.append(Clash(held.id, held.text, reason))
    return found


def contradiction(first: Features, second: Features) -> str:
    """Why two texts contradict each other whatever they are about; "" if words alone do not tell."""
    if opposite(first, second):
        return "one says the opposite of the other"
    value = other_value(first, second)
    return f"{value[0]} against {value[1]}" if value else ""
