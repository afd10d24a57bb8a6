"""The data directory: is it there, can it be read and written, by its owner only, and is there room?"""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from agent_memory.doctor.finding import Finding
from agent_memory.doctor.subject import Subject
from agent_memory.store.swap import leftovers

TITLE = "Data directory"
CODES = ("home-ok", "home-new", "home-not-a-folder", "home-unreadable", "home-read-only", "open-to-others", "leftover",
         "disk-ok", "disk-low", "disk-full")

FULL: Final = 50_000_000
"""Less free space than this (bytes), and a write may fail any time."""
LOW: Final = 500_000_000
_MOST_FILES: Final = 20_000
LEFT_SECONDS: Final = 3_600
"""A temporary file that is younger may belong to a process that is at work."""


def check(subject: Subject) -> Iterator[Finding]:
    """Look at the folder itself, then at rights, leftovers and the disk."""
    root = subject.home.root
    if not root.exists():
        if (parent := _existing(root)) is not None and not parent.is_dir():
            yield Finding("error", "home-not-a-folder", f"{subject.inside(parent)} is a file, so "
                          f"{subject.inside(root)} cannot be made", "move the file away, or choose another home")
            return
        yield Finding("ok", "home-new", f"nothing is stored in {subject.inside(root)} yet")
        yield from _disk(root, 0)
        return
    if not root.is_dir():
        yield Finding("error", "home-not-a-folder", f"{subject.inside(root)} is a file where the data directory should "
                      "be", "move the file away, or choose another home")
        return
    bad = list(_folders(subject))
    yield from bad
    if any(f.code in ("home-unreadable", "home-not-a-folder") for f in bad):
        return
    size = sum(path.lstat().st_size for path in _files(root))
    if not bad:
        yield Finding("ok", "home-ok", f"{subject.inside(root)} can be read and written ({megabytes(size)})")
    yield from _rights(subject)
    if left := old_leftovers(subject):
        yield Finding("warning", "leftover", f"{len(left)} files were left by processes that were killed, such as "
                      f"{left[0].relative_to(root)}", "run doctor --fix: it removes them")
    yield from _disk(root, size)


def megabytes(size: int) -> str:
    """Bytes for people.

    >>> megabytes(999), megabytes(1_500_000)
    ('999 B', '1.5 MB')
    """
    if size < 1_000:
        return f"{size} B"
    return f"{size / 1_000:.1f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def old_leftovers(subject: Subject) -> list[Path]:
    """What killed processes left, without what may belong to one at work."""
    found = []
    for path in leftovers(subject.home):
        try:
            if subject.now.timestamp() - path.lstat().st_mtime > LEFT_SECONDS:
                found.append(path)
        except OSError:
            continue
    return found


def open_paths(subject: Subject) -> list[Path]:
    """Files and folders of ours that other users may look into; none below a home that is closed to them."""
    root = subject.home.root
    if os.name != "posix" or not stat.S_IMODE(root.stat().st_mode) & 0o077:
        return []
    return [p for p in (root, *_walk(root)) if not p.is_symlink() and stat.S_IMODE(p.stat().st_mode) & 0o077]


def _existing(path: Path) -> Path | None:
    return next((p for p in path.parents if p.exists()), None)


def _folders(subject: Subject) -> Iterator[Finding]:
    """What cannot be read or written, folder by folder; the first trouble of each."""
    home = subject.home
    for folder in (home.root, home.graph.parent, home.journal, home.views, home.inbox, home.backups, home.log):
        if not folder.exists():
            continue
        told = subject.inside(folder)
        if not folder.is_dir():
            yield Finding("error", "home-not-a-folder", f"{told} is a file where a folder should be",
                          "move the file away; the folder is made again")
        elif not os.access(folder, os.R_OK | os.X_OK):
            yield Finding("error", "home-unreadable", f"{told} cannot be read", "check its owner and its rights")
        elif not os.access(folder, os.W_OK):
            yield Finding("error", "home-read-only", f"{told} can be read but not written: nothing new is stored",
                          "check its rights, the disk, and whether a sandbox keeps this program out")


def _rights(subject: Subject) -> Iterator[Finding]:
    found = open_paths(subject)
    if not found:
        return
    others = "" if len(found) == 1 else f" and what is in it ({len(found) - 1})"
    yield Finding("warning", "open-to-others", f"other users may look into {subject.inside(found[0])}{others}",
                  "run doctor --fix: it gives them to you only")


def _walk(root: Path) -> Iterator[Path]:
    count = 0
    for folder, folders, files in os.walk(root):
        for name in (*sorted(folders), *sorted(files)):
            count += 1
            if count > _MOST_FILES:
                return
            yield Path(folder, name)


def _files(root: Path) -> Iterator[Path]:
    return (path for path in _walk(root) if path.is_file() and not path.is_symlink())


def _disk(root: Path, size: int) -> Iterator[Finding]:
    place = root if root.exists() else _existing(root)
    free = shutil.disk_usage(place or root).free
    if free < FULL:
        yield Finding("error", "disk-full", f"only {megabytes(free)} of disk are free", "free some space")
    elif free < max(LOW, 3 * size):
        yield Finding("warning", "disk-low", f"{megabytes(free)} of disk are free; rebuild and backup need about "
                      f"{megabytes(3 * size)}", "free some space, or run compact")
    else:
        yield Finding("ok", "disk-ok", f"{free / 1e9:.0f} GB of disk are free")
