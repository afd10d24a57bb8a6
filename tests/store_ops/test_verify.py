"""`verify` is clean for a sound home and finds every planted damage."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable

import pytest
import store_sample as sample

from agent_memory.paths import Home
from agent_memory.store import archive, backup
from agent_memory.store.open import Store
from agent_memory.store.rebuild import rebuild
from agent_memory.store.verify import VerifyReport, verify


def codes(report: VerifyReport) -> set[str]:
    return {f.code for f in report.findings}


@pytest.mark.parametrize("engine", ["kuzu", "memory"])
def test_a_sound_home_has_no_findings(home: Home, engine: str) -> None:
    report = verify(sample.fill(home, engine))
    assert report.findings == ()
    assert report.position == 2


def test_an_empty_home_has_no_findings(home: Home) -> None:
    assert verify(Store(home)).findings == ()


def flip_graph_text(home: Home) -> None:
    data = home.graph.read_bytes()
    assert b"whole cents" in data
    home.graph.write_bytes(data.replace(b"whole cents", b"whole pence"))


def remove_graph(home: Home) -> None:
    home.graph.unlink()


def remove_graph_keep_log(home: Home) -> None:
    home.graph.unlink()
    home.graph.with_name(home.graph.name + ".wal").write_bytes(b"x" * 100)


def cut_graph(home: Home) -> None:
    os.truncate(home.graph, home.graph.stat().st_size // 3)


def not_a_graph(home: Home) -> None:
    home.graph.write_bytes(b"not a database" * 1000)


def zero_pages(home: Home) -> None:
    with home.graph.open("r+b") as file:
        size = file.seek(0, 2)
        file.seek(4096)
        file.write(bytes(size - 8192))


def remove_search(home: Home) -> None:
    home.search.unlink()


def garble_search(home: Home) -> None:
    home.search.write_bytes(b"garbage" * 1000)


def old_search(home: Home) -> None:
    with sqlite3.connect(home.search) as db:
        db.execute("UPDATE meta SET value = '0' WHERE name = 'version'")
    db.close()


def search_lacks_a_row(home: Home) -> None:
    with sqlite3.connect(home.search) as db:
        db.execute("DELETE FROM doc WHERE n = (SELECT min(n) FROM doc)")
    db.close()


def search_is_behind(home: Home) -> None:
    with sqlite3.connect(home.search) as db:
        db.execute("UPDATE meta SET value = '1' WHERE name = 'position'")
    db.close()


@pytest.mark.parametrize(("damage", "code"), [
    (remove_search, "search-missing"), (garble_search, "search-damaged"), (old_search, "search-old"),
    (search_lacks_a_row, "search-rows"), (search_is_behind, "search-behind")])
def test_planted_damage_of_the_search_file_is_found_and_mended(home: Home, damage: Callable[[Home], None], code: str) -> None:
    store = sample.fill(home)
    damage(home)
    assert code in codes(verify(store))
    assert all(f.next_step == "run rebuild" for f in verify(store).findings)
    rebuild(store)
    assert verify(store).findings == ()


def test_planted_damage_of_the_graph_file_is_found_and_mended(home: Home) -> None:
    store = sample.fill(home, "kuzu")
    store.checkpoint()
    sound = home.graph.read_bytes()
    for damage, expected in (
            (flip_graph_text, {"graph-differs"}), (remove_graph, {"graph-missing"}),
            (remove_graph_keep_log, {"graph-log-orphan"}), (cut_graph, {"graph-damaged", "graph-unreadable"}),
            (not_a_graph, {"graph-damaged"}),
            (zero_pages, {"graph-damaged", "graph-unreadable", "graph-differs", "schema-older"})):
        for path in home.graph.parent.glob("knowledge_graph.db*"):
            path.unlink()
        home.graph.write_bytes(sound)
        damage(home)
        report = verify(store, limit=20)
        assert codes(report) & expected, (damage, report.findings)
        assert not report.ok
        assert all(f.next_step == "run rebuild" for f in report.findings), report.findings
    rebuild(store)
    assert verify(store).findings == ()
    with store.read() as graph:
        assert sample.TEXTS[0] in sample.texts(graph)


def test_damaged_journal_line_is_named(home: Home) -> None:
    store = sample.fill(home)
    path = store.journal.segments()[0].path
    path.write_bytes(path.read_bytes().replace(b"bakery blue", b"bakery gray", 1))
    report = verify(store)
    assert [(f.code, "line 1" in f.what) for f in report.findings] == [("journal-damaged", True)]


def test_missing_segment_is_a_gap(home: Home) -> None:
    store = sample.fill(home)
    segment = store.journal.segments()[0].path
    segment.rename(segment.with_name("00000005.jsonl"))
    assert "journal-damaged" in codes(verify(store))


def test_cut_last_line_is_harmless_if_the_graph_never_saw_it(home: Home) -> None:
    store = sample.fill(home)
    path = store.journal.segments()[0].path
    with path.open("ab") as file:
        file.write(b"0123456789abcdef {\"position\":3,")
    report = verify(store)
    assert codes(report) == {"journal-torn"}
    assert report.ok


def test_graph_that_is_ahead_of_a_cut_journal_is_told(home: Home) -> None:
    store = sample.fill(home, "kuzu")
    path = store.journal.segments()[0].path
    os.truncate(path, path.stat().st_size - 30)
    assert "graph-ahead" in codes(verify(Store(home)))


@pytest.mark.parametrize("cut", [False, True])
def test_journal_is_made_anew_from_a_sound_graph(home: Home, cut: bool) -> None:
    store = sample.fill(home, "kuzu")
    path = store.journal.segments()[0].path
    broken = path.read_bytes()
    broken = broken[:-30] if cut else broken.replace(b"bakery blue", b"bakery gray", 1)
    path.write_bytes(broken)
    store = Store(home)
    findings = [f for f in verify(store).findings if not f.harmless]
    assert ("graph-ahead" if cut else "journal-damaged") in {f.code for f in findings}
    assert {f.next_step for f in findings} == {"run rebuild"}
    report = rebuild(store)
    assert report.salvaged
    assert verify(store).findings == ()
    with store.read() as graph:
        assert {sample.TEXTS[0], "Use pnpm 9 in the oven folder."} <= sample.texts(graph)
        assert graph.observed(sample.SESSION) == 10
    folder = home.root.with_name("unpacked")
    archive.unpack(backup.find(home, report.old_journal).path, folder)
    assert (folder / "journal" / path.name).read_bytes() == broken


def test_leftovers_and_open_permissions_are_told(home: Home) -> None:
    store = sample.fill(home)
    (home.root / "kg" / ".old-x").mkdir()
    home.root.chmod(0o755)
    report = verify(store)
    assert codes(report) == {"leftover", "open-to-others"}


def test_batch_set_aside_is_told(home: Home) -> None:
    from agent_memory.store import aside
    store = sample.fill(home, "kuzu")
    aside.add(home, next(iter(store.batches(1))), "the engine ended")
    assert "batch-aside" in codes(verify(store))
    assert rebuild(store).retried == 1
    assert verify(store).findings == ()
