"""The search file shows what the journal says, whole or not at all."""

from __future__ import annotations

import os
import sqlite3
import stat
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from search_made import START, batch, memory, message

from agent_memory.errors import StoreError
from agent_memory.model.change import Purge, SetState
from agent_memory.model.memory import Status
from agent_memory.search import lookup, schema
from agent_memory.search.index import SearchIndex
from agent_memory.search.reader import open_reader


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kg" / "search.db"


def count(path: Path, word: str, table: str = "words") -> int:
    connection = open_reader(path)
    assert connection is not None
    try:
        return int(connection.execute(f"SELECT count(*) FROM {table} WHERE {table} MATCH ?", (f'"{word}"',))
                   .fetchone()[0])
    finally:
        connection.close()


def test_missing_file_is_at_position_zero_and_not_created(path: Path) -> None:
    assert SearchIndex(path).position() == 0
    assert not path.exists()
    assert open_reader(path) is None


def test_batches_become_rows_and_move_the_position(path: Path) -> None:
    with SearchIndex(path) as index:
        index.apply([batch(1, memory(1, "We use pnpm")), batch(2, message(2, "please fix the gate"))])
        assert index.position() == 2
    assert count(path, "pnpm") == 1
    assert count(path, "gate") == 1


def test_known_batch_is_skipped(path: Path) -> None:
    with SearchIndex(path) as index:
        index.apply([batch(1, memory(1, "We use pnpm"))])
        index.apply([batch(1, memory(1, "We use pnpm")), batch(2, memory(1, "We use pnpm"))])
    assert count(path, "pnpm") == 1


def test_gap_is_refused_and_nothing_changes(path: Path) -> None:
    with SearchIndex(path) as index:
        index.apply([batch(1, memory(1, "We use pnpm"))])
        with pytest.raises(StoreError, match="stands at 1"):
            index.apply([batch(3, memory(2, "We use yarn"))])
        assert index.position() == 1
    assert count(path, "yarn") == 0


def test_file_of_another_version_is_at_position_zero_and_made_anew(path: Path) -> None:
    with SearchIndex(path) as index:
        index.apply([batch(1, memory(1, "We use pnpm"))])
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE meta SET value = 'old' WHERE name = 'version'")
    connection.close()
    with pytest.raises(StoreError, match="version old"):
        open_reader(path)
    with SearchIndex(path) as index:
        assert index.position() == 0
        index.apply([batch(1, memory(2, "We use yarn"))])
        assert index.position() == 1
    assert (count(path, "pnpm"), count(path, "yarn")) == (0, 1)


def test_damaged_file_is_at_position_zero_and_can_be_rebuilt(path: Path) -> None:
    path.parent.mkdir(parents=True)
    path.write_bytes(b"this is no database, but long enough to be looked at" * 40)
    with SearchIndex(path) as index:
        assert index.position() == 0
        index.rebuild([batch(1, memory(1, "We use pnpm"))])
        assert index.position() == 1
    assert count(path, "pnpm") == 1


def test_rebuild_gives_the_same_rows_as_applying(path: Path, tmp_path: Path) -> None:
    first = memory(1, "We use pnpm in the shop")
    batches = [batch(1, first, message(2, "why pnpm?")), batch(2, SetState("Observation", first.key, {"seen": 3})),
               batch(3, memory(3, "The shop runs on port 8080"))]
    with SearchIndex(path) as one, SearchIndex(tmp_path / "other.db") as two:
        for item in batches:
            one.apply([item])
        two.rebuild(batches)
    dumps = []
    for file in (path, tmp_path / "other.db"):
        with sqlite3.connect(file) as connection:
            dumps.append([connection.execute(f"SELECT * FROM {t}").fetchall() for t in ("doc", "passage", "history")])
        connection.close()
    assert dumps[0] == dumps[1]


def test_readers_see_the_old_file_while_a_new_one_is_built(path: Path) -> None:
    with SearchIndex(path) as index:
        index.apply([batch(1, memory(1, "We use pnpm"))])
        reader = open_reader(path)
        assert reader is not None
        index.apply([batch(2, memory(2, "We use pnpm and yarn"))])
        index.rebuild([batch(1, memory(1, "We use pnpm"))])
        assert reader.execute("SELECT count(*) FROM doc").fetchone()[0] in (1, 2)
        reader.close()
    assert count(path, "yarn") == 0


