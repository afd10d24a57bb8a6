"""Items of any length are stored whole and found by a word anywhere in them."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from agent_memory import Memory
from agent_memory.recall import items
from agent_memory.store.validate import TEXT_CHARACTERS


def long_text(word: str, at: int) -> str:
    filler = "lorem ipsum dolor sit amet. "
    return (filler * (at // len(filler) + 1))[:at] + f" {word} stands here. " + filler * 40


def found_where_they_stand(root: Path, engine: str) -> None:
    memory = Memory(root, engine=engine)
    made = [{"id": "a", "session": "s", "text": long_text("xylophone", 70_000)},
            {"id": "b", "session": "s", "text": long_text("marimba", 1_000_000)},
            {"id": "c", "session": "s", "text": "short and about an ocarina"}]
    assert memory.add_items(made) == 3  # a bulk load
    assert memory.add_items([{"id": "d", "session": "t", "text": long_text("bassoon", 999_990)}]) == 1  # a transaction
    assert memory.add_items(made) == 0
    for word, id_ in {"xylophone": "a", "marimba": "b", "ocarina": "c", "bassoon": "d"}.items():
        hit = memory.recall(word)[0]
        assert hit.external_id == id_
        assert word in (hit.passage or hit.text)


@pytest.mark.parametrize("engine", ["kuzu", "ladybug"])
def test_words_deep_in_long_items_are_found(tmp_path: Path, engine: str) -> None:
    if importlib.util.find_spec(engine) is None:
        pytest.skip(f"{engine} is not installed")
    code = f"from pathlib import Path; from test_items_long import *; found_where_they_stand(Path({str(tmp_path)!r}), {engine!r})"
    run = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_pieces_of_a_long_item_are_one_hit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(items, "LONGEST", 1_000)
    memory = Memory(tmp_path)
    assert memory.add_items([{"id": "a", "session": "s", "text": "the oboe plays on. " * 200}]) == 1
    assert memory.add_items([{"id": "a", "session": "s", "text": "the oboe plays on. " * 200}]) == 0
    assert [h.external_id for h in memory.recall("oboe")] == ["a"]


def test_a_piece_fits_into_the_store() -> None:
    assert items.LONGEST < TEXT_CHARACTERS
    text = "x" * (items.LONGEST * 2 + 5)
    assert "".join(items._pieces(text)) == text
    assert max(map(len, items._pieces(text))) <= items.LONGEST
