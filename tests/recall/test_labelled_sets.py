"""What recall returns and what a start holds, on the labelled sets of `make bench-recall`: floors that must stay."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))
from agent_memory import Memory
from bench import beliefs, recall, recall_ours, start_lines
from bench.recall_scoring import Result, interval

World = tuple[Memory, dict[str, tuple[str, str, str]]]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return beliefs.build(tmp_path_factory.mktemp("beliefs"))


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Memory:
    return start_lines.build(tmp_path_factory.mktemp("start"))


def test_replaced_forgotten_expired_and_foreign_memories_never_come_back(world: World) -> None:
    assert beliefs.judge(*world, beliefs.questions()).forbidden == 0


def test_what_may_be_returned_is_returned_and_little_else(world: World) -> None:
    judged = beliefs.judge(*world, beliefs.questions("test"))
    assert judged.precision >= 0.85
    assert judged.recall >= 0.93
    assert judged.abstained >= 0.6


def test_the_beginning_of_a_payload_holds_most_of_what_a_task_needs(crowded: Memory) -> None:
    first, whole = start_lines.shares(crowded, 6_000)
    assert first >= 0.82
    assert whole >= 0.9


def test_links_find_answers_that_share_no_word_with_the_question() -> None:
    collections = recall.load(recall.SMALL)
    linked, words = (recall.measure(lambda on=on: recall_ours.Ours(10, linked=on), collections) for on in (True, False))
    assert sum(linked.recall10) > sum(words.recall10)
    assert sum(linked.recall10) == len(linked.recall10)


def test_a_system_that_is_not_installed_is_named_and_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    def absent() -> None:
        raise ModuleNotFoundError("no tantivy", name="tantivy")

    made = recall.table("small", recall.load(recall.SMALL), {"neighbour": absent})
    assert made.rows == []
    assert "left out: neighbour, tantivy is not installed" in capsys.readouterr().out


def test_an_answer_is_scored_by_share_rank_and_session() -> None:
    result = Result()
    result.add(["a", "b", "c"], {"b", "z"}, {"a": "s1", "b": "s2", "c": "s1", "z": "s3"}, "kind")
    assert (result.recall5, result.reciprocal, result.session5) == ([0.5], [0.5], [1.0])
    assert result.by_category() == {"kind": 0.5}
    low, high = interval([0.0, 1.0] * 50)
    assert low < 0.5 < high
