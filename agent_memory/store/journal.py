"""The append-only journal: what was decided, in order, durable before anything else happens.

Folder ``kg/journal``; segments are named after the position of their first record (``00000001.jsonl``, or ``.jsonl.gz``
once closed and compacted). Each line is one record, so line ``n`` of a segment is position ``first + n - 1``:

    <16 hex digits: BLAKE2b-64 of the JSON> <JSON: {"position", "at", "actor", "changes"}>

Records are checksummed one by one and not chained, so that a purge can rewrite single ones; a purged record keeps its
position with fewer or no changes. Appends have their own lock, apart from the graph's lease.
"""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final

from agent_memory import files
from agent_memory.errors import HomeError, JournalDamaged, SchemaNewer, StoreError
from agent_memory.model.change import Batch, Change
from agent_memory.store.lease import hold
from agent_memory.store.record import BadRecord, NewerRecord, check_line, decode_line, encode_line, position_in

SEGMENT_BYTES: Final = 8 << 20
"""A segment that is at least this long is closed; the next append starts a new one."""

UNREADABLE: Final = (OSError, EOFError, zlib.error)
"""What reading a damaged segment raises; zlib's error is none of the system's."""
_PEEK_BYTES: Final = 1 << 14
_SEGMENT: Final = re.compile(r"(\d{8,})\.jsonl(\.gz)?\Z")


@dataclass(frozen=True, slots=True)
class Segment:
    """One file of the journal: position of its first record, and whether it is compressed."""

    first: int
    path: Path

    @property
    def packed(self) -> bool:
        """True for a gzip file."""
        return self.path.suffix == ".gz"

    def open(self) -> IO[bytes]:
        """The segment's plain bytes."""
        try:
            return gzip.open(self.path, "rb") if self.packed else open(self.path, "rb")  # type: ignore[return-value]
        except PermissionError as error:
            raise HomeError(f"cannot read {self.path}: {error.strerror}",
                            hint="Nothing was changed. Check the owner and the rights of the file.") from error


@dataclass(frozen=True, slots=True)
class Damage:
    """A place of the journal that cannot be trusted. ``line`` is 0 for a whole segment, ``position`` 0 if unknown."""

    segment: str
    line: int
    position: int
    reason: str


@dataclass(slots=True)
class _Tail:
    """Where the journal ended when we last looked: valid as long as the segment's size is unchanged."""

    path: Path
    size: int
    position: int


