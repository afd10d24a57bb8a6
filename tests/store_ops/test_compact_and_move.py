"""Compacting and moving to another engine keep every node and edge, and give back disk."""

from __future__ import annotations

from datetime import timedelta

import pytest
import store_sample as sample

from agent_memory.errors import GraphDamaged, UsageError
from agent_memory.model import lifecycle
from agent_memory.model.change import Change
from agent_memory.paths import Home
from agent_memory.store import child, rebuild
from agent_memory.store.compact import compact
from agent_memory.store.digest import Summary, summary
from agent_memory.store.engine_move import move_engine
from agent_memory.store.journal import Journal
from agent_memory.store.open import Store
from agent_memory.store.verify import verify

NOW = sample.AT + timedelta(days=10)


def whole(store: Store) -> Summary:
    with store.read() as graph:
        return summary(graph)


def test_move_there_and_back_keeps_everything(home: Home) -> None:
    store = sample.fill(home, "kuzu")
    wanted = child.probe("kuzu", home.graph)
    move_engine(store, "ladybug")
    assert child.probe("ladybug", home.graph) == wanted
    assert verify(Store(home)).findings == ()
    with pytest.raises(UsageError, match="uses the engine ladybug"):
        Store(home, engine="kuzu")
    with pytest.raises(UsageError, match="already"):
        move_engine(Store(home), "ladybug")
    move_engine(Store(home), "memory")
    assert not home.graph.exists()
    assert whole(Store(home)) == wanted
    move_engine(Store(home), "kuzu")
    assert child.probe("kuzu", home.graph) == wanted


def test_graph_that_was_made_wrong_never_takes_the_place_of_the_old(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    store = sample.fill(home, "kuzu")
    store.checkpoint()
    before = home.graph.read_bytes()
    real = child.build

    def wrong(*arguments: object, **named: object) -> Summary:
        made = real(*arguments, **named)  # type: ignore[arg-type]
        return Summary(made.position, dict(made.counts) | {"Message": 3}, made.digests)

    with monkeypatch.context() as patch:
        patch.setattr(child, "build", wrong)
        with pytest.raises(GraphDamaged):
            rebuild.rebuild(store)
    assert home.graph.read_bytes() == before
    assert not list(home.graph.parent.glob("*.new*"))


def test_compact_closes_a_long_last_segment(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agent_memory.store.compact._WORTH", 1)
    store = sample.fill(home)
    wanted = whole(store)
    assert compact(store).packed == 1
    assert [s.path.name for s in store.journal.segments()] == ["00000001.jsonl.gz", "00000002.jsonl"]
    assert whole(Store(home)) == wanted
    assert Store(home).commit(lifecycle.learn(sample.memory(5, "One more after compacting.")), at=NOW) == 3
    assert verify(Store(home)).findings == ()


def test_compact_gives_back_disk_and_loses_nothing(home: Home) -> None:
    store = Store(home, engine="kuzu")
    store.journal = Journal(home.journal, segment_bytes=20_000)
    store.commit(sample.first_batch(), at=sample.AT, actor="t")
    for batch in range(6):
        changes: list[Change] = []
        for n in range(60):
            number = 1000 + batch * 60 + n
            changes += lifecycle.learn(sample.memory(number, f"Rule {number}: bake loaf {number * 7} at {number % 40 + 200} "
                                                     "degrees, and write down how it came out in the log of the day."))
        store.append(changes, at=NOW)
    store.catch_up()
    wanted = whole(store)
    assert len(store.journal.segments()) > 3
    report = compact(store)
    assert report.packed == len(store.journal.segments()) - 1
    assert report.saved > 0
    assert sum(report.after.values()) == sum(report.before.values()) - report.saved
    assert whole(store) == wanted
    assert verify(store).findings == ()
    store.commit(lifecycle.learn(sample.memory(5, "One more after compacting.")), at=NOW)
    assert compact(store).packed <= 2
    assert [s.packed for s in store.journal.segments()][-1] is False
    assert verify(store).findings == ()
