"""The applier: a short-lived process that brings graph and search file to where the journal is, then the views.

Long-lived servers never write to the engine themselves: they append to the journal, start this and wait for it, so
that an engine that crashes costs a retry and not a server. A single slot keeps it alone; it stays for a moment
after its last batch, so that a burst is applied by one warm process.
"""

from __future__ import annotations

import faulthandler
import os
import sys
import time
from collections.abc import Sequence
from typing import Final

from agent_memory import clock
from agent_memory.capture import failures
from agent_memory.capture.hook import INSIDE
from agent_memory.paths import Home
from agent_memory.service import control
from agent_memory.service.slot import Slot

NAME: Final = ".applier.lock"
IDLE: Final = 0.6
"""Seconds without a new batch after which the views are written and the process ends."""
SECONDS: Final = 120.0
_PAUSE: Final = 0.02


def start(home: Home) -> bool:
    """Start an applier unless one runs; True if one was started.

    Raises:
        OSError: the system refused to start a process.
    """
    with Slot(home, probe=True, name=NAME) as free:
        if not free:
            return False
    control.spawn(home, "apply")
    return True


def run(home: Home, *, seconds: float = SECONDS, idle: float = IDLE) -> int:
    """Apply what is journaled until nothing new comes; gives the number of rounds."""
    from agent_memory.app import Memory
    from agent_memory.flow import views

    memory = Memory(home.root)
    store = memory.store
    began, rounds, done = time.monotonic(), 0, -1
    while time.monotonic() - began < seconds:
        with Slot(home, name=NAME) as held:
            if not held:
                return rounds
            fresh = False
            quiet = time.monotonic()
            while time.monotonic() - quiet < idle and time.monotonic() - began < seconds:
                position = store.position()
                if position > done:
                    done = max(position, store.catch_up())
                    rounds, fresh, quiet = rounds + 1, True, time.monotonic()
                time.sleep(_PAUSE)
            if fresh:
                views.materialize(memory)
                done = max(done, store.position())
        if store.position() <= done:  # whoever appended after our last look has seen the slot held and started nobody
            return rounds
    return rounds


def main(arguments: Sequence[str]) -> int:
    """``apply [--home DIR]``: what `start` runs. Not for people."""
    home = Home.open(arguments[1] if len(arguments) > 1 and arguments[0] == "--home" else None)
    os.environ[INSIDE] = "1"
    os.environ["AGENT_MEMORY_HOME"] = str(home.root)
    faulthandler.dump_traceback_later(SECONDS * 1.5, exit=True, file=sys.stderr)
    try:
        run(home)
    except Exception as problem:  # noqa: BLE001 - whatever it was, it is shown by doctor and tried again
        failures.note(home, clock.text(clock.now()), "applier", f"{type(problem).__name__}: {problem}")
        return 1
    return 0
