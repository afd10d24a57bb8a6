"""Does the search file hold what was journaled? Told from the ends of both, without loading the store."""

from __future__ import annotations

import os
import re
import sqlite3
from pathlib import Path
from typing import Final

from agent_memory.paths import Home
from agent_memory.search.reader import open_reader

_RECORD: Final = re.compile(rb'[0-9a-f]{16} \{"position":(\d+),')
_PEEK: Final = 4096


def remark(home: Home) -> str:
    """A remark for people if batches are journaled that the search file does not hold yet, else ""."""
    journaled = journal_position(home.journal)
    if not journaled:
        return ""
    held = _held(home)
    if held >= journaled:
        return ""
    return (f"the search file is behind: it holds {held} of {journaled} batches; the next write or "
            "`agent-utilities-memory rebuild` brings it up")


def journal_position(folder: Path) -> int:
    """Position of the last whole record of the newest segment that is not compressed; 0 if that cannot be told.

    Lines are ``CHECKSUM {"position":N,…}`` (store/record.py); the checksum is not verified here.
    """
    try:
        names = sorted(n for n in os.listdir(folder) if re.fullmatch(r"\d+\.jsonl(\.gz)?", n))
        if not names or names[-1].endswith(".gz"):
            return 0
        with (folder / names[-1]).open("rb") as file:
            return _last(file.fileno(), os.fstat(file.fileno()).st_size)
    except OSError:
        return 0


def _last(handle: int, size: int) -> int:
    length = _PEEK
    while True:
        length = min(size, length)
        os.lseek(handle, size - length, os.SEEK_SET)
        data = os.read(handle, length)
        end = data.rfind(b"\n") + 1
        start = data.rfind(b"\n", 0, max(0, end - 1)) + 1
        found = _RECORD.match(data[start:start + 64])
        if found and end and (start or length == size):
            return int(found[1])
        if length == size:
            return 0
        length *= 8


def _held(home: Home) -> int:
    connection = open_reader(home.search)
    if connection is None:
        return 0
    try:
        return int(connection.execute("SELECT value FROM meta WHERE name = 'position'").fetchone()[0])
    except (sqlite3.Error, TypeError, ValueError):
        return 0
    finally:
        connection.close()
