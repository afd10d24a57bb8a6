"""Meaning is found by vectors, under the same filters; rows of a changed model replace the old ones when all are there."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

import pytest
from recall_made import NOW, fill, memory

from agent_memory.model.change import Purge
from agent_memory.paths import Home
from agent_memory.recall.meaning import Meaning
from agent_memory.recall.search import recall
from agent_memory.search import vectors

numpy = pytest.importorskip("numpy")


class Colours:
    """Knows two things: what is red and what is not."""

    def __init__(self, version: str = "1") -> None:
        self.name, self.version, self.dim = "colours", version, 2

    def encode(self, texts: Sequence[str]) -> Any:
        return numpy.array([[1, 0] if "red" in t or "crimson" in t else [0, 1] for t in texts], numpy.float32)


def test_what_shares_no_word_is_found(home: Home) -> None:
    fill(home, memory(1, "The door is crimson"), memory(2, "The roof is flat"))
    meaning = Meaning(home.search, Colours())
    assert recall(home, "anything red outside", now=NOW, meaning=meaning) == []  # nothing is embedded yet
    assert (meaning.embed(), meaning.embed()) == (2, 0)
    assert "The door is crimson" in [h.text for h in recall(home, "door red", now=NOW, meaning=meaning)]


def test_foreign_projects_stay_hidden_from_meaning(home: Home) -> None:
    fill(home, memory(1, "The crimson secret", project="p-other"), memory(2, "The door is crimson"))
    meaning = Meaning(home.search, Colours())
    meaning.embed()
    assert [h.text for h in recall(home, "door red", now=NOW, meaning=meaning)] == ["The door is crimson"]


def test_a_changed_model_replaces_rows_only_when_done(home: Home) -> None:
    fill(home, memory(1, "The door is crimson"))
    Meaning(home.search, Colours()).embed()
    new = Meaning(home.search, Colours("2"))
    assert [m.version for m, _ in vectors.models(home.search)] == ["1"]
    new.embed()
    assert [m.version for m, _ in vectors.models(home.search)] == ["2"]


def test_purged_text_leaves_no_vector(home: Home) -> None:
    kept, gone = memory(1, "The door is crimson"), memory(2, "The roof is flat")
    fill(home, kept, gone)
    meaning = Meaning(home.search, Colours())
    meaning.embed()
    fill(home, Purge((("Observation", gone.key),)))
    path = vectors.path_of(home.search, meaning.model)
    assert len(vectors.keys(path)) == 1


def test_a_torn_row_is_cut_off(home: Home) -> None:
    fill(home, memory(1, "The door is crimson"))
    meaning = Meaning(home.search, Colours())
    meaning.embed()
    path = vectors.path_of(home.search, meaning.model)
    with path.open("ab") as file:
        file.write(b"torn")
    fill(home, memory(2, "The roof is flat"))
    assert meaning.embed() == 1
    assert len(vectors.keys(path)) == 2
    assert isinstance(meaning.ask(sqlite3.connect(home.search), "red", _filters(), {}), dict)


def _filters() -> Any:
    from agent_memory.recall.filters import Filters

    return Filters(NOW)
