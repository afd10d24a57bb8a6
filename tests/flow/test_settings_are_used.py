"""Every setting that the page lists does what it says."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest

import agent_memory
from agent_memory import Memory
from agent_memory.model.memory import Kind
from agent_memory.paths import Home
from agent_memory.recall.limits import DEFAULT_BUDGET, Sizes, sizes
from agent_memory.settings import Settings
from agent_memory.store.base import GraphStore

PACKAGE = Path(agent_memory.__file__).parent


def test_each_setting_is_read_somewhere_beyond_its_class() -> None:
    read = {node.attr for path in PACKAGE.rglob("*.py") if path.name != "settings.py"
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Attribute)}
    assert set(Settings.model_fields) - read == set()


@pytest.fixture
def shop(tmp_path: Path) -> str:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    return str(tmp_path / "shop")


@pytest.fixture
def filled(home: Home, now: datetime, shop: str) -> Memory:
    memory = Memory(home.root, now=lambda: now)
    for number, kind in enumerate(["decision", "fact", "fact", "lesson", "architecture", "pattern"] * 6):
        memory.store_note(f"Gauge {number:03d} of the boiler reads the pressure in bar", kind=kind, cwd=shop)
    memory.materialize()
    return memory


def run(shop: str, *words: str, **env: str) -> str:
    done = subprocess.run([sys.executable, "-m", "agent_memory", *words], cwd=shop, capture_output=True, text=True,
                          encoding="utf-8", env={**os.environ, "PYTHONUTF8": "1", **env}, check=True)
    return done.stdout


def lines(text: str) -> int:
    return sum(line.startswith("- ") and "Gauge" in line for line in text.splitlines())


def test_the_context_settings_hold_for_starts_too(filled: Memory, shop: str) -> None:
    whole = run(shop, "context")
    assert lines(whole) == 36
    assert lines(run(shop, "context", AGENT_MEMORY_CONTEXT_LIMIT="4")) == 4
    assert len(run(shop, "context", AGENT_MEMORY_CONTEXT_BUDGET="1000")) <= 1001
    filled.home.config.write_text("context_limit = 7\ncontext_budget = 3000\n")
    assert Memory(filled.home.root, now=filled.now).context(cwd=shop).text.count("Gauge") == 7
    Memory(filled.home.root, now=filled.now).materialize()
    assert lines(run(shop, "context")) == 7
    assert lines(run(shop, "context", AGENT_MEMORY_CONTEXT_LIMIT="3")) == 3
    assert len(run(shop, "context", "--budget-chars", "700")) <= 701


def test_the_threshold_leaves_out_what_scores_far_below_the_best(filled: Memory, shop: str) -> None:
    every = filled.context(cwd=shop, task="boiler gauge 007")
    best = max(line.score for line in every.lines)
    chosen = Memory(filled.home.root, now=filled.now, context_threshold=0.9).context(cwd=shop, task="boiler gauge 007")
    assert 0 < len(chosen.lines) < len(every.lines)
    assert all(line.vital or line.score >= 0.9 * best for line in chosen.lines)


@pytest.mark.parametrize(("value", "told", "wanted"), [
    ("5000", 900, 5000), ("", 900, 900), ("many", 900, 900), ("-3", 900, 900), ("1", 900, 900), ("", 3, DEFAULT_BUDGET),
    ("nan", None, DEFAULT_BUDGET), ("inf", None, DEFAULT_BUDGET)])
def test_a_start_takes_the_environment_then_what_was_left_beside_the_views_and_fails_by_neither(
        value: str, told: int | None, wanted: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_MEMORY_CONTEXT_BUDGET", value)
    assert sizes({} if told is None else {"characters": told}) == Sizes(wanted)


def test_recall_settings_hold_in_python_and_on_the_command_line(filled: Memory, shop: str) -> None:
    hits = filled.recall("boiler pressure", cwd=shop, limit=30)
    least = hits[0].score
    assert run(shop, "recall", "boiler", "pressure", AGENT_MEMORY_RECALL_LIMIT="3").count("Gauge") == 3
    filled.home.config.write_text(f"recall_threshold = {min(1.0, least + 0.01)}\n")
    fewer = [h for h in hits if h.score >= min(1.0, least + 0.01)]
    memory = Memory(filled.home.root, now=filled.now)
    assert len(memory.recall("boiler pressure", cwd=shop, limit=30)) == len(fewer)
    assert run(shop, "recall", "boiler", "pressure", "--limit", "30").count("Gauge") == len(fewer)


def test_the_search_weight_is_what_meaning_counts(home: Home) -> None:
    from agent_memory.recall.meaning import SHARE, SHARE_CODE, Meaning

    class Encoder:
        name, version, dim = "test", "1", 3

    code = ["if (x) { return y[0]; }"]
    assert Meaning(home.search, Encoder()).share(code) == SHARE_CODE  # type: ignore[arg-type]
    assert Meaning(home.search, Encoder()).share(["plain words"]) == SHARE  # type: ignore[arg-type]
    for weight in (0.0, 0.3, 1.0):
        assert Meaning(home.search, Encoder(), weight=weight).share(code) == weight  # type: ignore[arg-type]


def test_excluded_files_are_not_linked_to_notes(home: Home, now: datetime, shop: str) -> None:
    def linked(graph: GraphStore) -> set[str]:
        return {file.path for file in graph.files()}

    memory = Memory(home.root, now=lambda: now, exclude=("vendor/*", "*.lock"))
    memory.store_note("Never edit vendor/left.py; src/right.py may change, poetry.lock follows", cwd=shop)
    memory.flush()
    with memory.store.read() as graph:
        assert "src/right.py" in linked(graph)
        assert not any(path.startswith("vendor/") or path.endswith(".lock") for path in linked(graph))


def test_the_session_timeout_decides_what_lint_calls_open(home: Home, now: datetime, shop: str) -> None:
    Memory(home.root, now=lambda: now).save_prompt("Please look at the boiler", cwd=shop)
    later = now + timedelta(hours=3)

    def codes(**settings: float) -> list[str]:
        return [f.code for f in Memory(home.root, now=lambda: later, **settings).lint().findings]  # type: ignore[arg-type]

    assert "session-open" not in codes()
    assert "session-open" in codes(session_timeout_hours=2.0)


def test_the_worker_takes_its_time_limit_from_the_settings(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    from agent_memory.service import worker

    home.root.mkdir(parents=True)
    assert worker._seconds(home) == worker.SECONDS
    home.config.write_text("worker_seconds = 41.5\n")
    assert worker._seconds(home) == 41.5
    home.config.write_text("worker_seconds = 'long'\n")
    assert worker._seconds(home) == worker.SECONDS


def test_max_observations_is_enforced(home: Home, now: datetime) -> None:
    memory = Memory(home.root, now=lambda: now, max_observations=2)
    for number in range(4):
        memory.store_note(f"Fact number {number}", kind=Kind.FACT.value)
    assert len(memory.enforce_limit().memories) == 2
