"""How fast the store opens, commits, reads and loads, beside the disk's own speed in the same run.

    python bench/store.py [--memories 100000] [--engine kuzu]
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from agent_memory.model import lifecycle
from agent_memory.model.change import Change, PutEdge, PutNode
from agent_memory.model.graph import Agent, Edge, Project, Symbol
from agent_memory.model.memory import Kind, MemoryNode, MemoryType, Scope
from agent_memory.model.transcript import Message, Role, Session, Via
from agent_memory.paths import Home
from agent_memory.store.open import Store
from agent_memory.text.normal import content_hash

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
WORDS = ["deploy", "build", "test", "index", "cache", "retry", "token", "graph", "journal", "lease", "socket", "parser", "branch", "merge", "review"]
MESSAGES = 20


def timed(name: str, times: int, run: Callable[[], object]) -> None:
    """Print the median and the 95th percentile of some runs, in milliseconds."""
    took = []
    for _ in range(times):
        start = time.perf_counter()
        run()
        took.append((time.perf_counter() - start) * 1000)
    took.sort()
    print(f"{name:52} {statistics.median(took):9.2f} ms   p95 {took[int(len(took) * 0.95)]:9.2f} ms   n={times}")


def memory(n: int) -> MemoryNode:
    """An invented memory of about 30 words."""
    text = " ".join(WORDS[(n * 7 + i * i) % len(WORDS)] for i in range(29)) + f" {n}."
    return MemoryNode(f"m{n:08d}", 1, MemoryType.OBSERVATION, Kind.FACT, text, "", content_hash(text), "", Scope.PROJECT,
                      "p1", (), "claude", f"s{n // 100}", f"msg{n % MESSAGES}", "/t/a.jsonl", n, n, "0" * 64, (),
                      "rules/1", "fact", "", NOW, NOW, None)


def base() -> list[Change]:
    """What memories hang on."""
    messages = [Message(f"msg{n}", "s0", "claude", "p1", f"r{n}", n, Role.PERSON, Via.PROMPT, "words " * 60, NOW, "/t", n,
                        n, "0" * 64) for n in range(MESSAGES)]
    return [PutNode(Agent("claude", "Claude Code")), PutNode(Project("p1", "p1", "/p", "", ("root:/p",), NOW)),
            *(PutNode(Symbol(f"y{n}", f"f{n}", "p1")) for n in range(100)), *map(PutNode, messages)]


def batches(memories: int) -> Iterator[list[Change]]:
    """The journal of a home with some memories, three edges each."""
    yield base()
    for first in range(0, memories, 100):
        session = Session(f"s{first // 100}", "claude", f"h{first}", "p1", "", "/p", "main", "", "", "/t/a.jsonl", NOW)
        changes: list[Change] = [PutNode(session)]
        for n in range(first, min(first + 100, memories)):
            one = memory(n)
            changes += lifecycle.learn(one)
            changes.append(PutEdge(Edge("mentions", "Observation", one.key, "Symbol", f"y{n % 100}", NOW)))
        yield changes


def main() -> None:
    """Run and print."""
    options = argparse.ArgumentParser()
    options.add_argument("--memories", type=int, default=100_000)
    options.add_argument("--engine", default="kuzu")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run(Path(folder), chosen.engine, chosen.memories)


def run(folder: Path, engine: str, memories: int) -> None:
    """All measurements in a throw-away home."""
    timed("baseline: python -c pass", 10, lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
    with open(folder / "fsync", "ab") as probe:
        def sync() -> None:
            probe.write(b"x" * 300)
            probe.flush()
            os.fsync(probe.fileno())
        timed("baseline: append 300 bytes + fsync", 50, sync)
    store = Store(Home(folder / "home"), engine=engine, index=None)
    start = time.perf_counter()
    for changes in batches(memories):
        store.append(changes, at=NOW, actor="bench")
    took = time.perf_counter() - start
    size = sum(p.stat().st_size for p in store.journal.paths())
    print(f"append {memories} memories in {memories // 100} batches {took:18.2f} s    journal {size >> 20} MB")
    start = time.perf_counter()
    store.reload()
    print(f"load {memories} nodes, {3 * memories} edges {time.perf_counter() - start:27.2f} s    "
          f"graph {store.home.graph.stat().st_size >> 20 if store.home.graph.exists() else 0} MB")

    def read_one() -> None:
        with store.read() as graph:
            assert graph.memory("m00000007") is not None

    def append_one() -> None:
        store.append(lifecycle.learn(memory(next(numbers))), at=NOW, actor="bench")

    def commit_one() -> None:
        store.commit(lifecycle.learn(memory(next(numbers)), (("Message", "msg1"),)), at=NOW, actor="bench")

    numbers = iter(range(memories, memories * 2))
    timed("open for reading, one memory, close", 20, read_one)
    timed("commit one memory (journal, open, apply, close)", 20, commit_one)
    timed("append one memory (journal only)", 50, append_one)
    timed("catch up with 50 batches", 1, store.catch_up)
    with store.read() as graph:
        timed("memory by id", 100, lambda: graph.memory("m00000009"))
        timed("edges that touch a memory", 20, lambda: graph.edges((), ["m00000009@1"]))
        timed("edges of one kind that touch a memory", 20, lambda: graph.edges(["mentions"], ["m00000009@1"]))
        timed("ids by prefix", 20, lambda: graph.memory_ids("m0000000"))
        timed("messages of a session", 20, lambda: graph.messages("s0"))
        timed("counts", 3, graph.counts)
    words = [PutNode(Message(f"t{n}", "s0", "claude", "p1", f"q{n}", n, Role.PERSON, Via.PROMPT, f"words {n} " * 60, NOW,
                             "/t", n, n, "0" * 64)) for n in range(5000)]
    joined = [c for put in words for c in (put, PutEdge(Edge("in_session", "Message", put.node.id, "Session", "s0", NOW)))]
    kept = sum(len(put.node.text) for put in words)
    start = time.perf_counter()
    store.commit(joined, at=NOW, actor="bench")
    took = time.perf_counter() - start
    print(f"commit 5000 messages with their edges {took:28.2f} s    {kept / took / 1e6:.1f} MB of text a second")


if __name__ == "__main__":
    main()
