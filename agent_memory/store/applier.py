"""Brings the graph and the search file to where the journal is. Whoever uses this holds the exclusive lease."""

from __future__ import annotations

import contextlib
import functools
import itertools
import logging
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Protocol

from agent_memory import files
from agent_memory.errors import GraphDamaged, StoreError
from agent_memory.model.change import Batch
from agent_memory.paths import Home
from agent_memory.store import aside, asking, engine_file, trusted
from agent_memory.store.base import GraphStore
from agent_memory.store.engines import registry
from agent_memory.store.journal import Journal

CHECKPOINT_BYTES: Final = 1 << 19
"""A write-ahead log of the engine that has grown to this is folded into the file. Every opening replays the log, at
about 90 ms a megabyte; folding it takes 20 to 90 ms."""
BACKLOG_CHANGES: Final = 10_000
"""A backlog of more changes than this may be worth making the graph anew."""
SEARCH_PIECE: Final = 500
"""Batches that go to the search file in one transaction."""
PROBATION_SECONDS: Final = 600.0

_log = logging.getLogger(__name__)


class Index(Protocol):
    """What the applier needs of the search file."""

    def position(self) -> int:
        """Position of the last batch in the file; 0 if it must be rebuilt."""

    def apply(self, batches: Sequence[Batch]) -> None:
        """Take batches in, at once."""

    def rebuild(self, batches: Iterable[Batch]) -> None:
        """Make the file anew."""

    def close(self) -> None:
        """Release the file."""


OpenIndex = Callable[[Path], Index]
Remedy = Callable[[], object]


def open_index(path: Path) -> Index:
    """The search file at ``path``."""
    from agent_memory.search.index import SearchIndex

    return SearchIndex(path)


class Applier:
    """Applies what is journaled. Every method needs the exclusive lease, see `Store.exclusive`."""

    def __init__(self, home: Home, engine: str, journal: Journal, index: OpenIndex | None = open_index) -> None:
        self.home = home
        self.engine = engine
        self.journal = journal
        self._index = index

    def catch_up(self, own: Batch | None = None) -> int:
        """Apply what is journaled but not applied yet, to graph and search file.

        Args:
            own: the batch that was just appended, which spares reading it back.

        Returns:
            Position of the graph.

        Raises:
            StoreError: the engine failed; what is journaled is safe and the next call goes on.
            GraphDamaged: the graph does not open or is ahead of the journal.
        """
        outcome = self._attempt(own)
        while not isinstance(outcome, int):
            outcome()
            outcome = self._attempt(own)
        self._update_index(outcome, own)
        return outcome

    def _attempt(self, own: Batch | None) -> int | Remedy:
        graph = self.open()
        try:
            outcome = self._apply(graph, own)
            if isinstance(outcome, int) and wal_bytes(self.home.graph) >= CHECKPOINT_BYTES:
                graph.checkpoint()
        finally:
            graph.close()
        if registry.is_persistent(self.engine):
            trusted.record(self.home)
        return outcome

    def open(self) -> GraphStore:
        """The graph, to be written. Made from the journal if its file is missing."""
        files.make_folder(self.home.graph.parent)
        engine_file.record(self.home, self.engine)
        if not registry.is_persistent(self.engine):
            return registry.open_graph(self.engine, self.home.graph)
        if not self.home.graph.exists():
            if any(p.exists() for p in companions(self.home.graph)):
                _log.warning("the graph file was missing beside its log; made again from the journal")
            self.reload()
        else:
            trusted.ensure(self.home, self.engine)
        return registry.open_graph(self.engine, self.home.graph)

    def reload(self) -> int:
        """Make the graph anew from the journal and put it in the place of the old one, at once.

        Returns:
            Position of the new graph.
        """
        new = self.home.graph.with_name(self.home.graph.name + ".new")
        files.make_folder(new.parent)
        remove_database(new)
        graph = registry.open_graph(self.engine, new)
        try:
            graph.load(aside.without(self.home, self.journal.batches()))
            graph.checkpoint()
            position = graph.position()
        finally:
            graph.close()
        if registry.is_persistent(self.engine):
            swap(new, self.home.graph)
        aside.end(self.home)
        return position

    def checkpoint(self) -> None:
        """Fold the engine's log into its file."""
        graph = self.open()
        try:
            graph.checkpoint()
        finally:
            graph.close()
        if registry.is_persistent(self.engine):
            trusted.record(self.home)

    def _apply(self, graph: GraphStore, own: Batch | None) -> int | Remedy:
        """Position of the graph when all is applied, or what must be done with the graph closed before trying again."""
        position = graph.position()
        if own is not None and own.position == position + 1:
            pending: Iterator[Batch] = iter([own])
        else:
            end = self.journal.position()
            if position > end:
                raise ahead(position, end)
            pending = self.journal.batches(position) if end > position else iter(())
        first = next(pending, None)
        if first is None:
            aside.end(self.home)
            return position
        failed = aside.failures(self.home, first.position)
        if failed >= aside.PATIENCE:
            return functools.partial(self._probation, first, failed)
        waiting, pending = self._is_backlog(itertools.chain([first], pending))
        if waiting and registry.is_persistent(self.engine):
            return self.reload
        aside.begin(self.home, first.position, failed)
        for batch in aside.without(self.home, pending):
            graph.apply([batch])
        aside.end(self.home)
        return graph.position()

    def _is_backlog(self, pending: Iterator[Batch]) -> tuple[bool, Iterator[Batch]]:
        """(whether making the graph anew is faster than applying these, the same batches again).

        Loading takes some 25,000 changes a second, applying some 1,500; a change is about 400 bytes of journal.
        """
        held: list[Batch] = []
        changes = 0
        for batch in pending:
            held.append(batch)
            changes += len(batch.changes)
            if len(held) > 1 and changes > BACKLOG_CHANGES:
                size = sum(s.path.stat().st_size for s in self.journal.segments())
                return size < changes * 400 * 16, itertools.chain(held, pending)
        return False, iter(held)

    def _probation(self, batch: Batch, failed: int) -> None:
        """Apply a batch that failed before in a process of its own, whose end tells whether the batch is to blame."""
        command = [sys.executable, "-m", "agent_memory.store.probation", str(self.home.root), self.engine,
                   str(batch.position)]
        code, last = _run_bounded(command)
        if code == 0:
            aside.end(self.home)
            return
        crashed = (code < 0 or code > 255) and -code not in _ENDED_BY_OTHERS
        if code != BLAMED and not crashed:
            aside.begin(self.home, batch.position, failed - 1)
            raise StoreError(f"batch {batch.position} could not be applied: {last}",
                             hint="What was journaled is safe and is applied once this is solved.")
        aside.add(self.home, batch, last)
        _log.error("batch %d was set aside: %s", batch.position, last)
        aside.end(self.home)

    def _update_index(self, position: int, own: Batch | None) -> None:
        if self._index is None or position == 0:
            return
        index = self._index(self.home.search)
        try:
            self._bring(index, position, own)
        finally:
            index.close()

    def _bring(self, index: Index, position: int, own: Batch | None) -> None:
        at = index.position()
        if at == position:
            return
        try:
            if own is not None and own.position == position == at + 1:
                index.apply(list(aside.without(self.home, [own])))
                return
            if 0 < at < position:
                self._feed(index, at, position)
                return
        except StoreError as error:
            _log.warning("the search file is made anew: %s", error)
        index.rebuild(aside.without(self.home, self._upto(0, position)))

    def _upto(self, after: int, position: int) -> Iterator[Batch]:
        return itertools.takewhile(lambda b: b.position <= position, self.journal.batches(after))

    def _feed(self, index: Index, after: int, position: int) -> None:
        batches = aside.without(self.home, self._upto(after, position))
        while piece := list(itertools.islice(batches, SEARCH_PIECE)):
            index.apply(piece)


