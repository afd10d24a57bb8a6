"""The store of one home: append durably, apply in order, read behind a lease."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import datetime
from typing import Final

from agent_memory.errors import LeaseTimeout, SchemaOlder
from agent_memory.model.change import Batch, Change
from agent_memory.paths import Home
from agent_memory.store import aside, engine_file, purge_intent, swap, trusted
from agent_memory.store.applier import Applier, OpenIndex, ahead, open_index
from agent_memory.store.base import GraphStore
from agent_memory.store.engines import registry
from agent_memory.store.engines.memory import MemoryGraph
from agent_memory.store.journal import Journal
from agent_memory.store.lease import hold, lease
from agent_memory.store.validate import refuse_bad

_DURABLE: Final = "The batch is stored durably and is applied by the next command. Do not send it again."


class Store:
    """The store of one home. Cheap to make; opens nothing until it is used. Safe to share between threads.

    Args:
        home: the data directory.
        engine: kuzu, ladybug or memory; None for what the home uses (kuzu for a new one).
        wait: seconds to wait for a lease.
        actor: who writes, where `append` and `commit` are not told.
        index: opens the search file; None for none.

    Raises:
        UsageError: unknown engine, or the home uses another one.
    """

    def __init__(self, home: Home, *, engine: str | None = None, wait: float = 10.0, actor: str = "",
                 index: OpenIndex | None = open_index) -> None:
        self.home = home
        self.wait = wait
        self.actor = actor
        self.journal = Journal(home.journal, wait=wait)
        self._index = index
        self._engine = engine
        self._open = threading.local()
        engine_file.choose(home, engine)

    @property
    def engine(self) -> str:
        """Name of the engine that the home uses or would use."""
        return engine_file.choose(self.home, self._engine)

    def position(self) -> int:
        """Position of the journal."""
        return self.journal.position()

    def batches(self, after: int = 0) -> Iterator[Batch]:
        """Journaled batches beyond a position."""
        return self.journal.batches(after)

    def append(self, changes: Sequence[Change], *, at: datetime, actor: str = "") -> int:
        """Journal a batch durably without touching the graph.

        Returns:
            Its position.

        Raises:
            BatchRefused: it breaks the model's rules; nothing was written.
            StoreError: the disk refused; nothing was written.
        """
        return self._append(changes, at, actor).position

    def _append(self, changes: Sequence[Change], at: datetime, actor: str) -> Batch:
        batch = Batch(at, actor or self.actor, tuple(changes))
        refuse_bad(batch)
        self._finish_restore()
        return self.journal.append(batch.changes, at=batch.at, actor=batch.actor)

    def commit(self, changes: Sequence[Change], *, at: datetime, actor: str = "") -> int:
        """Journal a batch, then apply it to graph and search file in this process.

        Returns:
            Its position.

        Raises:
            BatchRefused: nothing was written.
            LeaseTimeout: durable, but not applied yet.
            StoreError: the engine failed; durable, but maybe not applied yet.
        """
        batch = self._append(changes, at, actor)
        with self.exclusive(hint=_DURABLE) as applier:
            applier.catch_up(batch)
        return batch.position

    def catch_up(self, *, wait: float | None = None) -> int:
        """Apply what is journaled but not applied, to graph and search file.

        Returns:
            Position of the graph.
        """
        with self.exclusive(wait=wait) as applier:
            return applier.catch_up()

    def reload(self) -> int:
        """Make the graph anew from the journal; see `Applier.reload`."""
        with self.exclusive() as applier:
            return applier.reload()

    def checkpoint(self) -> None:
        """Fold the engine's log into its file."""
        with self.exclusive() as applier:
            applier.checkpoint()

    def aside(self) -> list[aside.Aside]:
        """Batches that the engine could not take."""
        return aside.entries(self.home)

    @contextmanager
    def exclusive(self, *, wait: float | None = None, hint: str = "") -> Iterator[Applier]:
        """Nobody else reads or writes the graph inside this block. Appending to the journal stays possible.

        Raises:
            LeaseTimeout: names who holds it.
        """
        with lease(self.home.lease, exclusive=True, wait=self.wait if wait is None else wait, hint=hint):
            if swap.pending(self.home):
                with hold(self.journal.lock, exclusive=True, wait=self.wait, what="the journal"):
                    swap.finish(self.home)
            yield Applier(self.home, self.engine, self.journal, self._index)

    @contextmanager
    def deciding(self) -> Iterator[None]:
        """Nobody else observes or reflects inside this block: what is read, decided and committed in it happens once.

        Reading and saving notes stay possible. Keep slow work (a model) outside, and look again inside whether what it
        saw still holds.

        Raises:
            LeaseTimeout: another process kept the lock; nothing was changed.
        """
        path = self.home.root / "kg" / "deciding.lock"
        with hold(path, exclusive=True, wait=self.wait, what="deciding what to remember",
                  hint="What was captured is safe; the next run observes it. Try again in a moment."):
            yield

    def _finish_restore(self) -> None:
        """A restore that was killed is carried through before anything else is read or written."""
        if swap.pending(self.home):
            with self.exclusive():
                pass

    @contextmanager
    def read(self, *, wait: float | None = None, behind: bool = False) -> Iterator[GraphStore]:
        """The graph, with everything that was journaled when the block began.

        ``wait`` is how long to wait for a lease, in seconds. With ``behind``, a graph that cannot be brought up to date
        in this time is given as it is; its position is then less than the store's.

        Within the block of the same thread the same graph is given again. Never wait in it for a model, the network or
        a person: others cannot write meanwhile.

        Raises:
            LeaseTimeout, StoreError.
        """
        inside: GraphStore | None = getattr(self._open, "graph", None)
        if inside is not None:
            yield inside
            return
        with ExitStack() as stack:
            self._open.graph = self._ready(stack, self.wait if wait is None else wait, behind)
            try:
                yield self._open.graph
            finally:
                self._open.graph = None

    def _ready(self, stack: ExitStack, wait: float, behind: bool) -> GraphStore:
        """A graph that is not behind, opened under a shared lease that ``stack`` will end."""
        self._finish_restore()
        if purge_intent.unfinished(self.home):
            from agent_memory.store.purge_run import resume_leased  # rare, and heavy to import

            with self.exclusive() as applier:
                resume_leased(self.home, self.journal, applier.engine)
        target = self.journal.position()
        if target == 0 and not self.home.graph.exists():
            return MemoryGraph()
        for last in (False, True):
            trial = ExitStack()
            with trial:
                graph = self._peek(trial, wait)
                if graph is not None and (graph.position() >= target or last):
                    self._not_ahead(graph.position(), target)
                    stack.push(trial.pop_all())
                    return graph
            try:
                self.catch_up(wait=wait)
            except LeaseTimeout:
                if not behind:
                    raise
        raise LeaseTimeout("the graph changes faster than it can be read", hint="Nothing was changed. Try again.")

    def _not_ahead(self, position: int, known: int) -> None:
        if position > known and position > (end := self.journal.position()):
            raise ahead(position, end)

    def _peek(self, stack: ExitStack, wait: float) -> GraphStore | None:
        """The graph as it is, under a shared lease; None if it must be made or migrated first."""
        stack.enter_context(lease(self.home.lease, exclusive=False, wait=wait))
        engine = self.engine
        if not registry.is_persistent(engine):
            graph = registry.open_graph(engine, self.home.graph)
            graph.load(aside.without(self.home, self.journal.batches()))
        elif not self.home.graph.exists():
            return None
        else:
            trusted.ensure(self.home, engine)
            try:
                graph = registry.open_graph(engine, self.home.graph, read_only=True)
            except SchemaOlder:
                return None
        stack.callback(graph.close)
        return graph