class Journal:
    """The journal of one home. Safe to use from several threads and processes at once.

    Args:
        folder: where the segments are; created by the first append.
        wait: seconds to wait for the append lock.
        segment_bytes: size at which a segment is closed.
    """

    def __init__(self, folder: Path, *, wait: float = 10.0, segment_bytes: int = SEGMENT_BYTES) -> None:
        self.folder = folder
        self._wait = wait
        self._segment_bytes = segment_bytes
        self._tail: _Tail | None = None

    @property
    def lock(self) -> Path:
        """Lock file of appends and rewrites."""
        return self.folder / ".lock"

    def segments(self) -> list[Segment]:
        """Segments by first position. Of a plain and a compressed one with the same name the plain one counts."""
        found: dict[int, Segment] = {}
        try:
            names = os.listdir(self.folder)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise HomeError(f"cannot list {self.folder}: {error.strerror}") from error
        for name in names:
            match = _SEGMENT.match(name)
            if match and not (match[2] and int(match[1]) in found):
                found[int(match[1])] = Segment(int(match[1]), self.folder / name)
        return [found[first] for first in sorted(found)]

    def asides(self) -> list[Path]:
        """Side files with torn ends that were moved out of the way, oldest first."""
        return sorted(self.folder.glob("torn-*.bin"))

    def paths(self) -> list[Path]:
        """Every file of the journal that can hold text: segments and side files."""
        return [s.path for s in self.segments()] + self.asides()

    def position(self) -> int:
        """Position of the last whole record; 0 for an empty journal. A torn end does not count."""
        return self._end()[1]

    def append(self, changes: Sequence[Change], *, at: datetime, actor: str) -> Batch:
        """Write one batch and wait for the disk. The caller has validated it.

        Returns:
            The batch as a reader will decode it, with its position.

        Raises:
            LeaseTimeout: another process keeps the append lock.
            StoreError: the disk refused; the journal is as before.
        """
        return self.append_all([Batch(at, actor, tuple(changes))])[0]

    def append_all(self, batches: Sequence[Batch]) -> list[Batch]:
        """Write several batches with one wait for the disk; see `append`."""
        try:
            files.make_folder(self.folder)
        except OSError as error:
            raise HomeError(f"cannot create {self.folder}: {error.strerror}", hint="Nothing was stored.") from error
        with hold(self.lock, exclusive=True, wait=self._wait, what="the journal"):
            if self.folder.with_name("swap.json").exists():
                raise StoreError("a restore was interrupted", hint="Nothing was stored. Run the command again.")
            segment, position = self._mend()
            if segment is None or segment.packed or segment.path.stat().st_size >= self._segment_bytes:
                segment = Segment(position + 1, self.folder / f"{position + 1:08d}.jsonl")
            placed: list[Batch] = []
            lines: list[bytes] = []
            for batch in batches:
                position += 1
                line, as_read = encode_line(replace(batch, position=position))
                lines.append(line)
                placed.append(as_read)
            size = _write(segment.path, b"".join(lines))
            self._tail = _Tail(segment.path, size, position)
        return placed

    def batches(self, after: int = 0) -> Iterator[Batch]:
        """Batches with a position beyond ``after``, in order. Stops before a torn end.

        Raises:
            JournalDamaged: a record fails its checksum or a segment is missing; what came before was given.
        SchemaNewer: a record was written by a newer version.
        """
        for position, segment, number, line, last in self._lines(after):
            try:
                yield decode_line(line, position)
            except NewerRecord as error:
                raise SchemaNewer(f"{segment.path.name} line {number}: {error}",
                                  hint="Nothing was touched. Update agent-utilities-memory.") from error
            except BadRecord as error:
                if last:
                    return
                raise _damaged(segment, number, str(error)) from error

    def damage(self) -> list[Damage]:
        """Every place that cannot be trusted, torn end included; empty for a sound journal."""
        found: list[Damage] = []
        expected = 1
        for segment in self.segments():
            if segment.first != expected:
                found.append(Damage(segment.path.name, 0, expected, f"records {expected} to {segment.first - 1} are "
                             "missing" if segment.first > expected else "overlaps the segment before"))
            number = 0
            try:
                with segment.open() as stream:
                    for number, line in enumerate(stream, 1):
                        try:
                            decode_line(line, segment.first + number - 1)
                        except BadRecord as error:
                            found.append(Damage(segment.path.name, number, segment.first + number - 1, str(error)))
            except UNREADABLE as error:
                found.append(Damage(segment.path.name, 0, segment.first + number, f"unreadable: {error}"))
            expected = segment.first + number
        return found

    def rewrite(self, change: Callable[[Batch], Batch]) -> int:
        """Pass every record through ``change`` and replace the segments that differ, each at once.

        Positions stay. Appends wait meanwhile. Safe to repeat after a crash.

        Returns:
            How many records changed.
        """
        changed = 0
        with hold(self.lock, exclusive=True, wait=self._wait, what="the journal"):
            self._mend()
            for segment in self.segments():
                lines: list[bytes] = []
                before = changed
                for number, line in enumerate(_whole(segment), 1):
                    position = segment.first + number - 1
                    try:
                        batch = decode_line(line, position)
                    except BadRecord as error:
                        raise _damaged(segment, number, str(error)) from error
                    new = change(batch)
                    if new is not batch and new != batch:
                        line = encode_line(replace(new, position=position))[0]
                        changed += 1
                    lines.append(line)
                if changed != before:
                    self.replace(segment, b"".join(lines))
            self._tail = None
        return changed

    def replace(self, segment: Segment, plain: bytes, *, packed: bool | None = None) -> Segment:
        """Replace a segment by other plain bytes, at once, compressed or not. The caller holds `lock`."""
        packed = segment.packed if packed is None else packed
        target = self.folder / f"{segment.first:08d}.jsonl{'.gz' if packed else ''}"
        files.write_atomic(target, gzip.compress(plain, 6, mtime=0) if packed else plain)
        if target != segment.path:
            segment.path.unlink()
            files.sync_folder(self.folder)
        self._tail = None
        return Segment(segment.first, target)

    def _lines(self, after: int) -> Iterator[tuple[int, Segment, int, bytes, bool]]:
        """(position, segment, line number, line, is the journal's last line) beyond ``after``."""
        segments = self.segments()
        start = max((i for i, s in enumerate(segments) if s.first <= after + 1), default=0)
        expected = segments[start].first if start else 1
        for index, segment in enumerate(segments[start:], start):
            if segment.first != expected:
                raise _damaged(segment, 0, f"records {expected} to {segment.first - 1} are missing")
            final = index == len(segments) - 1
            number = 0
            try:
                with segment.open() as stream:
                    line = stream.readline()
                    while line:
                        following = stream.readline()
                        number += 1
                        if segment.first + number - 1 > after:
                            yield segment.first + number - 1, segment, number, line, final and not following
                        line = following
            except UNREADABLE as error:
                raise _damaged(segment, number + 1, f"unreadable: {error}") from error
            expected = segment.first + number

    def _end(self) -> tuple[Segment | None, int, int]:
        """(last segment, position of the last whole record, bytes up to its end)."""
        segments = self.segments()
        if not segments:
            return None, 0, 0
        segment = segments[-1]
        tail = self._tail
        if tail is not None and tail.path == segment.path and segment.path.stat().st_size == tail.size:
            return segment, tail.position, tail.size
        position, end = _peek_end(segment) or _scan_end(segment)
        if not segment.packed and segment.path.stat().st_size == end:
            self._tail = _Tail(segment.path, end, position)
        return segment, position, end

    def _mend(self) -> tuple[Segment | None, int]:
        """Move a torn end aside and leave an empty record in its place. The caller holds `lock`.

        The empty record keeps the position used up: should the graph have seen the torn record, the next one must not
        pass for it.
        """
        segment, position, end = self._end()
        if segment is None:
            return None, 0
        if segment.packed or segment.path.stat().st_size == end:
            return segment, position
        data = segment.path.read_bytes()
        aside = self.folder / f"torn-{position + 1:08d}-{len(self.asides()):04d}.bin"
        files.write_atomic(aside, data[end:])
        at = datetime.fromtimestamp(0, UTC)
        mark = encode_line(Batch(at, "journal: torn record moved aside", (), position + 1))[0]
        files.write_atomic(segment.path, data[:end] + mark)
        self._tail = _Tail(segment.path, end + len(mark), position + 1)
        return segment, position + 1


