"""Follows a growing file of lines from where it was left, whatever happened to it meanwhile.

A cursor stands for the bytes before it: if the file is shorter, or its last bytes before the cursor differ, it was
rewritten and is read again from the start. A line without its line feed is not finished and is not consumed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, cast

from agent_memory.errors import TranscriptError
from agent_memory.model.transcript import Cursor

MAX_LINE: Final = 16 * 1024 * 1024
"""Longer lines are skipped, counted and named."""
TAIL: Final = 4_096
_PIECE: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Line:
    """One complete line. ``raw`` is empty for one that is too long. Numbers count from 1."""

    number: int
    raw: bytes
    too_long: bool = False

    def sha256(self) -> str:
        """Hash of the raw line with its line feed, hex."""
        return hashlib.sha256(self.raw).hexdigest()


def plain_name(path: Path) -> str:
    """The name under which a transcript is known, also after it was compressed."""
    return str(path).removesuffix(".zst")


def open_transcript(path: Path) -> BinaryIO:
    """The bytes of a transcript, unpacked if its name ends in ``.zst``.

    Raises:
        TranscriptError: it does not exist, is no file, or may not be read.
    """
    try:
        if not path.is_file():
            raise FileNotFoundError(2, "no such file")
        file = path.open("rb", buffering=_PIECE)
    except OSError as error:
        raise TranscriptError(f"cannot read {path}: {error.strerror or error}",
                              hint="nothing was changed; check the path and its permissions") from error
    if path.suffix != ".zst":
        return file
    import zstandard

    return cast(BinaryIO, zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True, closefd=True))


def _identity(path: Path) -> str:
    about = os.stat(path)
    return f"{about.st_dev}:{about.st_ino}"


def _skip(file: BinaryIO, offset: int) -> bytes | None:
    """Move to ``offset``; the up to TAIL bytes before it, or None if the file is shorter or cannot be read so far."""
    if file.seekable() and not hasattr(file, "read_across_frames"):
        try:
            file.seek(max(0, offset - TAIL))
            before = file.read(min(TAIL, offset))
            return before if len(before) == min(TAIL, offset) else None
        except (OSError, ValueError):
            pass
    left, tail = offset, b""
    while left:
        try:
            piece = file.read(min(left, _PIECE))
        except Exception:  # noqa: BLE001 a damaged compressed file: read from the start, which tells what is wrong
            return None
        if not piece:
            return None
        left -= len(piece)
        tail = (tail + piece)[-TAIL:]
    return tail


def tail_hash(tail: bytes) -> str:
    """Hash of the bytes before a cursor, hex; "" for none."""
    return hashlib.sha256(tail).hexdigest() if tail else ""


def continues(path: Path, cursor: Cursor) -> bool:
    """True if the bytes before the cursor are still those that were read."""
    with open_transcript(path) as file:
        before = _skip(file, cursor.offset)
    return before is not None and tail_hash(before) == cursor.tail


class Lines:
    """Complete lines of a file after a cursor; ``offset``, ``lines`` and ``tail`` say how far it came.

    ``rewritten`` is True if the file did not continue what the cursor saw and is read from the start.
    """

    def __init__(self, path: Path, after: Cursor | None) -> None:
        """Open the file; TranscriptError if that is impossible."""
        self.path = path
        self.identity = ""
        self.rewritten = False
        self.offset = self.lines = 0
        self._tail = b""
        self._file = open_transcript(path)
        self.identity = _identity(path)
        if after is not None and after.offset:
            before = _skip(self._file, after.offset)
            if before is not None and tail_hash(before) == after.tail:
                self.offset, self.lines, self._tail = after.offset, after.lines, before
            else:
                self.rewritten = True
                self._file.close()
                self._file = open_transcript(path)

    @property
    def tail(self) -> str:
        """Hash of the up to 4,096 bytes before ``offset``."""
        return tail_hash(self._tail)

    @property
    def last(self) -> bytes:
        """The up to 4,096 bytes before ``offset``."""
        return self._tail

    def __iter__(self) -> Iterator[Line]:
        buffer = b""
        try:
            while piece := self._read():
                buffer = buffer + piece if buffer else piece
                start = 0
                while (end := buffer.find(b"\n", start)) >= 0:
                    yield self._consume(buffer[start:end + 1])
                    start = end + 1
                buffer = buffer[start:]
                if len(buffer) > MAX_LINE:
                    rest = self._discard(len(buffer), buffer[-TAIL:])
                    if rest is None:
                        return
                    yield Line(self.lines, b"", too_long=True)
                    buffer = rest
                    # what follows the long line may hold whole lines already
                    start = 0
                    while (end := buffer.find(b"\n", start)) >= 0:
                        yield self._consume(buffer[start:end + 1])
                        start = end + 1
                    buffer = buffer[start:]
        finally:
            self._file.close()

    def close(self) -> None:
        """Release the file. Closing twice is fine."""
        self._file.close()

    def _read(self) -> bytes:
        try:
            return self._file.read(_PIECE)
        except Exception as error:
            raise TranscriptError(f"cannot read {self.path} beyond byte {self.offset}: {error}",
                                  hint="what was read before is kept; the rest is tried again next time") from error

    def _consume(self, raw: bytes) -> Line:
        self.lines += 1
        self.offset += len(raw)
        self._tail = raw[-TAIL:] if len(raw) >= TAIL else (self._tail + raw)[-TAIL:]
        if len(raw) > MAX_LINE:
            return Line(self.lines, b"", too_long=True)
        return Line(self.lines, raw)

    def _discard(self, length: int, tail: bytes) -> bytes | None:
        """Read over the rest of a line that is too long; what follows it, or None if it is not finished."""
        while piece := self._read():
            end = piece.find(b"\n")
            if end >= 0:
                self.lines += 1
                self.offset += length + end + 1
                self._tail = (tail + piece[:end + 1])[-TAIL:]
                return piece[end + 1:]
            length += len(piece)
            tail = (tail + piece)[-TAIL:]
        return None
