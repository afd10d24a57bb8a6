"""Backups are proved before they count, bounded in number and size, and restoring can be undone."""

from __future__ import annotations

import os
import stat
from datetime import timedelta

import pytest
import store_sample as sample

from agent_memory.errors import GraphDamaged, NotFoundError, StoreError
from agent_memory.model import lifecycle
from agent_memory.paths import Home
from agent_memory.store import archive, backup, swap
from agent_memory.store import restore as putting_back
from agent_memory.store.digest import summary
from agent_memory.store.open import Store
from agent_memory.store.restore import restore
from agent_memory.store.verify import verify

NOW = sample.AT + timedelta(days=10)


def state(store: Store) -> object:
    with store.read() as graph:
        found = summary(graph)
        return found.counts, found.digests


def change_more(store: Store) -> None:
    store.commit(lifecycle.learn(sample.memory(99, "Bread is sold by weight.")), at=NOW)


@pytest.mark.parametrize("engine", ["memory", "kuzu"])
def test_backup_brings_back_graph_views_and_settings(home: Home, engine: str) -> None:
    store = sample.fill(home, engine)
    home.projects.mkdir(parents=True)
    (home.projects / "bakery.md").write_text("# Bakery\n")
    home.config.write_text("x = 1\n")
    before = state(store)
    made = backup.create(store, now=NOW).backup
    assert made.manifest is not None
    assert made.manifest.verified
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    change_more(store)
    (home.projects / "bakery.md").write_text("other")
    report = restore(store, made.id, now=NOW + timedelta(hours=1))
    assert state(store) == before
    assert (home.projects / "bakery.md").read_text() == "# Bakery\n"
    assert home.config.read_text() == "x = 1\n"
    assert verify(store).findings == ()
    restore(store, report.safety, now=NOW + timedelta(hours=2))
    with store.read() as graph:
        assert "Bread is sold by weight." in sample.texts(graph)


def test_restore_into_an_empty_home(home: Home, tmp_path: object) -> None:
    store = sample.fill(home)
    before = state(store)
    made = backup.create(store, now=NOW).backup
    other = Home(home.root.with_name("other"))
    other.backups.mkdir(parents=True, mode=0o700)
    other.root.chmod(0o700)
    (other.backups / made.path.name).write_bytes(made.path.read_bytes())
    report = restore(Store(other), "latest", now=NOW)
    assert report.safety == ""
    assert state(Store(other)) == before


def test_count_and_size_are_bounded_and_the_newest_stays(home: Home) -> None:
    store = sample.fill(home)
    ids = [backup.create(store, now=NOW + timedelta(minutes=n), keep=3).backup.id for n in range(5)]
    assert [b.id for b in backup.entries(home)] == ids[:1:-1]
    last = backup.create(store, now=NOW + timedelta(hours=1), cap_bytes=1)
    assert [b.id for b in backup.entries(home)] == [last.backup.id]
    assert set(last.removed) == set(ids[2:])


def test_graph_that_differs_from_the_journal_is_not_backed_up(home: Home) -> None:
    store = sample.fill(home, "kuzu")
    store.checkpoint()
    home.graph.write_bytes(home.graph.read_bytes().replace(b"whole cents", b"whole pence"))
    with pytest.raises(GraphDamaged, match="differs from the journal"):
        backup.create(store, now=NOW)
    assert backup.entries(home) == []
    assert not list(home.backups.glob(".new-*"))


def test_restore_of_a_damaged_home_keeps_what_was_there(home: Home) -> None:
    store = sample.fill(home)
    made = backup.create(store, now=NOW).backup
    path = store.journal.segments()[0].path
    broken = path.read_bytes().replace(b"bakery blue", b"bakery gray", 1)
    path.write_bytes(broken)
    report = restore(store, made.id, now=NOW + timedelta(hours=1))
    assert verify(store).findings == ()
    folder = home.root.with_name("unpacked")
    archive.unpack(backup.find(home, report.safety).path, folder)
    assert (folder / "journal" / path.name).read_bytes() == broken


def test_damaged_backup_is_listed_and_refused(home: Home) -> None:
    store = sample.fill(home)
    made = backup.create(store, now=NOW).backup
    before = state(store)
    data = bytearray(made.path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    made.path.write_bytes(data)
    with pytest.raises(StoreError, match="damaged"):
        restore(store, made.id, now=NOW)
    os.truncate(made.path, 10)
    assert backup.entries(home)[0].problem
    assert "backup-damaged" in {f.code for f in verify(store).findings}
    assert state(store) == before
    assert not swap.leftovers(home)


def test_unknown_backup_lists_the_newest(home: Home) -> None:
    store = sample.fill(home)
    made = backup.create(store, now=NOW).backup
    with pytest.raises(NotFoundError) as caught:
        restore(store, "zzzz", now=NOW)
    assert made.id in caught.value.hint


@pytest.mark.parametrize("after", range(0, 9, 2))
def test_killed_restore_is_carried_through(home: Home, after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    store = sample.fill(home)
    before = state(store)
    made = backup.create(store, now=NOW).backup
    change_more(store)
    with monkeypatch.context() as patch:
        real = swap._move
        done = iter(range(1000))

        def move(*arguments: object) -> None:
            if next(done) >= after:
                raise Killed
            real(*arguments)  # type: ignore[arg-type]

        patch.setattr(swap, "_move", move)
        with pytest.raises(Killed):
            restore(store, made.id, now=NOW + timedelta(hours=1))
    assert "exchange-unfinished" in {f.code for f in verify(Store(home)).findings}
    assert state(Store(home)) == before
    Store(home).catch_up()
    assert [f for f in verify(Store(home)).findings if not f.harmless] == []
    assert putting_back.restore(Store(home), made.id, now=NOW + timedelta(hours=3)).nodes > 0
    assert verify(Store(home)).findings == ()
