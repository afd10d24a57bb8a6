"""From a transcript to observations: capture what is new, observe the sessions that it touched."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.capture import backfill as old_transcripts
from agent_memory.capture import registry
from agent_memory.capture.ingest import IngestReport, ingest_file, together
from agent_memory.errors import TranscriptError
from agent_memory.flow import forgetting, models
from agent_memory.observe.pipeline import ObserveReport, observe_session

if TYPE_CHECKING:
    from agent_memory.flow.place import Place

Progress = Callable[[int, int, Path], None]
"""Told before each transcript and after the last: number from 0, how many, which."""


@dataclass(frozen=True, slots=True)
class Learned:
    """What one transcript gave: how it was read, and what was observed in each session that grew."""

    ingest: IngestReport
    sessions: tuple[ObserveReport, ...]


@dataclass(frozen=True, slots=True)
class BackfillReport:
    """Transcripts that were found, what they gave, and those that could not be read with the reason."""

    found: tuple[old_transcripts.Found, ...]
    learned: tuple[Learned, ...]
    failed: tuple[tuple[str, str], ...]
    dry_run: bool


def learn_file(place: Place, source: str, path: Path) -> Learned:
    """Capture what is new in a transcript and observe its sessions; of a database, every session in it.

    Raises:
        UsageError: the agent is unknown.
        TranscriptError: the file cannot be read; of this file nothing was stored.
    """
    paths = registry.transcripts(source, path)
    if not paths:
        why = "no session in" if path.is_file() else "no transcript at"
        raise TranscriptError(f"there is {why} {path}", hint="nothing was stored; check the path")
    learned = [_learn(place, source, one) for one in paths]
    if len(learned) == 1:
        return learned[0]
    return Learned(together(str(path), [one.ingest for one in learned]),
                   tuple(s for one in learned for s in one.sessions))


def _learn(place: Place, source: str, path: Path) -> Learned:
    ingested = ingest_file(place.store, source, path, now=place.now(), redactor=place.redactor(),
                           exclude=place.settings.exclude, tombstoned=forgetting.tombstoned(place))
    return Learned(ingested, observe(place, ingested.sessions or _pending(place, ingested)))


def observe(place: Place, sessions: Iterable[str]) -> tuple[ObserveReport, ...]:
    """Observe sessions, one after the other; a session without anything new gives an empty report."""
    wanted = tuple(dict.fromkeys(sessions))
    if not wanted:
        return ()
    observer = models.observer(place)
    gone = forgetting.tombstoned(place)
    return tuple(observe_session(place.store, session, observer, now=place.now(), tombstoned=gone)
                 for session in wanted)


def unobserved(place: Place) -> list[str]:
    """Sessions with records beyond their mark: a process ended between capture and observation."""
    with place.store.read() as graph:
        return [s.id for s in graph.sessions() if s.messages and _behind(graph.observed(s.id), s.id, graph)]


def _behind(mark: int, session: str, graph: object) -> bool:
    return bool(graph.messages(session, mark))  # type: ignore[attr-defined]


def _pending(place: Place, ingested: IngestReport) -> tuple[str, ...]:
    """Sessions of an unchanged transcript that were captured but never observed."""
    if not ingested.session:
        return ()
    with place.store.read() as graph:
        family = [s.id for s in graph.sessions(ingested.project) if ingested.session in (s.id, s.parent)]
        return tuple(s for s in family if _behind(graph.observed(s), s, graph))


def backfill(place: Place, source: str, *, limit: int | None, dry_run: bool,
             progress: Progress | None) -> BackfillReport:
    """Learn from old transcripts of an agent, newest first. One that cannot be read does not stop the others."""
    found = old_transcripts.candidates(source, env=os.environ, user_home=Path.home(), limit=limit)
    if dry_run:
        return BackfillReport(tuple(found), (), (), True)
    learned: list[Learned] = []
    failed: list[tuple[str, str]] = []
    for number, transcript in enumerate(found):
        if progress:
            progress(number, len(found), transcript.path)
        try:
            learned.append(learn_file(place, source, transcript.path))
        except TranscriptError as problem:
            failed.append((str(transcript.path), problem.message))
    if progress and found:
        progress(len(found), len(found), found[-1].path)
    return BackfillReport(tuple(found), tuple(learned), tuple(failed), False)
