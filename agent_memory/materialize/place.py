"""Reading and replacing the files of views: unreadable is not missing, and a file that changed is not overwritten."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import portalocker

from agent_memory.errors import ViewError
from agent_memory.files import make_folder, sync_folder, write_atomic
from agent_memory.paths import Home

_STAGED = (".view-new", ".view-old")


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A view that is there and cannot be read as text; nothing about its content is known."""

    reason: str


class Changed(Exception):
    """A file is no longer what it was when it was read; it was left alone."""


@contextmanager
def turn(home: Home, *, wait: float = 30.0) -> Iterator[None]:
    """Hold the views of a home for one pass, so that two passes never mix. No person is asked meanwhile.

    Raises:
        ViewError: another pass did not end within ``wait`` seconds, or the folder cannot be used.
    """
    try:
        make_folder(home.views)
        make_folder(home.projects)
        with portalocker.Lock(home.views / ".lock", timeout=wait, check_interval=0.02):
            _sweep(home)
            yield
    except portalocker.exceptions.LockException as error:
        raise ViewError(f"the views in {home.views} are in use by another pass",
                        hint="nothing was changed; try again when it has ended") from error
    except PermissionError as error:
        raise ViewError(f"cannot use the views in {home.views}: {error.strerror}",
                        hint="nothing was changed; make the folder readable and writable for you") from error


def _sweep(home: Home) -> None:
    """Remove what a pass that was killed left beside the views."""
    for folder in (home.views, home.projects):
        for entry in os.scandir(folder):
            if entry.name.startswith(".") and entry.name.endswith(_STAGED):
                Path(entry.path).unlink(missing_ok=True)


def path_of(home: Home, name: str) -> Path:
    """The file of a view, behind symlinks, so that a linked view stays a link."""
    return Path(os.path.realpath(home.views / name))


def read(home: Home, name: str) -> bytes | Unreadable | None:
    """The bytes of a view; None if there is no such file."""
    try:
        data = path_of(home, name).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        return Unreadable(f"unreadable: {error.strerror}")
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return Unreadable(f"unreadable: not UTF-8 at byte {error.start}")
    return data


def replace(home: Home, name: str, expected: bytes | None, data: bytes) -> None:
    """Put ``data`` in the place of ``expected``, durably and at once.

    The old file stays linked until the new one is in place, so that a write which falls into the last moment is seen
    and put back.

    Raises:
        Changed: the file does not hold ``expected`` (any more).
        ViewError: the file cannot be written.
    """
    target = path_of(home, name)
    mark = secrets.token_hex(4)
    staged, held = (target.with_name(f".{mark}{ending}") for ending in _STAGED)
    try:
        make_folder(target.parent)
        write_atomic(staged, data)
        try:
            linked = expected is not None and _link(target, held)
            if read(home, name) != expected:
                raise Changed(name)
            os.replace(staged, target)
            if linked and held.read_bytes() != expected:
                os.replace(held, target)
                raise Changed(name)
        finally:
            staged.unlink(missing_ok=True)
            held.unlink(missing_ok=True)
        sync_folder(target.parent)
    except OSError as error:
        raise ViewError(f"cannot write the view {name}: {error.strerror}",
                        hint="the file is as it was; free some space or fix its permissions, then run materialize"
                        ) from error


def _link(target: Path, held: Path) -> bool:
    """A second name for the old file; False where the file system has none."""
    try:
        os.link(target, held)
    except OSError:
        return False
    return True


def remove(home: Home, name: str, expected: bytes | None) -> None:
    """Delete a view that still holds ``expected``.

    Raises:
        Changed: it holds something else.
        ViewError: it cannot be deleted.
    """
    if read(home, name) != expected:
        raise Changed(name)
    try:
        path_of(home, name).unlink(missing_ok=True)
    except OSError as error:
        raise ViewError(f"cannot remove the view {name}: {error.strerror}", hint="the file is as it was") from error
