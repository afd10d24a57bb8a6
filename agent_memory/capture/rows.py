"""Sessions in a host's SQLite database: opened read-only, one at a time, followed while the host writes.

A session has a path of its own below the database file, ``opencode.db/ses_1``, subagents behind their parents
(``opencode.db/ses_1+ses_2``); parts are percent-encoded. Such a path exists in our names only. A cursor counts rows,
its identity is the file's, and the parser's state holds the order of the last row that was read.
"""

from __future__ import annotations

import json
import os
import sqlite3
import urllib.parse
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, Protocol

from agent_memory.capture.follow import session_of
from agent_memory.capture.lines import Line
from agent_memory.capture.recorder import Recorder, Target, session_id
from agent_memory.capture.records import Head, Record
from agent_memory.errors import TranscriptError
from agent_memory.model.transcript import Cursor, Skipped

STALE: Final = timedelta(minutes=10)
"""A row that is not finished and was not touched for so long will not be finished."""
REMEMBERED: Final = 100
"""Rows behind the cursor that are looked for again: one that is missing was taken back."""
CHECKPOINT: Final = 400
_WAIT: Final = 2.0
_BETWEEN: Final = "+"


@dataclass(frozen=True, slots=True)
class Row:
    """One message of a session with its parts, as JSON.

    ``order`` sorts it among the others, by numbers and texts that never change. ``settled`` is False while the host
    still writes it, ``gone`` True if the user took it back.
    """

    order: tuple[int | float | str, ...]
    data: dict[str, Any]
    touched: datetime | None = None
    settled: bool = True
    gone: bool = False


class RowReader(Protocol):
    """Turns rows into records."""

    def row(self, line: Line, data: dict[str, Any]) -> Iterator[Record]:
        """The records of a row. ``line`` is its place: number in the session, and its JSON."""


def path_of(database: Path, *chain: str) -> Path:
    """The path of a session: its ancestors' ids and its own."""
    return database / _BETWEEN.join(urllib.parse.quote(part, safe=" ") for part in chain)


def is_session(path: Path) -> bool:
    """True for a session's path below a file."""
    return path.parent.is_file()


def host_id(path: Path) -> str:
    """The host's id of a session, from its path."""
    return urllib.parse.unquote(path.name.rsplit(_BETWEEN, 1)[-1])


def identity(database: Path) -> str:
    """What stays when a database grows and changes when another takes its place."""
    about = os.stat(database)
    return f"{about.st_dev}:{about.st_ino}"


def continues(path: Path, cursor: Cursor) -> bool:
    """True if the database is still the one that was read."""
    try:
        return identity(path.parent) == cursor.identity
    except OSError:
        return False


@contextmanager
def opened(database: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection with one view of the database for its whole life.

    ``mode=ro`` and not ``immutable``: the newest rows are in the write-ahead log.

    Raises:
        TranscriptError: it is no database, is locked, or lacks a table or column that is asked for.
    """
    connection: sqlite3.Connection | None = None
    try:
        name = urllib.parse.quote(str(database.resolve()).replace("\\", "/"))
        connection = sqlite3.connect(f"file:{name}?mode=ro", uri=True, timeout=_WAIT, isolation_level=None)
        connection.row_factory = sqlite3.Row
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        connection.execute("PRAGMA query_only = 1")
        connection.execute("BEGIN")
        yield connection
    except (sqlite3.Error, OSError) as error:
        raise TranscriptError(f"cannot read the database {database}: {error}",
                              hint="nothing was changed; it is tried again with the next event") from error
    finally:
        if connection is not None:
            connection.close()


def has(connection: sqlite3.Connection, table: str, *columns: str) -> bool:
    """True if a table has these columns."""
    found = {row[1] for row in connection.execute(f"PRAGMA table_info({table})")}
    return bool(found) and found.issuperset(columns)


def chains(parents: dict[str, str]) -> Iterator[tuple[str, ...]]:
    """Each session with its ancestors before it, from a table of parents; a circle is cut."""
    for session in parents:
        chain = [session]
        while (parent := parents.get(chain[0], "")) and parent in parents and parent not in chain:
            chain.insert(0, parent)
        yield tuple(chain)


def follow(name: str, path: Path, about: Head | None, rows: Sequence[Row], after: Cursor | None,
           seen: Collection[str], now: datetime, make: Callable[[Recorder], RowReader]) -> Iterator[Record]:
    """Records of a session's rows after a cursor. ``rows`` are all of them, in order."""
    if about is None:
        yield Skipped(str(path), 0, "no-session")
        return
    here = identity(path.parent)
    recorder = Recorder(name, str(path), Target(session_id(name, about.host_id), about.host_id), after, seen, now)
    count = after.offset if after else 0
    if after is not None and after.offset and after.identity != here:
        recorder.restart()
        count = 0
    yield session_of(name, about, str(path))
    done = _Place(here, count)
    before = (json.dumps(recorder.state, sort_keys=True), recorder.seq, after.identity if after else "")
    yield from _taken_back(recorder, rows)
    reader, mark = make(recorder), recorder.count
    last = recorder.state.get("order")
    for row in rows:
        if last is not None and list(row.order) <= last:
            continue
        if not row.settled and (row.touched is None or now - row.touched < STALE):
            break
        done.offset += 1
        if not row.gone:
            yield from _read(recorder, reader, row, done.offset)
        recorder.state["order"] = list(row.order)
        if recorder.count - mark >= CHECKPOINT:
            mark = recorder.count
            yield recorder.cursor(done)
    if before != (json.dumps(recorder.state, sort_keys=True), recorder.seq, here):
        yield recorder.cursor(done)


@dataclass(slots=True)
class _Place:
    identity: str
    offset: int
    tail: str = ""

    @property
    def lines(self) -> int:
        return self.offset


def _read(recorder: Recorder, reader: RowReader, row: Row, number: int) -> Iterator[Record]:
    line = Line(number, json.dumps(row.data, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace"))
    first = ""
    for record in reader.row(line, row.data):
        first = first or getattr(record, "record", "")
        yield record
    if first:
        kept: list[Any] = recorder.state.setdefault("kept", [])
        kept.append([list(row.order), first])
        del kept[:-REMEMBERED]


def _taken_back(recorder: Recorder, rows: Sequence[Row]) -> Iterator[Record]:
    """Rows that were read and are not there any more, or are marked as taken back."""
    kept: list[Any] = recorder.state.get("kept", [])
    there = {json.dumps(row.order) for row in rows if not row.gone}
    missing = [k for k in kept if json.dumps(k[0]) not in there]
    if not missing:
        return
    recorder.state["kept"] = [k for k in kept if k not in missing]
    tail = kept[-len(missing):] == missing
    for _, record in missing[:1] if tail else missing:
        yield from recorder.taken_back(Line(0, b""), record, None, onwards=tail)
