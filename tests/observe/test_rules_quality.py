"""The rules on the project's own invented sessions; the figures of record are printed by `make bench-observer`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))
from agent_memory.observe.rules.observer import RulesObserver
from bench.observer import OWN, load, seen
from bench.observer_scoring import Seen, holds, mean, normal, score

FILES = sorted(OWN.glob("*.expected.json"))
HELD_OUT = [f for f in FILES if json.loads(f.read_text(encoding="utf-8")).get("held_out")]


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.name.split(".")[0])
def test_a_session_gives_no_noise_and_keeps_its_red_facts(file: Path) -> None:
    expected, view = load(file)
    observed = RulesObserver().observe(view)
    judged = score(expected, seen(observed))
    assert judged.leaked == 0
    if file not in HELD_OUT:
        assert judged.noisy == ()
        assert judged.f1 >= 0.7


def test_the_mean_stays_where_it_is() -> None:
    judged = mean([score(expected, seen(RulesObserver().observe(view))) for expected, view in map(load, FILES)])
    assert judged.recall >= 0.9
    assert judged.f1 >= 0.85
    assert (judged.kind or 0) >= 0.85
    assert (judged.source or 0) >= 0.95


EXPECTED = {
    "sample": "x", "budget": 2, "transcripts": ["a/x.jsonl"], "never": ["hunter2"],
    "must": [{"id": "a", "kind": "decision", "priority": "red", "all_of": ["pnpm"], "any_of": [["not", "never"]], "none_of": ["maybe"], "source_lines": [3]},
             {"id": "b", "kind": "lesson", "priority": "green", "all_of": ["lock"], "source_lines": ["y.jsonl:9"]}],
    "ok": [{"id": "o", "all_of": ["harmless"]}], "noise": [{"id": "n", "all_of": ["thanks"]}],
}


def _seen(text: str, name: str = "x.jsonl", line: int = 3) -> Seen:
    return Seen(text, "decision", "red", frozenset({(name, line)}))


def test_a_perfect_answer_scores_one() -> None:
    judged = score(EXPECTED, [_seen("Use `pnpm`, never npm."), _seen("The lock is stale.", "y.jsonl", 9)])
    assert (judged.recall, judged.precision, judged.f1, judged.source) == (1.0, 1.0, 1.0, 1.0)
    assert judged.kind == 0.5


def test_noise_repeats_excess_and_leaks_cost() -> None:
    good = [_seen("Use pnpm, not npm."), _seen("The lock is stale.", "y.jsonl", 9)]
    noisy = score(EXPECTED, [*good, _seen("thanks")])
    repeated = score(EXPECTED, [*good, _seen("pnpm, not yarn")])
    assert noisy.noise == 1
    assert noisy.f1 < score(EXPECTED, good[:1] + good[1:]).f1
    assert repeated.precision == pytest.approx(2 / 3)
    assert score(EXPECTED, [*good, _seen("password hunter2")]).f1 == 0.0


def test_patterns_are_tried_on_plain_text() -> None:
    assert normal("**Use** ‘pnpm’ — ｎｏｔ  `npm`") == "Use 'pnpm' - not npm"
    assert holds({"all_of": ["NOT"]}, "use pnpm, not npm")
