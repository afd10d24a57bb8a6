"""What is stored, as far as saving a note must know it, without opening the graph for every note.

Look-ups ask the search file, and an overlay of what is journaled but not applied yet. Saving holds a lock from the
look-up to the append, so that two processes never store one text twice. Applying to graph and search file is put off
while notes come in a burst: it happens at once for a single note, else a tenth of the time goes into it at most, and
whoever reads the graph applies the rest first.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Final

from agent_memory.errors import StoreError
from agent_memory.model.change import Change, Purge, PutNode, SetState
from agent_memory.model.graph import Happening, Project, Tombstone
from agent_memory.model.memory import MemoryNode, MemoryType
from agent_memory.model.transcript import Message
from agent_memory.search import note_lookup
from agent_memory.search.note_lookup import Held, Operation
from agent_memory.search.reader import open_reader
from agent_memory.store.gone import purged_texts
from agent_memory.store.lease import hold
from agent_memory.store.open import Store

FAR: Final = 2_000
"""More journaled batches than this are applied before a look-up instead of being read into the overlay."""
SHARE: Final = 10.0
"""Applying waits until this many times as long has passed as it took last time."""


MANY: Final = 100
APPLIED: Final = 60.0
"""Notes that an engine applies one by one in a second, and …"""
LOADED: Final = 8_000_000.0
"""… bytes of journal that it loads at once in a second."""


class Desk:
    """Look-ups and appends for notes of one home. Safe to share between threads."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._mutex = threading.RLock()
        self._reader: sqlite3.Connection | None = None
        self._which = (0, 0)  # file and thread of the reader
        self._seen_to = 0  # journal position up to which the overlay (or the search file) is known
        self._applied_to = 0
        self._held: dict[str, Held] = {}
        self._operations: dict[str, Operation] = {}
        self._projects: set[str] = set()
        self._messages: set[str] = set()
        self._seqs: dict[str, int] = {}
        self._gone: Callable[[str], bool] | None = None
        self._last_apply = (0.0, 0.0)  # when it ended, how long it took

    @contextmanager
    def open(self) -> Iterator[Desk]:
        """Nobody else saves notes inside this block; what is known is up to date.

        Raises:
            LeaseTimeout: another process kept the lock; nothing was stored.
        """
        path = self.store.home.root / "kg" / "notes.lock"
        with self._mutex, hold(path, exclusive=True, wait=self.store.wait, what="the notes",
                               hint="Nothing was stored. Try again in a moment."):
            try:
                self._refresh()
                yield self
            finally:
                if os.name == "nt":  # an open file could not be replaced by a rebuild
                    self._close_reader()

    def _refresh(self) -> None:
        end = self.store.position()
        self._reader = self._open_reader()
        held = 0 if self._reader is None else note_lookup.position(self._reader)
        if end - max(held, self._seen_to) > FAR or end < self._seen_to:
            self._close_reader()
            self.store.catch_up()
            self._forget()
            self._reader = self._open_reader()
            held = 0 if self._reader is None else note_lookup.position(self._reader)
        self._applied_to = max(self._applied_to, held)
        if held >= self._seen_to:
            gone, self._gone = self._gone, None
            known = self._seen_to
            self._forget()
            self._seen_to = held
            if gone is not None and known == held:
                self._gone = gone
        if end > self._seen_to:
            for batch in self.store.batches(self._seen_to):
                self._take(batch.changes)
                self._seen_to = max(self._seen_to, batch.position)

    def _open_reader(self) -> sqlite3.Connection | None:
        """The open connection while it is this thread's and the file is the same, else a new one."""
        path = self.store.home.search
        try:
            which = (os.stat(path).st_ino, threading.get_ident())
        except FileNotFoundError:
            which = (0, 0)
        if self._reader is not None and which == self._which:
            return self._reader
        self._close_reader()
        try:
            self._reader = open_reader(path)
        except StoreError:
            self.store.catch_up()  # a search file of another version is made anew by that
            self._reader = open_reader(path)
            which = (os.stat(path).st_ino, threading.get_ident())
        self._which = which
        return self._reader

    def _close_reader(self) -> None:
        if self._reader is not None:
            if self._which[1] in (0, threading.get_ident()):
                self._reader.close()
            self._reader = None  # one of another thread is closed when nothing holds it any more

    def _forget(self) -> None:
        self._held, self._operations, self._projects, self._seen_to, self._gone = {}, {}, set(), 0, None
        self._messages, self._seqs = set(), {}

    def _take(self, changes: Sequence[Change]) -> None:
        """See what is journaled as if it were applied."""
        for change in changes:
            match change:
                case PutNode(MemoryNode() as node) if node.type is not MemoryType.MEMENTO:
                    self._held.setdefault(node.key, held_of(node))
                case SetState(_, key, values):
                    known = self._held.get(key) or (self._reader and note_lookup.by_key(self._reader, key))
                    if known:
                        self._held[key] = replace(
                            known, status=int(values.get("status", known.status)),
                            current=values.get("current", known.current), pinned=values.get("pinned", known.pinned),
                            seen=values.get("seen", known.seen), sessions=values.get("sessions", known.sessions))
                case PutNode(Happening(what="operation") as node):
                    self._operations.setdefault(node.value, Operation(node.value, node.subject, node.detail))
                case PutNode(Project() as node):
                    self._projects.add(node.id)
                case PutNode(Message() as node):
                    self._messages.add(node.id)
                    self._seqs[node.session] = max(self._seqs.get(node.session, 0), node.seq + 1)
                case Purge() | PutNode(Tombstone()):
                    self._gone = None
                case _:
                    pass

    def by_hash(self, content_hash: str) -> list[Held]:
        """Current memories with this hash, in any status."""
        return self._merged(note_lookup.by_hash(self._reader, content_hash) if self._reader else [],
                            lambda h: h.content_hash == content_hash)

    def by_topic(self, topic_key: str) -> list[Held]:
        """Current memories with this topic key."""
        return self._merged(note_lookup.by_topic(self._reader, topic_key) if self._reader else [],
                            lambda h: h.topic_key == topic_key)

    def _merged(self, found: list[Held], fits: Callable[[Held], bool]) -> list[Held]:
        all_ = {h.key: h for h in found} | {h.key: h for h in self._held.values() if fits(h)}
        return sorted((self._held.get(k, h) for k, h in all_.items() if self._held.get(k, h).current),
                      key=lambda h: h.id)

    def operation(self, operation_id: str) -> Operation | None:
        """What an operation id was used for."""
        return self._operations.get(operation_id) or (
            note_lookup.operation(self._reader, operation_id) if self._reader else None)

    def session(self, given: str) -> str:
        """Our id of a session named by id or host id; "" for none."""
        return note_lookup.session(self._reader, given) if self._reader and given else ""

    def has_message(self, message: str) -> bool:
        """True if the message is stored."""
        return message in self._messages or (
            self._reader is not None and note_lookup.message_exists(self._reader, message))

    def next_seq(self, session: str) -> int:
        """The sequence number of the next message of a session."""
        stored = note_lookup.next_seq(self._reader, session) if self._reader else 0
        return max(stored, self._seqs.get(session, 0))

    def has_project(self, project: str) -> bool:
        """True if the project is stored."""
        return project in self._projects or (
            self._reader is not None and note_lookup.project_exists(self._reader, project))

    def alike(self, tokens: Sequence[str], tag: str) -> list[Held]:
        """Visible memories that share the rarest tokens, as far as they are applied."""
        found = note_lookup.alike(self._reader, tokens, tag) if self._reader else []
        return [self._held.get(h.key, h) for h in found]

    def purged(self, text: str) -> bool:
        """True if the text, or a sentence of it, was purged."""
        if self._gone is None:
            if self.store.position() == 0:
                return False
            with self.store.read() as graph:
                self._gone = purged_texts(graph, self.store.home)
        return self._gone(text)

    def append(self, changes: Sequence[Change], *, at: datetime, actor: str) -> int:
        """Journal durably; known to every look-up from now on."""
        position = self.store.append(changes, at=at, actor=actor)
        self._take(changes)
        self._seen_to = position
        return position

    def settle(self) -> None:
        """Apply what was appended, unless notes come so fast that it would cost more than a tenth of the time."""
        with self._mutex:
            ended, took = self._last_apply
            if time.monotonic() - ended < SHARE * took:
                return
            self.flush()

    def flush(self) -> None:
        """Apply what was appended, now."""
        with self._mutex:
            if self._seen_to > self._applied_to:
                began = time.monotonic()
                if self._seen_to - self._applied_to > MANY and self._loads_quickly():
                    self.store.reload()
                self._applied_to = self.store.catch_up()
                ended = time.monotonic()
                self._last_apply = (ended, ended - began)


    def _loads_quickly(self) -> bool:
        """True if making the graph anew from the whole journal is faster than applying what waits one by one."""
        size = sum(s.path.stat().st_size for s in self.store.journal.segments())
        return size / LOADED < (self._seen_to - self._applied_to) / APPLIED


def held_of(node: MemoryNode) -> Held:
    """A memory as the search file would show it."""
    return Held(node.key, node.id, node.revision, node.type.value, node.kind.value, node.raw or node.text,
                node.content_hash, node.topic_key, node.scope.value, node.project, node.session, int(node.status),
                node.current, node.observer, node.pinned, node.seen, node.sessions)


