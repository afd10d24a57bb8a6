"""A memory for long-lived servers: leases per request, writes through the journal, applied by another process."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import cached_property
from typing import Final

from agent_memory.app import Memory
from agent_memory.errors import LeaseTimeout, StoreError
from agent_memory.model.change import Change
from agent_memory.search.note_lookup import position as searched
from agent_memory.search.reader import open_reader
from agent_memory.service import applying
from agent_memory.store.base import GraphStore
from agent_memory.store.open import Store

WRITE_WAIT: Final = 6.0
"""Seconds that a write waits to be applied before it is answered; it is durable at once."""
READ_WAIT: Final = 0.2
"""Seconds that a read waits for what others journaled."""
NEW_WAIT: Final = 20.0
"""The same where there is no graph yet or it is of another version."""
_PAUSE: Final = 0.01


class ServedStore(Store):
    """A store that never opens the engine for writing."""

    def append(self, changes: Sequence[Change], *, at: datetime, actor: str = "") -> int:
        """Journal durably and have it applied; does not wait."""
        position = super().append(changes, at=at, actor=actor)
        self._start()
        return position

    def commit(self, changes: Sequence[Change], *, at: datetime, actor: str = "") -> int:
        """Journal durably, and wait a bounded time until it is applied. It is applied later in any case."""
        position = self.append(changes, at=at, actor=actor)
        self.wait_for(position, WRITE_WAIT)
        return position

    def catch_up(self, *, wait: float | None = None) -> int:
        """Have everything applied that is journaled.

        Raises:
            LeaseTimeout: not within ``wait`` seconds (default WRITE_WAIT).
        """
        target = self.position()
        self._start()
        if not self.wait_for(target, WRITE_WAIT if wait is None else wait):
            raise LeaseTimeout("what was stored last is not applied yet", hint="It is durable. Try again in a moment.")
        return target

    def reload(self) -> int:
        """The applier decides by itself how it catches up."""
        return self.catch_up()

    @contextmanager
    def read(self, *, wait: float | None = None, behind: bool = True) -> Iterator[GraphStore]:
        """The graph; if it cannot follow within READ_WAIT it is given as it is."""
        new = self.position() > 0 and not self.home.graph.exists()
        if new:
            self.catch_up(wait=NEW_WAIT)
        elif self.applied() < (target := self.position()):
            self._start()
            self.wait_for(target, READ_WAIT)
        with super().read(wait=wait, behind=behind) as graph:
            yield graph

    def _start(self) -> None:
        with suppress(OSError):  # a system without room for a process: the next command applies it
            applying.start(self.home)

    def applied(self) -> int:
        """Position that graph and search file have reached."""
        try:
            connection = open_reader(self.home.search)
        except (StoreError, sqlite3.Error):
            return 0
        if connection is None:
            return 0
        try:
            return searched(connection)
        finally:
            connection.close()

    def wait_for(self, position: int, seconds: float) -> bool:
        """True as soon as the position is applied, False if it is not within ``seconds``."""
        deadline = time.monotonic() + seconds
        nudge = time.monotonic() + 1.0
        while self.applied() < position:
            if time.monotonic() >= deadline:
                return False
            if time.monotonic() >= nudge:
                self._start()
                nudge = time.monotonic() + 1.0
            time.sleep(_PAUSE)
        return True


class ServedMemory(Memory):
    """The memory of one home behind a server."""

    writes_views = False

    @cached_property
    def store(self) -> Store:
        """The store behind it."""
        return ServedStore(self.home, engine=self.settings.engine or None, wait=self.settings.lease_wait, actor="mcp")

    def behind(self) -> int:
        """Batches that are journaled but not applied yet."""
        store = self.store
        return max(0, store.position() - store.applied()) if isinstance(store, ServedStore) else 0
