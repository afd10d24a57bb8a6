"""Questions that use the name of a class or of a kind, where the memory names the thing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from agent_memory.recall import related
from agent_memory.text.analyze import query

DEMO = Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "demo"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("shop")
    for agent, name in (("claude", "monday-orders.jsonl"), ("codex", "rollout-2026-11-25T14-30-00-teashop.jsonl")):
        subprocess.run([sys.executable, "-m", "agent_memory", "observe", "--source", agent, "--file",
                        str(DEMO / agent / name), "--home", str(home)], check=True, stdout=subprocess.DEVNULL)
    return home


@pytest.mark.parametrize(("question", "word"), [
    ("what was decided about the database?", "PostgreSQL"),
    ("which package manager do we use?", "pnpm"),
    ("why did CI fail?", "Node 20"),
    ("how do we deploy?", "blue/green"),
])
def test_the_everyday_question_finds_the_memory_first(shop: Path, question: str, word: str) -> None:
    from agent_memory import Memory

    assert word in Memory(shop).recall(question)[0].text


def test_a_question_about_nothing_known_finds_nothing(shop: Path) -> None:
    from agent_memory import Memory

    assert Memory(shop).recall("what is the weather in Lisbon?") == []


def test_half_a_class_name_names_no_class() -> None:
    assert related.members(query("who is the manager?")) == {}
