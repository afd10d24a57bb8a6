"""How fast notes are stored one by one, beside the engine's own durable insert in the same run.

    python -m bench.notes [--notes 10000]

The engine inserts rows with as much text, each in a transaction of its own, into a file of its own. The two take turns
in blocks, so that a busy machine slows both.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import kuzu

from agent_memory.app import Memory

BLOCK = 500
WORDS = ("deploy", "build", "index", "cache", "retry", "token", "graph", "lease", "socket", "parser", "branch", "review")


@dataclass(frozen=True, slots=True)
class Measured:
    """Seconds for a note with all that follows from it (flushes included), and for the engine's insert, by block."""

    notes: int
    ours: tuple[float, ...]
    engine: tuple[float, ...]

    @property
    def per_note(self) -> float:
        """Seconds a note, over the whole run."""
        return sum(self.ours) / self.notes

    @property
    def ratio(self) -> float:
        """How many durable inserts of the engine a note costs."""
        return self.per_note / statistics.median(self.engine)

    @property
    def growth(self) -> float:
        """What a note of the last third costs beside one of the first: 1 is linear."""
        third = max(1, len(self.ours) // 3)
        return sum(self.ours[-third:]) / sum(self.ours[:third])


def text(number: int) -> str:
    """An invented note of about 25 words, unlike the others."""
    return " ".join(WORDS[(number * 7 + i * i * (1 + number % 5)) % len(WORDS)] for i in range(24)) + f" n{number}"


def measure(folder: Path, notes: int = 10_000) -> Measured:
    """Store ``notes`` notes in one process."""
    memory = Memory(folder / "home")
    project = folder / "shop"
    (project / ".git").mkdir(parents=True)
    engine = kuzu.Connection(kuzu.Database(str(folder / "engine.db"), buffer_pool_size=256 << 20, auto_checkpoint=False))
    engine.execute("CREATE NODE TABLE Note(id STRING PRIMARY KEY, body STRING, at INT64)")
    ours, theirs = [], []
    for first in range(0, notes, BLOCK):
        start = time.perf_counter()
        for number in range(first, min(first + BLOCK, notes)):
            memory.store_note(text(number), kind="fact", cwd=str(project))
        if first + BLOCK >= notes:
            memory.flush()
        ours.append(time.perf_counter() - start)
        theirs += [_insert(engine, first + n) for n in range(20)]
    with memory.store.read() as graph:
        stored = len(graph.memories())
    if stored != notes:
        raise RuntimeError(f"{stored} of {notes} notes are in the graph")
    return Measured(notes, tuple(ours), tuple(theirs))


def _insert(engine: Any, number: int) -> float:
    start = time.perf_counter()
    engine.execute("CREATE (:Note {id: $id, body: $body, at: $at})",
                   {"id": f"n{number:09d}", "body": text(number), "at": number})
    return time.perf_counter() - start


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=10_000)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        found = measure(Path(folder), parser.parse_args().notes)
    print(f"{found.notes:,} notes: {sum(found.ours):.1f} s, {found.per_note * 1e3:.2f} ms a note = {found.ratio:.1f} × the "
          f"engine's durable insert ({statistics.median(found.engine) * 1e3:.2f} ms); last third beside first {found.growth:.2f}")


if __name__ == "__main__":
    main()
