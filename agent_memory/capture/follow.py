"""The loop that all line-based agents share: lines after a cursor become records, with cursors in between."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final, Protocol

from agent_memory.capture.lines import Line, Lines, plain_name, tail_hash
from agent_memory.capture.recorder import Recorder, Target, session_id
from agent_memory.capture.records import Head, Record
from agent_memory.model.transcript import Cursor, Session, Skipped

CHECKPOINT: Final = (400, 8 * 1024 * 1024)
"""A cursor is given after so many records, or so many bytes."""


class Reader(Protocol):
    """Turns lines into records.

    ``held`` is the number of the first line of a record that is not complete yet, 0 if there is none: the cursor stays
    before it.
    """

    held: int

    def line(self, line: Line) -> Iterator[Record]:
        """The records that a line completes."""

    def end(self) -> Iterator[Record]:
        """Records that are complete because nothing came after them for a long time."""


@dataclass(frozen=True, slots=True)
class _Place:
    identity: str
    offset: int
    last: bytes
    lines: int

    @property
    def tail(self) -> str:
        return tail_hash(self.last)


def session_of(name: str, about: Head, file: str) -> Session:
    """The session that a head speaks of."""
    parent = session_id(name, about.parent) if about.parent else ""
    return Session(session_id(name, about.host_id), name, about.host_id, "", parent, about.cwd, about.branch,
                   about.remote, about.title, file, about.started_at)


def follow(name: str, path: Path, about: Head | None, after: Cursor | None, seen: Collection[str], now: datetime,
           make: Callable[[Recorder, Session], Reader]) -> Iterator[Record]:
    """Records of a file of lines after a cursor; see `agents.base.AgentModule.read`."""
    if about is None:
        yield Skipped(str(path), 0, "no-session")
        return
    with closing(Lines(path, after)) as lines:
        target = Target(session_id(name, about.host_id), about.host_id)
        recorder = Recorder(name, plain_name(path), target, after, seen, now)
        if lines.rewritten:
            recorder.restart()
        session = session_of(name, about, recorder.file)
        yield session
        yield from _records(lines, recorder, make(recorder, session))


def _records(lines: Lines, recorder: Recorder, reader: Reader) -> Iterator[Record]:
    place = _Place(lines.identity, lines.offset, lines.last, lines.lines)
    begin = (place.offset, recorder.seq, lines.rewritten)
    mark, done, before = recorder.count, place.offset, place
    for line in lines:
        yield from reader.line(line)
        here = _Place(lines.identity, lines.offset, lines.last, lines.lines)
        if not reader.held:
            place = here
        elif reader.held == line.number:
            place = before
        before = here
        if recorder.count - mark >= CHECKPOINT[0] or place.offset - done >= CHECKPOINT[1]:
            mark, done = recorder.count, place.offset
            yield recorder.cursor(place)
    yield from reader.end()
    if not reader.held:
        place = _Place(lines.identity, lines.offset, lines.last, lines.lines)
    if (place.offset, recorder.seq, False) != begin:
        yield recorder.cursor(place)
