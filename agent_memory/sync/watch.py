"""Keeps bringing edits back while a person works: events of the file system, and a look around in case one was lost.

Runs in the foreground. Between passes it holds nothing: no lease, no lock, no open file of ours.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from watchfiles import watch as file_events

from agent_memory.errors import AgentMemoryError, LeaseTimeout, SyncStopped
from agent_memory.materialize import cursor
from agent_memory.paths import Home
from agent_memory.sync.run import SyncReport

Signature = tuple[tuple[str, int, int, int], ...]
LOOK_EVERY = 2.0
"""Seconds between two looks at the files when no event comes."""


class Journaled(Protocol):
    """What the watcher asks the store."""

    home: Home

    def position(self) -> int:
        """Position of the journal."""


def signature(home: Home) -> Signature:
    """What tells that a view may have changed: name, inode, size and time of every Markdown file we can list."""
    found = []
    for folder in (home.views, home.projects):
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.name.endswith(".md") and not entry.name.startswith("."):
                        info = entry.stat()
                        found.append((entry.path, info.st_ino, info.st_size, info.st_mtime_ns))
        except OSError:
            continue
    return tuple(sorted(found))


def watch(store: Journaled, run: Callable[[], SyncReport], report: Callable[[SyncReport | AgentMemoryError], None], *,
          stop: threading.Event | None = None, look_every: float = LOOK_EVERY) -> None:
    """Run passes until ``stop`` is set or the person presses Ctrl-C.

    Args:
        store: home and journal position, to notice what others wrote.
        run: one pass (`sync` with all its arguments bound).
        report: told of each pass that did something, and of each error once.
        stop: set by another thread to end.
        look_every: seconds between looks when no event comes.
    """
    stop = stop or threading.Event()
    watcher = _Watcher(store, run, report)
    try:
        for _ in _ticks(store.home, stop, look_every):
            watcher.look()
    except KeyboardInterrupt:
        return


def _ticks(home: Home, stop: threading.Event, look_every: float) -> Iterator[None]:
    """One tick at once, then one an event or look; survives that the folder is replaced or missing for a while."""
    while not stop.is_set():
        yield
        watched = Path(os.path.realpath(home.views))
        if not watched.is_dir():
            stop.wait(look_every)
            continue
        folder = watched.stat().st_ino
        try:
            for _ in file_events(watched, watch_filter=_is_view, debounce=400, step=50, stop_event=stop,
                                 rust_timeout=int(look_every * 1000), yield_on_timeout=True, raise_interrupt=True):
                yield
                now = Path(os.path.realpath(home.views))
                if now != watched or not now.is_dir() or now.stat().st_ino != folder:
                    break  # events come from the old folder only
        except FileNotFoundError:
            continue


def _is_view(_: object, path: str) -> bool:
    """Markdown of ours, and folders that come or go."""
    if f"{os.sep}.agreed" in path:
        return False
    name = os.path.basename(path)
    return "." not in name or (name.endswith(".md") and not name.startswith("."))


class _Watcher:
    """Decides at each tick whether a pass is due."""

    def __init__(self, store: Journaled, run: Callable[[], SyncReport],
                 report: Callable[[SyncReport | AgentMemoryError], None]) -> None:
        self.store, self.run, self.report = store, run, report
        self.seen: Signature | None = None
        self.position = -1
        self.suspect: Signature | None = None

    def look(self) -> None:
        """Run a pass if files or journal changed since the last one."""
        now = signature(self.store.home)
        if now == self.seen and self.store.position() == self.position:
            return
        try:
            done = self.run()
        except SyncStopped as error:
            # An editor that truncates and then writes looks the same for a moment: believe it at the second look.
            if self.suspect != now:
                self.suspect = now
                return
            self._settle(now)
            self.report(error)
            return
        except AgentMemoryError as error:
            self._settle(None if isinstance(error, LeaseTimeout) else now)
            self.report(error)
            return
        self.suspect = None
        if done.actions or (done.views and done.views.written):
            self.report(done)
        after = signature(self.store.home)
        # An edit that fell between the pass and this signature shows as unsynced, and the next tick takes it.
        waiting = set(cursor.unsynced(self.store.home)) - {name for name, _ in done.unreadable}
        self._settle(None if waiting else after)

    def _settle(self, files: Signature | None) -> None:
        self.seen, self.position = files, self.store.position()
