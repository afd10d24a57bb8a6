"""What becomes of each candidate: stored as new, known already, heard again, or left out with the reason."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from agent_memory import ids
from agent_memory.model import lifecycle
from agent_memory.model.candidate import MAX_TEXT, Candidate, Dropped, SessionView
from agent_memory.model.change import Change, PutEdge
from agent_memory.model.graph import Edge, table_of
from agent_memory.model.memory import MemoryNode, MemoryType, Status
from agent_memory.model.transcript import Message, Role, ToolEvent
from agent_memory.observe.linking import mentions, topic_key
from agent_memory.observe.matching import Known
from agent_memory.text.marker import has_marker, neutralise
from agent_memory.text.normal import content_hash, normalise, without_surrogates


@dataclass(frozen=True, slots=True)
class Decided:
    """The outcome for all candidates of a session, and the changes that carry it out."""

    stored: tuple[MemoryNode, ...]
    merged: tuple[tuple[str, str], ...]
    dropped: tuple[Dropped, ...]
    changes: tuple[Change, ...]


def decide(candidates: Sequence[Candidate], view: SessionView, known: Known, *, observer: str, now: datetime,
           tombstoned: Callable[[str], bool], cited: Callable[[str], Collection[str]]) -> Decided:
    """Sort candidates into new, known and left out.

    Args:
        candidates: as proposed.
        view: the session they come from.
        known: memories that may say the same.
        observer: its name and version.
        now: when this is stored.
        tombstoned: True for a text that was purged.
        cited: keys of the records that a memory (by key) rests on.
    """
    places = {r.id for r in view.records}
    stored: list[MemoryNode] = []
    merged: list[tuple[str, str]] = []
    dropped: list[Dropped] = []
    changes: list[Change] = []
    for candidate in candidates:
        text = neutralise(without_surrogates(candidate.text)).strip()
        if reason := _unfit(candidate, text, places, tombstoned):
            dropped.append(_left(candidate, reason))
            continue
        memory = _memory(candidate, text, view, observer, now)
        same = known.by_id(memory.id) or known.find(text)
        if same is None and not _said_by_person(candidate):
            same = known.restated(text)
        if same is None:
            known.add(memory)
            stored.append(memory)
            changes += lifecycle.learn(memory, tuple((type(r).__name__, r.id) for r in candidate.cites))
            changes += mentions(memory)
        elif same.status is Status.RETIRED:
            dropped.append(_left(candidate, f"forgotten as {same.id}"))
        else:
            merged.append((text, same.id))
            changes += _again(same, candidate, view, cited, now)
    return Decided(tuple(stored), tuple(merged), tuple(dropped), tuple(changes))


def _unfit(candidate: Candidate, text: str, places: Collection[str], tombstoned: Callable[[str], bool]) -> str:
    """Why a candidate cannot be kept, whatever it says; "" if it can."""
    if not normalise(text):
        return "empty"
    if len(text) > MAX_TEXT:
        return f"longer than {MAX_TEXT} characters"
    if not candidate.cites or any(r.id not in places for r in candidate.cites):
        return "cites no record of this session"
    if has_marker(candidate.text):
        return "holds our own marker"
    if tombstoned(text):
        return "purged before"
    return ""


def _left(candidate: Candidate, reason: str) -> Dropped:
    first = candidate.cites[0] if candidate.cites else None
    return Dropped(candidate.text, candidate.rule, reason, first.line if first else 0, first.file if first else "")


def _said_by_person(candidate: Candidate) -> bool:
    return any(isinstance(r, Message) and r.role is Role.PERSON for r in candidate.cites)


def _memory(candidate: Candidate, text: str, view: SessionView, observer: str, now: datetime) -> MemoryNode:
    first, session = candidate.cites[0], view.session
    at = first.at or session.started_at or now
    return MemoryNode(
        id=ids.derive(at, "observation", session.id, first.record, normalise(text)), revision=1,
        type=MemoryType.OBSERVATION, kind=candidate.kind, text=text, raw="", content_hash=content_hash(text),
        topic_key=candidate.topic_key or topic_key(candidate.kind, text), scope=candidate.scope,
        project=session.project, tags=(), agent=session.agent, session=session.id,
        message=first.id, file=first.file, line=first.line, line_end=first.line_end, sha256=first.sha256,
        sources=tuple(dict.fromkeys(f"{r.file}:{r.line}" for r in candidate.cites[1:])), observer=observer,
        rule=candidate.rule, operation="", created_at=at, recorded_at=now, valid_from=candidate.valid_from,
        priority=candidate.priority, confidence=round(candidate.confidence, 3), last_seen_at=at)


def _again(memory: MemoryNode, candidate: Candidate, view: SessionView,
           cited: Callable[[str], Collection[str]], now: datetime) -> list[Change]:
    """What to write when a person said a known thing again: once a record, and a session counts once.

    An agent that repeats what it was told or what it recalled adds nothing, or memory would feed itself.
    """
    first = candidate.cites[0]
    if not _said_by_person(candidate) or first.seq < view.fresh_from or memory.message == first.id:
        return []
    resting = set(cited(memory.key))
    if first.id in resting:
        return []
    here = memory.session == view.session.id or bool(resting & {r.id for r in view.records})
    return [*lifecycle.heard_again(memory, first.at or now, other_session=not here),
            PutEdge(Edge("derived_from", table_of(memory), memory.key, _table(first), first.id, now))]


def _table(record: Message | ToolEvent) -> str:
    return type(record).__name__
