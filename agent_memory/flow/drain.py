"""Work the inbox off: each event's transcripts are captured and observed, then reflect when due, then the views."""

from __future__ import annotations

import os
import urllib.parse
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory import clock
from agent_memory.capture import failures, inbox
from agent_memory.capture.inbox import Drained
from agent_memory.capture.registry import agent as agent_module
from agent_memory.errors import TranscriptError
from agent_memory.flow import learn, models, silence, views
from agent_memory.materialize.writer import MaterializeReport
from agent_memory.model.event import HookEvent
from agent_memory.model.memory import MemoryNode
from agent_memory.reflect.due import due

if TYPE_CHECKING:
    from agent_memory.flow.place import Place
    from agent_memory.reflect.pipeline import ReflectReport

_QUIET = timedelta(minutes=10)
_NOTHING_SAID = frozenset({"session-start"})
_SHORTEST_ID = 8


@dataclass(frozen=True, slots=True)
class DrainReport:
    """What became of the waiting events, what was learned, what was reflected if due, and which views were written.

    ``archived`` are the memories beyond the setting ``max_observations``, with the reason of each.
    """

    events: Drained
    learned: tuple[learn.Learned, ...]
    reflected: ReflectReport | None
    views: MaterializeReport | None
    notes: tuple[str, ...] = ()
    archived: tuple[tuple[MemoryNode, str], ...] = ()


def drain(place: Place) -> DrainReport:
    """Learn from everything that waits. An event that fails waits for the next time and does not stop the others."""
    learned: list[learn.Learned] = []

    def handle(event: HookEvent) -> None:
        learned.extend(learn.learn_file(place, event.agent, path) for path in transcripts(event))

    events = inbox.drain(place.home, handle)
    learned.extend(missed(place))
    left = learn.observe(place, learn.unobserved(place)) if place.home.journal.exists() else ()
    notes = tuple(n for one in learned for report in one.sessions for n in report.notes)
    reflected = _reflect(place)
    archived = _beyond_the_limit(place)
    changed = bool(left or archived or reflected is not None
                   or any(one.ingest.batches or one.sessions for one in learned))
    written = views.materialize(place) if changed or _missing_views(place) else None
    for error in events.errors:
        failures.note(place.home, clock.text(place.now()), "learning", error)
    if not events.errors and place.home.log.exists():
        failures.succeeded(place.home, clock.text(place.now()))
    return DrainReport(events, tuple(learned), reflected, written, notes, archived)


def missed(place: Place) -> list[learn.Learned]:
    """Learn from sessions of connected agents that grew and ended without a word from a hook: a killed process and a
    power cut fire none. Only what has been quiet for a while is read; a file that cannot be read is doctor's to tell.
    """
    since = silence.installed(place.home)
    if not since or not place.home.journal.exists():
        return []
    with place.store.read() as graph:
        cursors = graph.cursors()
    found = silence.silent(place.home, cursors, since=since, env=os.environ, user_home=Path.home(), now=place.now(),
                           exclude=place.settings.exclude)
    learned = []
    for one in found:
        if place.now() - one.at < _QUIET:
            continue
        try:
            learned.append(learn.learn_file(place, one.agent, one.path))
        except TranscriptError as problem:
            failures.note(place.home, clock.text(place.now()), "missed session", problem.message, agent=one.agent)
    return learned


def transcripts(event: HookEvent) -> list[Path]:
    """The files that an event speaks of and that exist: the session's, a subagent's, and those beside the session's.

    Raises:
        TranscriptError: the event is the end of something said, and there is no file.
    """
    named = [Path(p) for p in (event.transcript, event.agent_transcript) if p]
    found = [p for p in named if p.is_file()]
    if event.transcript:
        main = Path(event.transcript)
        found += sorted(p for p in (main.with_suffix("") / "subagents").glob("*.jsonl") if p not in found)
    if not named and event.event not in _NOTHING_SAID:
        found = by_session(event)
    if not found and named and event.event not in _NOTHING_SAID:
        raise TranscriptError(f"the transcript {named[0]} does not exist",
                              hint="the event waits and is tried again; then it is set aside")
    return found


def by_session(event: HookEvent) -> list[Path]:
    """Transcripts whose path holds the session's id, subagents' included, for hosts that name no file.

    None for an id too short to be one; some events, such as a title's, belong to no transcript at all.
    """
    if len(event.session) < _SHORTEST_ID:
        return []
    files = agent_module(event.agent).find(os.environ, Path.home())
    return sorted(path for path in files if event.session in urllib.parse.unquote(str(path)))


def _reflect(place: Place) -> ReflectReport | None:
    if not place.home.journal.exists():
        return None
    with place.store.read() as graph:
        if not due(graph, place.now(), after=place.settings.reflect_after):
            return None
    from agent_memory.reflect.pipeline import reflect  # its graph library takes a quarter of a second to load

    return reflect(place.store, now=place.now(), model=models.consultant(place))


def _beyond_the_limit(place: Place) -> tuple[tuple[MemoryNode, str], ...]:
    """Archive the least useful observations beyond the setting, with the reason of each."""
    if not place.settings.max_observations or not place.home.journal.exists():
        return ()
    from agent_memory.notes import upkeep

    return upkeep.shrink(place.store, place.settings.max_observations, now=place.now(), dry_run=False,
                         actor="worker").memories


def _missing_views(place: Place) -> bool:
    return place.home.journal.exists() and not place.home.context_file.exists()