BLAMED: Final = 76
"""Exit code of a probation in which the engine refused the batch."""
_ENDED_BY_OTHERS: Final = frozenset((2, 9, 15))
"""Signals that somebody else sends: SIGINT, SIGKILL, SIGTERM."""


def _run_bounded(command: list[str]) -> tuple[int, str]:
    """(exit code, last line of the error output) of a child process; one that hangs counts as blamed."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PROBATION_SECONDS, check=False,
                              env=asking.environment(), stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return BLAMED, f"not done within {PROBATION_SECONDS:g} s"
    lines = done.stderr.strip().splitlines() or [f"ended with code {done.returncode}"]
    return done.returncode, lines[-1][:300]


def ahead(position: int, end: int) -> GraphDamaged:
    """The error of a graph that holds more than the journal."""
    return GraphDamaged(f"the graph is at position {position}, the journal ends at {end}",
                        hint="Nothing was changed. Part of the journal is gone: restore a backup, or run rebuild to go "
                             "on with what the journal holds.")


def companions(path: Path) -> list[Path]:
    """The engine's own files beside a database file."""
    return [path.with_name(path.name + ending) for ending in (".wal", ".shadow", ".wal.checkpoint", ".tmp", ".lock")]


def remove_database(path: Path) -> None:
    """Remove a database file with all that belongs to it: its log first, so that no log outlives its file."""
    for file in (*companions(path), path):
        with contextlib.suppress(FileNotFoundError):
            file.unlink()


def swap(new: Path, path: Path) -> None:
    """Put the checkpointed database ``new`` in the place of ``path``.

    The old log goes first: replayed onto the new file it would corrupt it. A crash in between leaves the old file at
    its last checkpoint, which catches up from the journal.
    """
    for file in (*companions(path), *companions(new)):
        with contextlib.suppress(FileNotFoundError):
            file.unlink()
    new.replace(path)
    files.sync_folder(path.parent)


def wal_bytes(path: Path) -> int:
    """Size of the engine's write-ahead log."""
    try:
        return path.with_name(path.name + ".wal").stat().st_size
    except FileNotFoundError:
        return 0
