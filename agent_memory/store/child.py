"""An engine in a process of its own, with a time limit: damaged files can crash or hang the process that opens them,
and one process can load one engine only.

``python -m agent_memory.store.child probe ENGINE GRAPH`` reads everything; ``… open ENGINE GRAPH`` a little; ``…
build ENGINE GRAPH JOURNAL ASIDE`` makes a new graph from a journal, with the batches at the positions ASIDE (``3,17``
or ``-``) left empty; ``… dump ENGINE GRAPH JOURNAL`` makes a new journal from a graph. Each prints one JSON object: a
summary (digest.py) or ``{"error", "code", "hint"}``.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from agent_memory.errors import AgentMemoryError, GraphDamaged, StoreError
from agent_memory.model.change import Batch
from agent_memory.store import asking
from agent_memory.store.digest import Summary, summary
from agent_memory.store.engines.memory import MemoryGraph
from agent_memory.store.engines.registry import is_persistent, open_graph
from agent_memory.store.journal import Journal
from agent_memory.store.journal_from_graph import write_journal

TIME_LIMIT: Final = 120.0
"""Seconds that a child may always take; opening takes milliseconds, reading 100,000 nodes under a minute."""
OPEN_LIMIT: Final = 20.0
"""Seconds that opening may take: it takes milliseconds whatever the size, and 90 ms a megabyte of the engine's log."""
_SLOWEST: Final = 500_000
"""Bytes of graph that even a busy machine reads in a second; large graphs get more time by this."""


def batches(journal: Path, aside: Collection[int] = (), upto: int | None = None) -> Iterator[Batch]:
    """The journal's batches up to a position, those at the positions ``aside`` without their changes."""
    for batch in Journal(journal).batches():
        if upto is not None and batch.position > upto:
            return
        yield replace(batch, changes=()) if batch.position in aside else batch


def from_journal(journal: Path, aside: Collection[int] = (), upto: int | None = None) -> MemoryGraph:
    """What the graph must hold, worked out from the journal by the reference engine.

    Raises:
        JournalDamaged: a record cannot be trusted.
    """
    graph = MemoryGraph()
    graph.load(batches(journal, aside, upto))
    return graph


def probe(engine: str, graph: Path, *, limit: float | None = None) -> Summary:
    """Open a graph file read-only in a child process and sum up what it holds.

    ``limit`` is in seconds; without one it follows from the size of the file.

    Raises:
        GraphDamaged: it does not open, cannot be read, crashes or hangs the engine.
    """
    if limit is None:
        limit = max(TIME_LIMIT, graph.stat().st_size / _SLOWEST)
        open_only(engine, graph, limit=OPEN_LIMIT)  # most files that hang the engine do so at once
    return _run(["probe", engine, str(graph)], graph, limit)


def open_only(engine: str, graph: Path, *, limit: float) -> None:
    """Open a graph file read-only in a child process and count what is in it.

    Raises:
        GraphDamaged: it does not open, crashes or hangs the engine within ``limit`` seconds.
        StoreError: see `registry.open_graph`.
    """
    _answer(["open", engine, str(graph)], graph, limit)


def build(engine: str, graph: Path, journal: Path, aside: Collection[int] = (), *, limit: float = 3600.0) -> Summary:
    """Make a new graph file from a journal in a child process and sum up what it holds when opened again.

    Raises:
        JournalDamaged: a record cannot be trusted.
        GraphDamaged, StoreError: the engine failed; what it wrote is left at ``graph``.
    """
    if not is_persistent(engine):
        return summary(from_journal(journal, aside))
    left_out = ",".join(map(str, sorted(aside))) or "-"
    return _run(["build", engine, str(graph), str(journal), left_out], graph, limit)


def dump(engine: str, graph: Path, journal: Path, *, limit: float = 3600.0) -> Summary:
    """Write a graph as a new journal from a child process and sum up what the graph holds.

    Raises:
        GraphDamaged, StoreError: it cannot be read.
    """
    return _run(["dump", engine, str(graph), str(journal)], graph, limit)


def _run(arguments: list[str], graph: Path, limit: float) -> Summary:
    return Summary.from_json(_answer(arguments, graph, limit))


def _answer(arguments: list[str], graph: Path, limit: float) -> dict[str, Any]:
    return asking.ask("agent_memory.store.child", arguments, graph=str(graph), limit=limit,
                      hint="Run rebuild to make the graph from the journal.", errors=_ERRORS)


def _subclasses(cls: type[StoreError]) -> list[type[StoreError]]:
    return [cls, *(deeper for sub in cls.__subclasses__() for deeper in _subclasses(sub))]


_ERRORS: Final = {cls.code: cls for cls in _subclasses(StoreError)}


def _end_with_parent() -> None:
    """Nobody waits for the answer of a child whose parent was killed."""
    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    if os.name == "posix":
        threading.Thread(target=watch, daemon=True).start()


def main(arguments: list[str]) -> int:
    """Entry of the child process."""
    _end_with_parent()
    try:
        match arguments:
            case ["probe" | "open", engine, graph]:
                opened = open_graph(engine, Path(graph), read_only=True)
            case ["dump", engine, graph, journal]:
                opened = open_graph(engine, Path(graph), read_only=True)
                write_journal(opened, Path(journal))
            case ["build", engine, graph, journal, aside]:
                opened = open_graph(engine, Path(graph))
                opened.load(batches(Path(journal), () if aside == "-" else set(map(int, aside.split(",")))))
                opened.checkpoint()
                opened.close()
                opened = open_graph(engine, Path(graph), read_only=True)
            case _:
                return 2
        answer = {"counts": opened.counts()} if arguments[0] == "open" else summary(opened).as_json()
        opened.close()
    except AgentMemoryError as error:
        answer = {"error": error.message, "code": error.code, "hint": error.hint}
    except (RuntimeError, ValueError, OSError) as error:  # bytes that decode to nonsense
        answer = {"error": f"the graph holds what cannot be read: {type(error).__name__}: {error}",
                  "code": GraphDamaged.code, "hint": "Run rebuild to make the graph from the journal."}
    sys.stdout.write(json.dumps(answer))
    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
