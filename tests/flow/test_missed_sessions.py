"""A session that ended without a hook is learned from by the next worker."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent_memory import Memory
from agent_memory.cli.install import surroundings
from agent_memory.install.apply import apply
from agent_memory.install.plan import install

DEMO = Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "demo" / "claude"


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's home folder with Claude Code connected and one session captured."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    folder = tmp_path / ".claude" / "projects" / "-home-mira-code-teashop"
    folder.mkdir(parents=True)
    return folder


def test_a_killed_session_is_learned_from_when_it_has_been_quiet(person: Path, tmp_path: Path) -> None:
    now = datetime.now(UTC)
    memory = Memory(tmp_path / "data", now=lambda: now)
    apply(memory.home, install(memory.home, surroundings(memory.home, in_project=False), ("claude",)))
    memory.observe_file("claude", DEMO / "friday-search.jsonl")
    lost = Path(shutil.copy(DEMO / "monday-orders.jsonl", person / "monday.jsonl"))
    written = now.timestamp() + 60
    os.utime(lost, (written, written))
    now += timedelta(minutes=5)
    assert memory.drain().learned == ()
    now += timedelta(minutes=30)
    (learned,) = memory.drain().learned
    assert any("PostgreSQL" in m.text for report in learned.sessions for m in report.stored)
    assert memory.drain().learned == ()


def test_old_sessions_from_before_the_hooks_are_left_alone(person: Path, tmp_path: Path) -> None:
    now = datetime.now(UTC)
    memory = Memory(tmp_path / "data", now=lambda: now)
    memory.observe_file("claude", DEMO / "friday-search.jsonl")
    old = Path(shutil.copy(DEMO / "monday-orders.jsonl", person / "monday.jsonl"))
    before = now.timestamp() - 86_400
    os.utime(old, (before, before))
    apply(memory.home, install(memory.home, surroundings(memory.home, in_project=False), ("claude",)))
    assert memory.drain().learned == ()
