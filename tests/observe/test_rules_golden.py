"""What the rules make of five of the project's own sessions, word for word: a change of the rules shows as a diff."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))
from agent_memory.model.candidate import Observed
from agent_memory.observe.rules.observer import RulesObserver
from bench.observer import OWN, load

GOLDEN = Path(__file__).parents[1] / "golden" / "observe"
NAMES = ["terse-docker", "werkstatt-de", "toshokan-ja", "kuaidi-zh", "plan-choices"]


def _told(observed: Observed) -> str:
    lines = [f"{c.priority.word:6} {c.kind.value:10} {c.rule:18} line {','.join(str(r.line) for r in c.cites):9} {c.text}" for c in observed.candidates]
    lines += [f"left out: {d.reason:34} line {d.line:<4} {d.text}" for d in observed.dropped]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", NAMES)
def test_observations_of_a_session_are_the_golden_ones(name: str) -> None:
    _, view = load(OWN / f"{name}.expected.json")
    told = _told(RulesObserver().observe(view))
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(told, encoding="utf-8")
    assert told == file.read_text(encoding="utf-8")
