"""The worker: holds the single slot, works the inbox off within its limits, and ends. Nothing stays resident."""

from __future__ import annotations

import faulthandler
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from agent_memory import clock
from agent_memory.capture import failures, inbox
from agent_memory.capture.hook import INSIDE
from agent_memory.errors import AgentMemoryError, in_brief
from agent_memory.paths import Home
from agent_memory.service import control
from agent_memory.service.slot import Slot

SECONDS: Final = 300.0
"""After this time a worker is ended, whatever it does; the setting worker_seconds changes it."""
MEMORY: Final = 7_500_000_000
"""Bytes of address space: the graph engine reserves some gigabytes that it does not use."""

Drain = Callable[[Home], object]
"""Works the inbox off and brings views up to date. Raises if something went wrong that a later run must repeat."""


@dataclass(frozen=True, slots=True)
class WorkerReport:
    """Whether this process got the slot, how many rounds it made, and what went wrong."""

    held: bool
    rounds: int = 0
    error: str = ""


def run(home: Home, drain: Drain, *, seconds: float = SECONDS, memory: int | None = MEMORY) -> WorkerReport:
    """Drain until nothing new waits.

    Args:
        home: the data directory.
        drain: what to do; an error is noted for doctor and ends this run, the events wait for the next.
        seconds: the process is killed after this time, also when it hangs outside of Python. None of what was stored
            is lost; the event at hand counts as tried.
        memory: most bytes of address space, where the system can limit it; None for no limit.
    """
    _limit(memory)
    rounds = 0
    started = time.monotonic()
    while True:
        with Slot(home) as held:
            if not held:
                return WorkerReport(bool(rounds), rounds)
            before = {i.stem for i in inbox.pending(home)}
            try:
                with _watchdog(home, seconds - (time.monotonic() - started)):
                    drain(home)
            except Exception as problem:  # noqa: BLE001 - whatever it was, it is shown by doctor and tried again
                error = in_brief(problem)
                failures.note(home, clock.text(clock.now()), "worker", error)
                return WorkerReport(True, rounds + 1, error)
            rounds += 1
        # The slot is free again: an event that came after the last look has started nobody.
        # One that has failed now waits for the next worker.
        if not {i.stem for i in inbox.pending(home)} - before or rounds >= 20:
            return WorkerReport(True, rounds)
        if time.monotonic() - started > seconds * 0.7:
            control.start(home)
            return WorkerReport(True, rounds)


class _watchdog:  # noqa: N801 - used like a function
    """Ends this process after some seconds, from outside of Python; where it hung stands in the log."""

    def __init__(self, home: Home, seconds: float) -> None:
        os.makedirs(home.log, mode=0o700, exist_ok=True)
        self._file = open(os.open(home.log / "worker-hung.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w",  # noqa: SIM115
                          encoding="utf-8")
        self._seconds = max(1.0, seconds)

    def __enter__(self) -> None:
        faulthandler.dump_traceback_later(self._seconds, exit=True, file=self._file)

    def __exit__(self, *_: object) -> None:
        faulthandler.cancel_dump_traceback_later()
        self._file.close()


def _limit(memory: int | None) -> None:
    if memory is None or sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limits = [n for n in (soft, hard, memory) if n != resource.RLIM_INFINITY]
    try:
        resource.setrlimit(resource.RLIMIT_AS, (min(limits), hard))
    except (ValueError, OSError):
        return


def main(arguments: Sequence[str]) -> int:
    """``worker [--home DIR]``: what `control.start` runs. Not for people."""
    home = Home.open(arguments[1] if len(arguments) > 1 and arguments[0] == "--home" else None)
    os.environ[INSIDE] = "1"  # an agent that is asked as a model fires hooks; those must not start us again
    os.environ["AGENT_MEMORY_HOME"] = str(home.root)
    try:
        os.chdir(home.root)  # do not keep the agent's folder busy
        if hasattr(os, "nice"):
            os.nice(5)
    except OSError:
        pass
    if not inbox.waiting(home):
        return 0
    return 1 if run(home, _drain, seconds=_seconds(home)).error else 0


def _seconds(home: Home) -> float:
    """The time limit that a person set; settings that cannot be read are told when draining fails by them."""
    from agent_memory.app import Memory

    try:
        return Memory(home.root).settings.worker_seconds
    except AgentMemoryError:
        return SECONDS


def _drain(home: Home) -> object:
    from agent_memory.app import Memory

    return Memory(home.root).drain()
