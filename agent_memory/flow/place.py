"""A home with its settings, store and clock: what every flow works on."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory import clock, settings
from agent_memory.errors import AgentMemoryError
from agent_memory.paths import Home

if TYPE_CHECKING:
    from agent_memory.model.graph import Project
    from agent_memory.notes.desk import Desk
    from agent_memory.recall.limits import Sizes
    from agent_memory.recall.meaning import Meaning
    from agent_memory.store.open import Store
    from agent_memory.text.redact import Redactor


@dataclass(frozen=True, slots=True)
class LastProject:
    """The project that notes were last stored for: how it was named, what it is, and when it was looked up."""

    asked: tuple[str | None, str]
    project: Project | None
    at: float  # monotonic seconds


class Place:
    """One home. Cheap to make; opens nothing until it is needed. Safe to share between threads.

    Args:
        home: the data directory; None for ``AGENT_MEMORY_HOME`` or the platform's place.
        now: gives the present; the system's clock unless told otherwise.
        overrides: settings by name (docs/reference/settings.md).
    """

    writes_views = True
    """False where another process brings the views up to date after a change."""

    def __init__(self, home: Path | str | None = None, *, now: Callable[[], datetime] = clock.now,
                 **overrides: object) -> None:
        self.home = Home.open(home)
        self.now = now
        self.last_project: LastProject | None = None
        self._overrides = overrides

    @cached_property
    def settings(self) -> settings.Settings:
        """The settings that hold here."""
        return settings.load(self.home, **self._overrides)

    @cached_property
    def store(self) -> Store:
        """The store behind it."""
        from agent_memory.store.open import Store

        return Store(self.home, engine=self.settings.engine or None, wait=self.settings.lease_wait, actor="api")

    @cached_property
    def desk(self) -> Desk:
        """Where notes are looked up and saved. What it put off is applied at the latest when the process ends."""
        import atexit
        import weakref

        from agent_memory.notes.desk import Desk

        desk = Desk(self.store)
        known = weakref.ref(desk)

        def finish() -> None:
            left = known()
            if left is not None:
                with contextlib.suppress(AgentMemoryError):  # durable all the same; the next command applies it
                    left.flush()

        atexit.register(finish)
        return desk

    @cached_property
    def meaning(self) -> Meaning | None:
        """The semantic arm with its model loaded, kept for the life of this place; None without one in the settings."""
        if not self.settings.semantic:
            return None
        from agent_memory.recall.encoder import open_encoder
        from agent_memory.recall.meaning import Meaning

        return Meaning(self.home.search, open_encoder(self.settings.semantic), weight=self.settings.search_weight)

    @property
    def sizes(self) -> Sizes:
        """How large the settings let a start payload be."""
        from agent_memory.recall.limits import Sizes

        chosen = self.settings
        return Sizes(chosen.context_budget, chosen.context_limit, chosen.context_threshold)

    def redactor(self) -> Redactor:
        """A redactor with the built-in rules and this home's own patterns."""
        from agent_memory.text.redact import Redactor

        return Redactor(self.settings.redact_patterns)
