"""Starts the worker: detached, in its own session, holding nothing of whoever starts it. Light.

Hooks call this, so `subprocess` is imported only where there is no `posix_spawn`.
"""

from __future__ import annotations

import os
import sys

from agent_memory.paths import Home
from agent_memory.service.slot import Slot


def running(home: Home) -> bool:
    """True if a worker holds the slot."""
    with Slot(home, probe=True) as free:
        return not free


def start(home: Home) -> bool:
    """Start a worker unless one runs; True if one was started. It ends by itself.

    A worker that ends looks into the inbox once more after it gave the slot back, so that an event which came
    meanwhile is never left waiting.

    Raises:
        OSError: the system refused to start a process.
    """
    if running(home):
        return False
    spawn(home, "worker")
    return True


def spawn(home: Home, what: str) -> None:
    """Start ``agent_memory WHAT`` as a process of its own that outlives us and holds nothing of ours.

    Raises:
        OSError: the system refused.
    """
    # -P: a folder named like one of our modules in the agent's working directory must not be imported
    command = [sys.executable, "-P", "-m", "agent_memory", what, "--home", os.path.abspath(home.root)]
    if sys.platform == "win32":
        import subprocess

        subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                         close_fds=True, creationflags=0x00000008 | 0x00000200 | 0x08000000)
        return
    null = os.devnull
    actions: list[tuple[int, int, str, int, int] | tuple[int, int]] = [
        (os.POSIX_SPAWN_OPEN, 0, null, os.O_RDONLY, 0), (os.POSIX_SPAWN_OPEN, 1, null, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, null, os.O_WRONLY, 0)]
    actions += [(os.POSIX_SPAWN_CLOSE, number) for number in _inherited()]
    os.posix_spawn(sys.executable, command, os.environ, file_actions=actions, setsid=True)


def _inherited() -> list[int]:
    """Open files beyond the standard three that a child would get: a host may wait until the last copy is closed."""
    for folder in ("/proc/self/fd", "/dev/fd"):
        try:
            numbers = [int(n) for n in os.listdir(folder) if n.isdigit()]
        except OSError:
            continue
        found = []
        for number in numbers:
            try:
                if number > 2 and os.get_inheritable(number):
                    found.append(number)
            except OSError:
                continue
        return found
    return []
