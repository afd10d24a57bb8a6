"""Leases: shared or exclusive file locks with a time limit and an error that names the holder.

Each lease opens its own handle, and the lock (``flock`` on POSIX) belongs to the handle, so leases exclude each other
between threads and `Store` objects of one process as well as between processes. The system frees a lock when its
process ends, however it ends. Who holds a lock is remembered in a side file for people only; nothing is decided by it,
so a stale file or a reused process id does no harm.

An exclusive lease first takes a gate that readers pass through, so that a stream of readers cannot starve a writer.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import portalocker

from agent_memory import files
from agent_memory.errors import HomeError, LeaseTimeout, StoreError

_FIRST_PAUSE: Final = 0.001
_LONGEST_PAUSE: Final = 0.02

_held = threading.local()


@contextmanager
def lease(path: Path, *, exclusive: bool, wait: float, what: str = "the graph", hint: str = "") -> Iterator[None]:
    """Hold the lock of the graph at ``path``, fair to writers.

    Raises:
        LeaseTimeout: not got within ``wait`` seconds; names the holder. ``hint`` says what is safe.
        StoreError: this thread holds it already in a way that would wait for itself for ever.
        HomeError: the lock file cannot be opened.
    """
    mine = _mine()
    before = mine.get(path)
    if before is not None and (exclusive or before == "exclusive"):
        raise StoreError(f"this thread already holds a lease of {what}",
                         hint="Nothing was changed. Leave the reading block before writing.")
    deadline = time.monotonic() + wait
    # a thread that reads already must not queue behind a writer who waits for that very reader
    gate = path.with_name(path.name + ".gate")
    passing = nullcontext() if before else hold(gate, exclusive=exclusive, wait=wait, what=what, hint=hint, main=path)
    with passing:
        handle = _acquire(path, exclusive, deadline, what, hint)
        if exclusive:
            _note(path)
    mine[path] = "exclusive" if exclusive else "shared"
    try:
        yield
    finally:
        if before is None:
            del mine[path]
        if exclusive:
            with suppress(OSError):
                _holder(path).unlink(missing_ok=True)
        os.close(handle)


@contextmanager
def hold(path: Path, *, exclusive: bool, wait: float, what: str, hint: str = "",
         main: Path | None = None) -> Iterator[None]:
    """Hold one plain lock file; ``main`` is the file whose holder an error names."""
    handle = _acquire(path, exclusive, time.monotonic() + wait, what, hint, main)
    try:
        yield
    finally:
        os.close(handle)


def _mine() -> dict[Path, str]:
    if not hasattr(_held, "paths"):
        _held.paths = {}
    paths: dict[Path, str] = _held.paths
    return paths


def _open(path: Path) -> int:
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
    try:
        try:
            return os.open(path, flags, 0o600)
        except FileNotFoundError:
            files.make_folder(path.parent)
            return os.open(path, flags, 0o600)
    except OSError as error:
        # a home on a read-only disk can still be read by everybody
        with suppress(OSError):
            return os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        raise HomeError(f"cannot open {path}: {error.strerror}",
                        hint="Nothing was changed. Check the owner and the rights of the data directory.") from error


def _acquire(path: Path, exclusive: bool, deadline: float, what: str, hint: str, main: Path | None = None) -> int:
    handle = _open(path)
    flags = (portalocker.LOCK_EX if exclusive else portalocker.LOCK_SH) | portalocker.LOCK_NB
    pause = _FIRST_PAUSE
    try:
        while True:
            try:
                portalocker.lock(handle, flags)
                return handle
            except (portalocker.AlreadyLocked, portalocker.LockException):
                left = deadline - time.monotonic()
                if left <= 0:
                    break
                time.sleep(min(pause, left))
                pause = min(pause * 1.5, _LONGEST_PAUSE)
    except BaseException:
        os.close(handle)
        raise
    os.close(handle)  # first, or we would find ourselves
    raise LeaseTimeout(f"{what} is busy: {holder(main or path)}",
                       hint=hint or "Nothing was changed. Try again in a moment.")


def _holder(path: Path) -> Path:
    return path.with_name(path.name + ".holder")


def _note(path: Path) -> None:
    """Leave word of who holds the lock. Best effort: the lock does not depend on it."""
    since = datetime.now(UTC).isoformat("T", "seconds")
    note = {"pid": os.getpid(), "command": " ".join(sys.argv)[:200], "since": since}
    with suppress(OSError):
        files.write_atomic(_holder(path), json.dumps(note).encode("utf-8", "replace"), durable=False)


def holder(path: Path) -> str:
    """Who holds the lock at ``path``, in words; only for messages."""
    import psutil

    try:
        note = json.loads(_holder(path).read_bytes())
        process = psutil.Process(note["pid"])
        since = datetime.fromisoformat(note["since"])
        if process.create_time() <= since.timestamp() + 2:
            return f"process {note['pid']} ({note['command']}) has held it since {note['since']}"
    except (OSError, ValueError, KeyError, TypeError, psutil.Error):
        pass
    names = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if any(opened.path == str(path) for opened in process.open_files()):
                names.append(f"process {process.pid} ({' '.join(' '.join(process.cmdline()).split())[:200]})")
    return f"in use by {', '.join(names)}" if names else "its holder could not be found"