@pytest.mark.skipif(os.name == "nt", reason="Windows has no owner bits")
def test_file_is_for_its_owner_only(path: Path) -> None:
    with SearchIndex(path) as index:
        index.apply([batch(1, memory(1, "We use pnpm"))])
        modes = {p.name: stat.S_IMODE(p.stat().st_mode) for p in path.parent.iterdir()}
    assert set(modes.values()) == {0o600}, modes
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_state_changes_what_is_alive_and_is_remembered_with_its_time(path: Path) -> None:
    node = memory(1, "We use pnpm")
    later = START.replace(day=20)
    with SearchIndex(path) as index:
        index.apply([batch(1, node), batch(2, SetState("Observation", node.key, {"status": Status.RETIRED}), at=later)])
    reader = open_reader(path)
    assert reader is not None
    assert reader.execute("SELECT tag, status FROM doc").fetchone() == ("g dead-observation", 5)
    assert reader.execute("SELECT at, status FROM history ORDER BY at").fetchall() == [
        (START.timestamp(), 1), (later.timestamp(), 5)]
    assert reader.execute("SELECT count(*) FROM words WHERE words MATCH 'tag : \"live-observation\"'").fetchone()[0] == 0
    reader.close()


def test_purged_text_is_in_no_byte_of_the_file(path: Path) -> None:
    secret = memory(1, "the plumbus lives in cellar seventeen")
    with SearchIndex(path) as index:
        index.apply([batch(1, secret, memory(2, "We use pnpm")), batch(2, Purge((("Observation", secret.key),)))])
    for file in path.parent.iterdir():
        data = file.read_bytes()
        assert b"plumbus" not in data
        assert b"lumbu" not in data, file
    assert count(path, "pnpm") == 1


def test_word_at_character_seventy_thousand_is_found(path: Path) -> None:
    with SearchIndex(path) as index:
        index.apply([batch(1, message(1, "lorem ipsum " * 6000 + "xylophone " + "dolor " * 100))])
    assert count(path, "xylophon") == 1


@pytest.mark.parametrize("text", ["x" * 80_000 + "needle", "猫" * 70_000 + "問題", "a\n" * 50_000 + "needle", " \n\t "])
def test_passages_cover_every_character(text: str) -> None:
    from agent_memory.search.passages import spans

    found = spans(text)
    assert found[0][0] == 0
    assert found[-1][1] == len(text)
    assert all(a[1] == b[0] for a, b in pairwise(found))


def test_memories_are_looked_up_by_hash_topic_operation_and_prefix(path: Path) -> None:
    node = memory(1, "We use pnpm", topic_key="tool/package-manager", operation="op-1", project="p-1")
    with SearchIndex(path) as index:
        index.apply([batch(1, node, memory(2, "Other"))])
    assert [k.id for k in lookup.by_hash(path, node.content_hash)] == [node.id]
    assert [k.id for k in lookup.by_topic(path, "tool/package-manager", "p-1")] == [node.id]
    assert lookup.by_topic(path, "tool/package-manager", "p-2") == []
    assert [k.id for k in lookup.by_operation(path, "op-1")] == [node.id]
    assert [k.id for k in lookup.by_prefix(path, node.id[:25])] == [node.id]
    assert lookup.by_hash(path, "") == lookup.by_operation(path, "") == []


def test_only_the_newest_revision_is_looked_up(path: Path) -> None:
    old = memory(1, "We use npm")
    new = replace(old, revision=2, text="We use pnpm")
    with SearchIndex(path) as index:
        index.apply([batch(1, old), batch(2, new, SetState("Observation", old.key, {"current": False}))])
    assert [k.key for k in lookup.by_prefix(path, old.id)] == [new.key]


def test_schema_version_follows_the_analyzer() -> None:
    from agent_memory.text import analyze

    assert schema.VERSION.endswith(f".{analyze.VERSION}")
