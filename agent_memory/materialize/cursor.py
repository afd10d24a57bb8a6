"""The last agreed text of each view: base of the three-way merge, and a light index of it.

``memory/.agreed/NAME`` holds the bytes; ``memory/.memory_cursor.json`` their MD5 with what else must be remembered of
a view. While a view is replaced, ``NAME.next`` holds what is about to be agreed, so that after a crash the file tells
which of the two is true. Imports nothing heavy: `unsynced` also serves the start payload.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from agent_memory.errors import ViewError
from agent_memory.files import make_folder, write_atomic
from agent_memory.paths import Home

VERSION = 1
_PROJECT = re.compile(rb'^project: "([\w.-]+)"\r?$', re.MULTILINE)


def digest(data: bytes) -> str:
    """MD5 of a view's bytes, hex; it detects changes, it protects nothing."""
    return hashlib.md5(data, usedforsecurity=False).hexdigest()


@dataclass(frozen=True, slots=True)
class Entry:
    """What is remembered of one view: hash of the agreed bytes, its project, and what a person made of it.

    ``order`` are sections that were re-ordered, ``own`` headings, title and front matter that were rewritten.
    ``render`` is the hash of the render in the agreed bytes: while both stay the same there is nothing to merge.
    """

    md5: str
    project: str = ""
    order: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    render: str = ""


@dataclass(frozen=True, slots=True)
class ViewCursor:
    """All entries by name of the view below the views folder."""

    views: Mapping[str, Entry] = field(default_factory=dict)

    def stems(self) -> dict[str, str]:
        """File stem of each project that has a view."""
        return {entry.project: name.removeprefix("projects/").removesuffix(".md")
                for name, entry in self.views.items() if entry.project}


def load(home: Home) -> ViewCursor:
    """The cursor file; one that is missing or damaged is made anew from the agreed texts, since it is only an index.

    Raises:
        ViewError: the file is there and cannot be read.
    """
    try:
        data = json.loads(home.view_cursor.read_text(encoding="utf-8"))
        return ViewCursor({str(name): _entry(value) for name, value in data["views"].items() if _is_name(name)})
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError):
        return ViewCursor(_from_agreed(home))
    except OSError as error:
        raise ViewError(f"cannot read {home.view_cursor.name}: {error.strerror}",
                        hint="nothing was changed; make the folder of the views readable for you") from error


def _from_agreed(home: Home) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for path in (*home.agreed.glob("*.md"), *home.agreed.glob("projects/*.md")):
        data = path.read_bytes()
        project = _PROJECT.search(data)
        inside = path.parent.name == "projects"
        name = f"projects/{path.name}" if inside else path.name
        found[name] = Entry(digest(data), project[1].decode() if inside and project else "")
    return found


def _is_name(name: str) -> bool:
    """True for ``x.md`` and ``projects/x.md``: nothing else is ever opened because a file of ours names it."""
    stem = name.removeprefix("projects/").removesuffix(".md")
    return name.endswith(".md") and bool(stem.strip(". ")) and not set(stem) & set("/\\:\0")


def _entry(value: Mapping[str, Any]) -> Entry:
    order, own = (tuple(str(item) for item in value.get(name, ())) for name in ("order", "own"))
    return Entry(str(value["md5"]), str(value.get("project", "")), order, own, str(value.get("render", "")))


def save(home: Home, cursor: ViewCursor) -> bool:
    """Write the cursor file if it says something new; True if it was written."""
    views = {name: {key: value for key, value in asdict(entry).items() if value}
             for name, entry in sorted(cursor.views.items())}
    data = json.dumps({"version": VERSION, "views": views}, ensure_ascii=False, indent=1).encode() + b"\n"
    return replace_if_new(home.view_cursor, data)


def replace_if_new(path: Path, data: bytes) -> bool:
    """Write ``data`` unless the file holds it already; True if it was written."""
    try:
        if path.read_bytes() == data:
            return False
    except FileNotFoundError:
        make_folder(path.parent)
    write_atomic(path, data)
    return True


def agreed_path(home: Home, name: str) -> Path:
    """Where the agreed text of a view is kept."""
    return home.agreed / name


def _next_path(home: Home, name: str) -> Path:
    return home.agreed / f"{name}.next"


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def agreed(home: Home, name: str, file: bytes | None) -> bytes | None:
    """The last agreed bytes of a view whose file holds ``file`` now; None if there never were any.

    After a crash in the middle of a replacement the pending text counts if the file is nearer to it.
    """
    known, pending = _read(agreed_path(home, name)), _read(_next_path(home, name))
    if pending is None or file is None:
        return known
    if file == pending or known is None:
        return pending
    if file == known:
        return known
    lines = set(file.splitlines())
    return pending if _shared(lines, pending) > _shared(lines, known) else known


def _shared(lines: set[bytes], other: bytes) -> float:
    theirs = set(other.splitlines())
    return len(lines & theirs) / max(len(lines | theirs), 1)


def announce(home: Home, name: str, data: bytes) -> None:
    """Say durably that ``data`` is about to become the text of a view."""
    path = _next_path(home, name)
    make_folder(path.parent)
    write_atomic(path, data)


def settle(home: Home, name: str, data: bytes) -> None:
    """``data`` is the agreed text of a view from now on."""
    replace_if_new(agreed_path(home, name), data)
    _next_path(home, name).unlink(missing_ok=True)


def withdraw(home: Home, name: str) -> None:
    """What was announced did not happen."""
    _next_path(home, name).unlink(missing_ok=True)


def drop(home: Home, name: str) -> None:
    """Forget the agreed text of a view that is gone."""
    agreed_path(home, name).unlink(missing_ok=True)
    _next_path(home, name).unlink(missing_ok=True)


def unsynced(home: Home) -> list[str]:
    """Names of views whose file differs from the agreed text: edited, vanished or unreadable by now; sorted.

    Raises:
        ViewError: the folder of the views cannot be read.
    """
    names = []
    for name, entry in sorted(load(home).views.items()):
        try:
            if digest((home.views / name).read_bytes()) != entry.md5:
                names.append(name)
        except OSError:
            names.append(name)
    return names
