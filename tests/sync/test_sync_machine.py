"""Random edits of files and graph at once, with passes killed at random points, against a model of what must hold."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from view_world import DOCS, NOW, SHOP, base, commit, learn, memory, new_store

from agent_memory.materialize import cursor, writer
from agent_memory.materialize.escape import canonical, encode
from agent_memory.materialize.parse import Unit, parse
from agent_memory.materialize.writer import materialize
from agent_memory.model import lifecycle
from agent_memory.model.memory import VISIBLE, Kind, MemoryNode, Priority
from agent_memory.paths import Home
from agent_memory.store.open import Store
from agent_memory.sync.run import sync

VIEWS = ("observations.md", "profile.md", "active.md", "projects/shop.md", "projects/docs-handbook.md")
ODD = ["", "# ", "- ", "<b> ", "日本語 ", "שלום ", "🔴 ", "`a` ", "\\", "[x] ", "*(no)* ", "1. ", "👩‍👩‍👧 ", "a\n\nb ", "```\n"]


class Killed(BaseException):
    pass


@contextmanager
def killed_at(step: int) -> Iterator[None]:
    """Kill the pass at its step-th dangerous moment."""
    left = [step]

    def moment() -> None:
        left[0] -= 1
        if left[0] == 0:
            raise Killed

    def around(real: Callable[..., Any], before: bool) -> Callable[..., Any]:
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            if before:
                moment()
            result = real(*args, **kwargs)
            moment()
            return result
        return wrapped

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "commit", around(Store.commit, True))
        patch.setattr(writer, "replace", around(writer.replace, False))
        for name in ("announce", "settle", "save"):
            patch.setattr(cursor, name, around(getattr(cursor, name), True))
        yield


@dataclass
class Pending:
    """What happened to one memory since the last pass that ended."""

    words: dict[str, str] = field(default_factory=dict)  # view → the person's text
    deleted: set[str] = field(default_factory=set)  # views
    graph: str = ""  # text that another writer gave
    retired: bool = False
    moved: bool = False  # to another section, which stands against a deletion elsewhere
    unsure: bool = False  # a killed pass or a partial render lies between


class Edits(RuleBasedStateMachine):
    engine = "memory"

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp())
        self.home = Home(self.root / "home")
        self.store = new_store(self.home, self.engine)
        self.count = 0
        self.pending: dict[str, Pending] = {}
        self.added: set[str] = set()
        self.prose: dict[str, list[str]] = {}
        self.killed = False
        self.gone: set[str] = set()

    def teardown(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)

    @initialize()
    def start(self) -> None:
        commit(self.store, base())
        for n in range(4):
            self.learn(Kind.DECISION if n % 2 else Kind.LESSON, SHOP if n < 3 else DOCS, "")
        sync(self.store, now=self.now())

    def now(self) -> Any:
        return NOW + timedelta(minutes=self.count)

    def words(self, odd: str) -> str:
        self.count += 1
        return canonical(f"{odd}words {self.count}")

    def of(self, key: str) -> Pending:
        return self.pending.setdefault(key, Pending())

    def memories(self) -> dict[str, MemoryNode]:
        with self.store.read() as graph:
            return {m.id: m for m in graph.memories()}

    # -- the graph

    @rule(kind=st.sampled_from(list(Kind)), project=st.sampled_from([SHOP, DOCS, ""]), odd=st.sampled_from(ODD))
    def learn(self, kind: Kind, project: str, odd: str) -> None:
        new = memory(self.words(odd), kind, project=project, at=self.now())
        learn(self.store, new)

    @rule(data=st.data(), odd=st.sampled_from(ODD))
    def revise(self, data: st.DataObject, odd: str) -> None:
        alive = [m for m in self.memories().values() if m.status in VISIBLE]
        if not alive:
            return
        old = data.draw(st.sampled_from(alive))
        text = self.words(odd)
        commit(self.store, lifecycle.revise(old, "api", self.now(), text=text)[1])
        self.of(old.id).graph = text
        self.added.discard(old.text)

    @rule(data=st.data())
    def retire(self, data: st.DataObject) -> None:
        alive = [m for m in self.memories().values() if m.status in VISIBLE]
        if len(alive) < 3:
            return
        old = data.draw(st.sampled_from(alive))
        self.count += 1
        commit(self.store, lifecycle.retire(old, "decay", "reflector/1", self.now()))
        self.of(old.id).retired = True
        self.added.discard(old.text)

    @rule(data=st.data(), priority=st.sampled_from(list(Priority)))
    def weigh(self, data: st.DataObject, priority: Priority) -> None:
        alive = [m for m in self.memories().values() if m.status in VISIBLE]
        if alive:
            commit(self.store, [lifecycle.state(data.draw(st.sampled_from(alive)), {"priority": priority})])

    # -- the files

    def file(self, name: str) -> list[str] | None:
        path = self.home.views / name
        return list(parse(path.read_bytes().decode()).lines) if path.exists() else None

    def save(self, name: str, lines: list[str]) -> None:
        (self.home.views / name).write_bytes(("\n".join(lines) + "\n").encode())

    def bullets(self, lines: list[str]) -> list[Unit]:
        known = self.memories()
        return [u for u in parse("\n".join(lines)).bullets() if u.bullet and u.bullet.id in known]

    def pick(self, data: st.DataObject, name: str) -> tuple[list[str], Unit] | None:
        lines = self.file(name)
        found = self.bullets(lines) if lines else []
        return (lines or [], data.draw(st.sampled_from(found))) if found else None

    @rule(data=st.data(), name=st.sampled_from(VIEWS), odd=st.sampled_from(ODD))
    def reword(self, data: st.DataObject, name: str, odd: str) -> None:
        if picked := self.pick(data, name):
            lines, unit = picked
            assert unit.bullet
            text = self.words(odd)
            mark = unit.bullet.mark
            encoded = encode(text, marked=bool(mark))
            encoded[-1] += f" <!-- m:{unit.bullet.id} -->"
            lines[unit.start:unit.end] = [f"* {mark + ' ' if mark else ''}{encoded[0]}", *(f"  {e}" for e in encoded[1:])]
            self.save(name, lines)
            self.of(unit.bullet.id).words[name] = text

    @rule(data=st.data(), name=st.sampled_from(VIEWS))
    def delete(self, data: st.DataObject, name: str) -> None:
        if picked := self.pick(data, name):
            lines, unit = picked
            assert unit.bullet
            if len(self.bullets(lines)) < 2:
                return
            del lines[unit.start:unit.end]
            self.save(name, lines)
            self.of(unit.bullet.id).deleted.add(name)
            self.of(unit.bullet.id).words.pop(name, None)

    @rule(data=st.data(), name=st.sampled_from(VIEWS))
    def move(self, data: st.DataObject, name: str) -> None:
        if picked := self.pick(data, name):
            lines, unit = picked
            own = lines[unit.start:unit.end]
            del lines[unit.start:unit.end]
            at = data.draw(st.sampled_from(self.places(lines)))
            self.save(name, [*lines[:at], *own, *lines[at:]])
            moved = next((u for u in self.bullets(self.file(name) or []) if u.key == unit.key), unit)
            if not moved.loose and (moved.section, moved.project) != (unit.section, unit.project):
                assert unit.bullet
                self.of(unit.bullet.id).moved = True

    @rule(data=st.data(), name=st.sampled_from(VIEWS), style=st.sampled_from(["- ", "* ", "+ ", "1. ", "- [ ] ", "- 🔴 "]))
    def add(self, data: st.DataObject, name: str, style: str) -> None:
        if lines := self.file(name):
            text = self.words("")
            at = data.draw(st.sampled_from(self.places(lines)))
            self.save(name, [*lines[:at], style + text, *lines[at:]])
            self.added.add(text)

    @rule(data=st.data(), name=st.sampled_from(VIEWS), heading=st.booleans())
    def write_prose(self, data: st.DataObject, name: str, heading: bool) -> None:
        if lines := self.file(name):
            self.count += 1
            mine = f"## Own heading {self.count}" if heading else f"Own prose {self.count}"
            at = data.draw(st.sampled_from(self.places(lines)))
            self.save(name, [*lines[:at], "", mine, "", *lines[at:]])
            self.prose.setdefault(name, []).append(mine)

    def places(self, lines: list[str]) -> list[int]:
        """Line numbers between blocks of ours, behind the title."""
        units = parse("\n".join(lines)).units
        title = next((u.end for u in units if u.kind == "title"), 0)
        return [title, *(u.end for u in units if u.end > title and u.kind in ("heading", "bullet"))]

    # -- passes

    @rule()
    def render_only(self) -> None:
        materialize(self.store, now=self.now())
        for pending in self.pending.values():
            pending.unsure = True

    @rule(step=st.integers(1, 25))
    def killed_pass(self, step: int) -> None:
        try:
            with killed_at(step):
                sync(self.store, now=self.now(), yes=True)
        except Killed:
            self.killed = True
            for pending in self.pending.values():
                pending.unsure = True
            self.store = new_store(self.home, self.engine)
        else:
            self.check()

    @rule()
    def whole_pass(self) -> None:
        sync(self.store, now=self.now(), yes=True)
        self.check()

    def check(self) -> None:
        known = self.memories()
        shown = {canonical(m.text) for m in known.values() if m.status in VISIBLE}
        for key, pending in self.pending.items():
            for text in pending.words.values():
                assert text in shown, (key, pending)
            if pending.unsure:
                continue
            if pending.graph and not pending.retired:
                assert pending.graph in shown, (key, pending)
            if not pending.words and (pending.retired or (pending.deleted and not pending.graph and not pending.moved)):
                assert known[key].status not in VISIBLE, (key, pending)
        touched = set(self.pending)
        for text in self.added:
            assert text in shown, text
        for key, found in known.items():
            if key not in touched:
                assert found.status in VISIBLE or found.id in self.gone, found
        self.gone |= {key for key, found in known.items() if found.status not in VISIBLE}
        self.pending, self.added, self.killed = {}, set(), False
        again = sync(self.store, now=self.now())
        assert again.actions == ()
        assert again.views
        assert again.views.written == ()
        assert cursor.unsynced(self.home) == []

    @invariant()
    @precondition(lambda self: bool(self.prose))
    def own_lines_stay(self) -> None:
        for name, mine in self.prose.items():
            lines = self.file(name) or []
            for line in mine:
                assert lines.count(line) == 1, (name, line)


def test_random_edits_with_killed_passes_lose_nothing() -> None:
    run_state_machine_as_test(Edits, settings=settings(
        max_examples=25, stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)))


def test_random_edits_on_kuzu() -> None:
    class OnKuzu(Edits):
        engine = "kuzu"

    run_state_machine_as_test(OnKuzu, settings=settings(
        max_examples=2, stateful_step_count=10, deadline=None, suppress_health_check=list(HealthCheck)))


@pytest.mark.soak
def test_random_edits_for_long() -> None:
    run_state_machine_as_test(Edits, settings=settings(
        max_examples=1500, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)))
