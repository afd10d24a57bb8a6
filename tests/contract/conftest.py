"""Engines for the contract suite; the samples are those of the store's tests."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parents[1] / "store"), str(Path(__file__).parent)]

from remote_graph import RemoteGraph  # noqa: E402


@pytest.fixture(scope="session")
def remote() -> Iterator[Callable[[str], RemoteGraph]]:
    """One process for each engine, kept for the whole run."""
    running: dict[str, RemoteGraph] = {}

    def get(engine: str) -> RemoteGraph:
        if engine not in running:
            running[engine] = RemoteGraph(engine)
        return running[engine]

    yield get
    for one in running.values():
        one.end()


@pytest.fixture(scope="session")
def empty(remote: Callable[[str], RemoteGraph], tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Path], Path]:
    """Puts a copy of an empty migrated graph at a path; making one takes as long as twenty tests."""
    made: dict[str, Path] = {}

    def copy(engine: str, path: Path) -> Path:
        if engine not in made:
            made[engine] = tmp_path_factory.mktemp("empty") / "graph.db"
            remote(engine).open(str(made[engine]))
            remote(engine).close()
        shutil.copy(made[engine], path)
        return path

    return copy
