"""Fixtures that every test may use: a throw-away home with none of our environment variables set."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent_memory.paths import Home

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _no_environment_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("AGENT_MEMORY_", "CLAUDE_", "CODEX_")):
            monkeypatch.delenv(name)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A new data directory that the environment points to."""
    root = tmp_path / "home"
    monkeypatch.setenv("AGENT_MEMORY_HOME", str(root))
    return Home(root)


@pytest.fixture
def now() -> datetime:
    """A fixed present."""
    return NOW