def _peek_end(segment: Segment) -> tuple[int, int] | None:
    """(position of the last record, bytes up to its end), read from the end; None if that needs the whole segment."""
    if segment.packed:
        return None
    size = segment.path.stat().st_size
    length = min(size, _PEEK_BYTES)
    with segment.open() as stream:
        while length:
            stream.seek(size - length)
            data = stream.read(length)
            start = data.rfind(b"\n", 0, -1) + 1
            if start or length == size:
                line = data[start:]
                found = position_in(line)
                try:
                    check_line(line, found)
                except BadRecord:
                    return None
                return (found, size) if found >= segment.first else None
            length = min(size, length * 4)
    return None


def _whole(segment: Segment) -> list[bytes]:
    """The lines of a segment."""
    try:
        with segment.open() as stream:
            return stream.readlines()
    except UNREADABLE as error:
        raise _damaged(segment, 0, f"unreadable: {error}") from error


def _scan_end(segment: Segment) -> tuple[int, int]:
    """As `_peek_end`, by reading everything; a bad last line does not count."""
    number = end = 0
    last = b""
    try:
        with segment.open() as stream:
            for line in stream:
                number += 1
                end += len(line)
                last = line
    except UNREADABLE as error:
        raise _damaged(segment, number + 1, f"unreadable: {error}") from error
    if last:
        try:
            check_line(last, segment.first + number - 1)
        except BadRecord:
            return segment.first + number - 2, end - len(last)
    return segment.first + number - 1, end


def _damaged(segment: Segment, line: int, reason: str) -> JournalDamaged:
    where = f"{segment.path.name} line {line}" if line else segment.path.name
    return JournalDamaged(f"the journal is damaged at {where}: {reason}",
                          hint="Nothing was changed. Run verify for the whole list, then restore a backup.")


def _write(path: Path, data: bytes) -> int:
    """Append ``data`` and wait for the disk; on failure the file has its old length. Returns the new size."""
    fresh = not path.exists()
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o600)
    except OSError as error:
        raise HomeError(f"cannot write {path}: {error.strerror}", hint="Nothing was stored.") from error
    try:
        before = os.fstat(handle).st_size
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(handle, view):]
            os.fsync(handle)
        except OSError as error:
            os.ftruncate(handle, before)
            raise StoreError(f"cannot write to the journal {path}: {error.strerror}",
                             hint=f"Nothing was stored. {files.next_step(error)}") from error
    finally:
        os.close(handle)
    if fresh:
        files.sync_folder(path.parent)
    return before + len(data)
