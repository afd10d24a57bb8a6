"""Machines for the doctor; the home that knows a session is made once and copied."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from doctor_world import World, copy


@pytest.fixture(autouse=True)
def _temporary_folder_is_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests' own folder is a temporary one, which the doctor would rightly blame; it exists by now."""
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere/tmp")


@pytest.fixture
def world(tmp_path: Path) -> World:
    """A person without agents and without a home."""
    return World(tmp_path / "machine")


@pytest.fixture(scope="session")
def _stored(tmp_path_factory: pytest.TempPathFactory) -> World:
    made = World(tmp_path_factory.mktemp("stored") / "machine")
    made.learn()
    return made


@pytest.fixture
def stored(_stored: World, tmp_path: Path) -> Iterator[World]:
    """A person whose home has learned from one session of Claude Code."""
    world = copy(_stored, tmp_path / "machine")
    with world.kept:
        yield world
