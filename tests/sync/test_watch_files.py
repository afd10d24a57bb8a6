from __future__ import annotations

import functools
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from view_world import NOW, filled_store, learn, memory

from agent_memory.errors import AgentMemoryError, SyncStopped
from agent_memory.materialize.writer import materialize
from agent_memory.paths import Home
from agent_memory.store.open import Store
from agent_memory.sync import watch as watcher
from agent_memory.sync.run import SyncReport, sync

OLD, NEW = "Carts expire after 30 minutes", "Carts expire after 45 minutes"


@contextmanager
def watching(store: Store, look_every: float = 0.3) -> Iterator[list[SyncReport | AgentMemoryError]]:
    reports: list[SyncReport | AgentMemoryError] = []
    stop = threading.Event()
    run = functools.partial(sync, store, now=NOW + timedelta(minutes=1))
    thread = threading.Thread(target=watcher.watch, args=(store, run, reports.append),
                              kwargs={"stop": stop, "look_every": look_every})
    thread.start()
    try:
        time.sleep(0.3)
        yield reports
    finally:
        stop.set()
        thread.join(20)
        assert not thread.is_alive()


def until(fact: Callable[[], bool], limit: float = 15.0) -> bool:
    end = time.monotonic() + limit
    while time.monotonic() < end:
        if fact():
            return True
        time.sleep(0.05)
    return False


def said(store: Store, words: str) -> bool:
    with store.read() as graph:
        return any(m.text == words for m in graph.memories())


@pytest.fixture
def store(home: Home) -> Store:
    made = filled_store(home)
    materialize(made, now=NOW)
    return made


def rename_over(path: Path, data: bytes) -> None:
    other = path.with_name("4913.tmp")
    other.write_bytes(data)
    os.replace(other, path)


def backup_and_rewrite(path: Path, data: bytes) -> None:
    os.rename(path, path.with_name(path.name + "~"))
    time.sleep(0.02)
    path.write_bytes(data)
    path.with_name(path.name + "~").unlink()


def truncate_and_write(path: Path, data: bytes) -> None:
    with path.open("wb") as handle:
        handle.flush()
        time.sleep(0.1)
        half = len(data) // 2
        handle.write(data[:half])
        handle.flush()
        time.sleep(0.02)
        handle.write(data[half:])


def twice_within_10_ms(path: Path, data: bytes) -> None:
    path.write_bytes(data.replace(NEW.encode(), b"Carts expire some day"))
    time.sleep(0.005)
    path.write_bytes(data)


@pytest.mark.parametrize("save", [rename_over, backup_and_rewrite, truncate_and_write, twice_within_10_ms])
def test_every_way_of_saving_brings_the_edit_back(store: Store, save: Callable[[Path, bytes], None]) -> None:
    path = store.home.projects / "shop.md"
    with watching(store) as reports:
        save(path, path.read_bytes().replace(OLD.encode(), NEW.encode()))
        assert until(lambda: said(store, NEW) and NEW in (store.home.views / "observations.md").read_text(encoding="utf-8"))
        assert not [r for r in reports if isinstance(r, AgentMemoryError)]
    with store.read() as graph:
        assert not [m for m in graph.memories() if m.status.word == "retired"]


def test_an_edit_is_found_when_no_event_comes(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*_: object, stop_event: threading.Event, rust_timeout: int, **__: object) -> Iterator[set[object]]:
        while not stop_event.wait(rust_timeout / 1000):
            yield set()

    monkeypatch.setattr(watcher, "file_events", silent)
    path = store.home.projects / "shop.md"
    with watching(store):
        path.write_bytes(path.read_bytes().replace(OLD.encode(), NEW.encode()))
        assert until(lambda: said(store, NEW))


def test_what_others_write_into_the_graph_shows_in_the_views(store: Store) -> None:
    with watching(store):
        learn(store, memory("Deploys are blue/green"))
        assert until(lambda: "Deploys are blue/green" in (store.home.projects / "shop.md").read_text(encoding="utf-8"))


def test_a_replaced_folder_is_watched_on(store: Store, tmp_path: Path) -> None:
    with watching(store):
        copy = tmp_path / "copy"
        shutil.copytree(store.home.views, copy)
        shutil.rmtree(store.home.views)
        copy.rename(store.home.views)
        time.sleep(0.8)
        path = store.home.projects / "shop.md"
        path.write_bytes(path.read_bytes().replace(OLD.encode(), NEW.encode()))
        assert until(lambda: said(store, NEW))


def test_a_symlinked_home_is_watched(tmp_path: Path) -> None:
    real = tmp_path / "disk" / "home"
    real.mkdir(parents=True)
    (tmp_path / "link").symlink_to(real)
    store = filled_store(Home(tmp_path / "link"))
    materialize(store, now=NOW)
    with watching(store):
        path = real / "memory" / "projects" / "shop.md"
        path.write_bytes(path.read_bytes().replace(OLD.encode(), NEW.encode()))
        assert until(lambda: said(store, NEW))


def test_an_emptied_view_is_reported_once_and_nothing_is_retired(store: Store) -> None:
    with watching(store) as reports:
        (store.home.views / "profile.md").write_bytes(b"")
        assert until(lambda: bool(reports))
        time.sleep(1.0)
        assert [type(r) for r in reports] == [SyncStopped]
    with store.read() as graph:
        assert not [m for m in graph.memories() if m.status.word == "retired"]


def test_idle_watching_touches_nothing(store: Store) -> None:
    before = {p: p.stat().st_mtime_ns for p in store.home.views.rglob("*.md")}
    with watching(store) as reports:
        time.sleep(1.0)
        assert reports == []
    assert {p: p.stat().st_mtime_ns for p in store.home.views.rglob("*.md")} == before


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_ends_cleanly(store: Store) -> None:
    code = (
        "import functools, sys\n"
        "from agent_memory import clock\n"
        "from agent_memory.paths import Home\n"
        "from agent_memory.store.open import Store\n"
        "from agent_memory.sync.run import sync\n"
        "from agent_memory.sync.watch import watch\n"
        "store = Store(Home.open(sys.argv[1]), index=None)\n"
        "print('ready', flush=True)\n"
        "watch(store, functools.partial(sync, store, now=clock.now()), print)\n"
        "print('ended', flush=True)\n")
    process = subprocess.Popen([sys.executable, "-c", code, str(store.home.root)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, "")
    assert out.endswith("ended\n")
