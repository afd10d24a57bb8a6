"""The single slot of the worker: an advisory lock that the system frees when its process ends. Light.

Its file names the process for people only; nothing is decided by the number in it, which may be of another process.
"""

from __future__ import annotations

import json
import os
import sys

from agent_memory.paths import Home

TYPE_CHECKING = False  # hooks import this module and must stay light
if TYPE_CHECKING:
    from types import TracebackType

NAME = ".worker.lock"


class Slot:
    """``with Slot(home) as held``: ``held`` is False if another worker runs."""

    def __init__(self, home: Home, *, probe: bool = False, name: str = NAME) -> None:
        """A probe shares the lock and never creates the file."""
        self.path = home.inbox / name
        self.probe = probe
        self._handle = -1

    def __enter__(self) -> bool:
        flags = os.O_RDWR if self.probe else os.O_RDWR | os.O_CREAT
        if not self.probe:
            os.makedirs(self.path.parent, mode=0o700, exist_ok=True)
        try:
            self._handle = os.open(self.path, flags, 0o600)
        except FileNotFoundError:
            return True
        if _lock(self._handle, shared=self.probe):
            if not self.probe:
                os.ftruncate(self._handle, 0)
                os.write(self._handle, json.dumps({"pid": os.getpid()}).encode())
            return True
        os.close(self._handle)
        self._handle = -1
        return False

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _lock(handle: int, *, shared: bool) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(handle, 1_000, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
