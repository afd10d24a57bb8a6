"""What is examined: a home, the machine around it, and what the checks share so that it is looked at once."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from agent_memory.doctor.peek import Peek, cannot_import, peek
from agent_memory.errors import AgentMemoryError
from agent_memory.flow.place import Place
from agent_memory.install import status as wiring
from agent_memory.install.machine import Machine
from agent_memory.paths import Home
from agent_memory.store.engines import registry
from agent_memory.store.open import Store


@dataclass(frozen=True)
class Subject:
    """A home and its machine. ``full`` reads everything that is stored instead of looking at its state."""

    place: Place
    machine: Machine
    now: datetime
    full: bool = False
    wait: float = 2.0
    """Seconds to wait for another process."""

    @property
    def home(self) -> Home:
        """The data directory."""
        return self.place.home

    @cached_property
    def usable(self) -> bool:
        """True if there is a home that can be looked into."""
        try:
            os.listdir(self.home.root)
        except OSError:
            return False
        return True

    @cached_property
    def wiring(self) -> wiring.Status:
        """What is wired where.

        Raises:
            InstallError: the receipts cannot be read.
        """
        return wiring.status(self.home, self.machine)

    @cached_property
    def store(self) -> Store:
        """The store with the engine that the home uses, whatever the settings say.

        Raises:
            StoreError: the engine is not known.
        """
        return Store(self.home, engine=None, wait=self.wait, actor="doctor")

    @cached_property
    def _peeked(self) -> Peek | AgentMemoryError | OSError:
        try:
            return peek(self.home, self.store.engine, now=self.now, wait=self.wait)
        except (AgentMemoryError, OSError) as problem:
            return problem

    @cached_property
    def engine(self) -> str:
        """The engine that the home uses; the default where that cannot be told."""
        try:
            return self.store.engine
        except (AgentMemoryError, OSError):
            return registry.DEFAULT

    @cached_property
    def engine_trouble(self) -> str:
        """Why the engine cannot be imported; "" if it can, or keeps no file."""
        opened = self.home.graph.exists() and self.peeked() is not None
        return "" if opened or not registry.is_persistent(self.engine) else cannot_import(self.engine)

    def peek(self) -> Peek:
        """What the graph says of itself, read in a process of its own, once.

        Raises:
            AgentMemoryError: it cannot be read.
        """
        if isinstance(self._peeked, Exception):
            raise self._peeked
        return self._peeked

    def peeked(self) -> Peek | None:
        """The same; None where it cannot be read, which the check of the graph tells."""
        return None if isinstance(self._peeked, Exception) else self._peeked

    def exclude(self) -> tuple[str, ...]:
        """Folders that are not captured; none where the settings cannot be read."""
        try:
            return self.place.settings.exclude
        except AgentMemoryError:
            return ()

    def inside(self, path: Path | str) -> str:
        """``path`` with the person's home folder as ``~``."""
        text = str(path)
        user = str(self.machine.user)
        return "~" + text[len(user):] if user != os.sep and text.startswith(user + os.sep) else text

    def ago(self, then: datetime) -> str:
        """How long ago something was, in words.

        >>> from datetime import UTC, timedelta
        >>> one = Subject(None, None, datetime(2026, 11, 30, tzinfo=UTC))  # type: ignore[arg-type]
        >>> one.ago(one.now - timedelta(minutes=5)), one.ago(one.now - timedelta(days=3))
        ('5 minutes ago', '3 days ago')
        """
        seconds = (self.now - then).total_seconds()
        for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
            if seconds >= size:
                number = int(seconds // size)
                return f"{number} {name}{'' if number == 1 else 's'} ago"
        return "just now"
