"""Does a text still stand in any file below a folder? In every form in which our files could hold it.

Compressed segments and backup archives are read through; a text is looked for as UTF-8, UTF-16, inside JSON (once and
twice escaped, as tool input is in the journal) and inside HTML.
"""

from __future__ import annotations

import gzip
import html
import io
import json
import os
import tarfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import zstandard

from agent_memory.text.normal import without_surrogates

_CHUNK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Found:
    """A file that holds the text; ``member`` is the file in an archive, ``unreadable`` says why it is unknown."""

    path: str  # relative to the folder that was searched
    member: str = ""
    unreadable: str = ""


def forms(texts: Iterable[str]) -> list[bytes]:
    """The byte strings that would betray one of the texts."""
    found: dict[bytes, None] = {}
    for text in texts:
        plain = without_surrogates(text)
        if not plain.strip():
            continue
        once = [json.dumps(plain, ensure_ascii=a)[1:-1] for a in (True, False)]
        twice = [json.dumps(o, ensure_ascii=a)[1:-1] for o in once for a in (True, False)]
        for form in (plain, *once, *twice, html.escape(plain), html.escape(plain, quote=False)):
            found[form.encode("utf-8")] = None
        found[plain.encode("utf-16-le")] = None
        found[plain.encode("utf-16-be")] = None
    return list(found)


def search(root: Path, texts: Iterable[str], *, skip: Sequence[Path] = ()) -> list[Found]:
    """Files below ``root`` that hold one of the texts, by path; files that cannot be read are named too.

    Args:
        root: Folder to search.
        texts: What to look for; empty texts are ignored.
        skip: Files that are not ours to search.
    """
    needles = forms(texts)
    if not needles:
        return []
    found = []
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = Path(folder, name)
            if path in skip or not path.is_file():
                continue
            relative = path.relative_to(root).as_posix()
            try:
                found += [Found(relative, member) for member in _members(path, needles)]
            except FileNotFoundError:
                continue
            except (OSError, EOFError, zlib.error, tarfile.TarError, zstandard.ZstdError) as problem:
                found.append(Found(relative, unreadable=str(problem)))
    return found


def _members(path: Path, needles: Sequence[bytes]) -> Iterator[str]:
    with path.open("rb") as file:
        if path.name.endswith(".tar.zst"):
            with (zstandard.ZstdDecompressor().stream_reader(file) as stream,
                  tarfile.open(fileobj=stream, mode="r|") as archive):
                for member in archive:
                    content = archive.extractfile(member) if member.isfile() else None
                    if content is not None and holds(_plain(content, member.name), needles):
                        yield member.name
        elif holds(_plain(file, path.name), needles):
            yield ""


def _plain(file: IO[bytes], name: str) -> IO[bytes]:
    if name.endswith(".gz"):
        return io.BytesIO(gzip.decompress(file.read()))
    return file


def holds(file: IO[bytes], needles: Sequence[bytes]) -> bool:
    """True if a stream of bytes contains one of the needles, also across the borders of what is read at once."""
    keep = max(map(len, needles), default=1) - 1
    tail = b""
    while chunk := file.read(_CHUNK):
        window = tail + chunk
        if any(needle in window for needle in needles):
            return True
        tail = window[-keep:] if keep else b""
    return False
