"""Random batches, states, edges, checkpoints, reopenings and kills: every engine must say what the reference says."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from store_samples import Chaos
from test_graph_store import dump

from agent_memory.store.engines.memory import MemoryGraph

SEEDS = range(int(os.environ.get("STORE_SEEDS", "4")))


@pytest.mark.parametrize("engine", ["kuzu", "ladybug"])
@pytest.mark.parametrize("seed", SEEDS)
def test_engine_equals_reference_through_reopening_and_kills(
        engine: str, seed: int, remote: Callable[[str], Any], empty: Callable[[str, Path], Path], tmp_path: Path) -> None:
    dice = random.Random(seed)
    path = str(empty(engine, tmp_path / "graph.db"))
    batches = list(Chaos(seed + 100).batches(dice.randint(30, 60)))
    graph = remote(engine)
    graph.open(path)
    done = 0
    while done < len(batches):
        step = dice.randint(1, 5)
        happens = dice.random()
        if happens < 0.15:
            graph.cast("apply", batches[done:done + step])
            time.sleep(dice.random() * 0.05)
            graph.kill()
            graph.open(path)
            assert done <= graph.position() <= done + step
            done = graph.position()
            continue
        graph.apply(batches[done:done + step])
        done = min(done + step, len(batches))
        if happens < 0.3:
            graph.checkpoint()
        elif happens < 0.5:
            graph.close()
            graph.open(path, read_only=happens < 0.4)
            if happens < 0.4:
                reference = MemoryGraph()
                reference.apply(batches[:done])
                assert dump(graph) == dump(reference)
                graph.close()
                graph.open(path)
    reference = MemoryGraph()
    reference.apply(batches)
    assert dump(graph) == dump(reference)
    graph.close()


@pytest.mark.parametrize("engine", ["kuzu", "ladybug"])
def test_kill_during_bulk_writes_leaves_whole_batches(
        engine: str, remote: Callable[[str], Any], empty: Callable[[str, Path], Path], tmp_path: Path) -> None:
    from store_samples import base, batch, message

    from agent_memory.model.change import PutEdge, PutNode
    from agent_memory.model.graph import Edge

    path = str(empty(engine, tmp_path / "graph.db"))
    batches = [batch(1, *base())] + [
        batch(n, *(c for i in range(300) for c in (
            PutNode(message(n * 1000 + i, text="words " * 50)),
            PutEdge(Edge("in_session", "Message", f"s1-m{n * 1000 + i}", "Session", "s1", batch(n).at)))))
        for n in range(2, 14)]
    dice = random.Random(7)
    graph = remote(engine)
    graph.open(path)
    kills = 0
    while graph.position() < len(batches):
        graph.cast("apply", batches)
        if kills < 6:
            time.sleep(0.02 + dice.random() * 0.3)
            graph.kill()
            graph.open(path)
            kills += 1
        else:
            assert graph._pipe.recv()[0]
        counts = graph.counts()
        whole = graph.position() - 1
        assert counts["Message"] == (4 + 300 * whole if whole >= 0 else 0)
        assert counts["in_session"] == counts["Message"]
    graph.close()
