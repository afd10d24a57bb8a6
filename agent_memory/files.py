"""Files that survive a crash and that only their owner may read."""

from __future__ import annotations

import errno
import os
import secrets
from pathlib import Path


def make_folder(folder: Path) -> None:
    """Create ``folder`` and the parents it lacks, owner-only where the system knows owners."""
    missing = []
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    for each in reversed(missing):  # makedirs would leave the parents open to others
        each.mkdir(mode=0o700, exist_ok=True)


def write_atomic(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Replace ``path`` by ``data`` at once: readers see the old or the new bytes, never a part. Owner-only.

    The temporary file has a random name in the same folder, so that two writers never share one; it is removed when
    writing fails. ``durable`` waits for the disk.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(handle, view):]
            if durable:
                os.fsync(handle)
        finally:
            os.close(handle)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    if durable:
        sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Make renames in ``folder`` durable, where the system allows opening a folder."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


FULL = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EFBIG))
"""Numbers of errors of a disk that has no room."""


def next_step(problem: OSError) -> str:
    """What a person can do about what the system refused."""
    if problem.errno in FULL:
        return "Free some disk space and try again."
    if problem.errno == errno.EROFS:
        return "The disk is read-only: make it writable or choose another data directory, then try again."
    if problem.errno in (errno.EMFILE, errno.ENFILE):
        return "Too many files are open: end some programs or raise the limit of open files, then try again."
    if problem.errno in (errno.EIO, errno.ESTALE, errno.ENODEV):
        return "The disk does not answer as it should: check it and its connection, then try again."
    if problem.errno == errno.ENAMETOOLONG:
        return "The path is too long for this system: choose a shorter one."
    return "Check the owner and the rights of the file and its folders, then try again."
