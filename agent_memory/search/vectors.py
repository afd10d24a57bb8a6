"""Vectors of passages in a flat file beside the search file: ``kg/vectors/MODEL.vec``.

::
    {"model": "minilm-l6", "version": "…", "dim": 384}     one line of JSON
    {"model": "minilm-l6", "version": "…", "dim": 384}\n     one line of JSON
    row: 8 bytes of the model's fingerprint, 16 bytes of the passage's key, dim numbers of 2 bytes (float16)

A key is derived from what the passage says, so rows outlive a rebuild of the search file. A row of another model is
never read. A torn last row does not count. One file a model: while a changed model embeds, processes that
hold the old one still answer from the old file.
Everything here is derived and may be deleted.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from agent_memory import files

KEY: Final = 16
_MARK: Final = 8


@dataclass(frozen=True, slots=True)
class Model:
    """Which model made vectors, and how long they are."""

    name: str
    version: str
    dim: int

    @property
    def fingerprint(self) -> bytes:
        """What each row carries."""
        return hashlib.blake2b(f"{self.name}\0{self.version}\0{self.dim}".encode(), digest_size=_MARK).digest()

    @property
    def row(self) -> int:
        """Bytes of a row."""
        return _MARK + KEY + 2 * self.dim


def folder(search: Path) -> Path:
    """Where vectors of a search file are."""
    return search.with_name("vectors")


def path_of(search: Path, model: Model) -> Path:
    """The file of a model."""
    return folder(search) / f"{model.fingerprint.hex()}.vec"


def key_of(text: str) -> bytes:
    """The key of a passage."""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=KEY).digest()


def passages(connection: sqlite3.Connection, after: int = 0) -> Iterator[tuple[int, int, str]]:
    """(passage, document, text with its speaker) of every passage beyond ``after``."""
    for n, doc, start, stop, text, speaker in connection.execute(
            "SELECT p.n, d.n, p.start, p.stop, d.text, d.speaker FROM passage p JOIN doc d ON d.n = p.doc "
            "WHERE p.n > ? ORDER BY p.n", (after,)):
        piece = text[start:stop].strip()
        yield n, doc, f"{speaker}: {piece}" if speaker not in ("", "person", "agent") else piece


def models(search: Path) -> list[tuple[Model, Path]]:
    """Models that have a file, the newest file first. Files that are no such are passed over."""
    found: list[tuple[float, Model, Path]] = []
    for path in sorted(folder(search).glob("*.vec")):
        with path.open("rb") as file:
            model = _head(file)
        if model is not None:
            found.append((path.stat().st_mtime, model, path))
    return [(model, path) for _, model, path in sorted(found, key=lambda f: -f[0])]


def keys(path: Path) -> set[bytes]:
    """Keys of all whole rows."""
    return {row[_MARK:_MARK + KEY] for row in _rows(path)}


def append(search: Path, model: Model, rows: Iterable[tuple[bytes, bytes]]) -> None:
    """Add rows (key, numbers as bytes); a torn end of an earlier run is cut off first."""
    path = path_of(search, model)
    files.make_folder(path.parent)
    head = json.dumps({"model": model.name, "version": model.version, "dim": model.dim}).encode() + b"\n"
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
        if _head(file) != model:
            file.truncate(0)
            file.seek(0)
            file.write(head)
        begin = file.tell()
        file.seek(0, os.SEEK_END)
        end = begin + (file.tell() - begin) // model.row * model.row
        file.truncate(end)
        file.seek(end)
        file.write(b"".join(model.fingerprint + key + numbers for key, numbers in rows))


def forget(search: Path, wanted: set[bytes]) -> int:
    """Keep only rows with these keys in every file; how many went. What is removed leaves no byte in the file."""
    gone = 0
    for model, path in models(search):
        rows = list(_rows(path))
        kept = [row for row in rows if row[_MARK:_MARK + KEY] in wanted]
        if len(kept) != len(rows):
            gone += len(rows) - len(kept)
            head = json.dumps({"model": model.name, "version": model.version, "dim": model.dim}).encode() + b"\n"
            files.write_atomic(path, head + b"".join(kept))
    return gone


def drop_other(search: Path, model: Model) -> None:
    """Remove files of other models: to be called when every passage has its row."""
    for other, path in models(search):
        if other != model:
            path.unlink(missing_ok=True)


def _rows(path: Path) -> Iterator[bytes]:
    if not path.exists():
        return
    with path.open("rb") as file:
        model = _head(file)
        if model is None:
            return
        while len(row := file.read(model.row)) == model.row:
            if row.startswith(model.fingerprint):
                yield row


def _head(file: IO[bytes]) -> Model | None:
    line = file.readline(4096)
    try:
        data = json.loads(line)
        return Model(str(data["model"]), str(data["version"]), int(data["dim"]))
    except (ValueError, KeyError, TypeError):
        return None
