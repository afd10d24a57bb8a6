"""Applies one batch in a process of its own: ``python -m agent_memory.store.probation HOME ENGINE POSITION``.

The parent holds the exclusive lease and has closed the graph. Ends with 0 if the batch was applied, with 76 if it could
not be, by a crash if the engine crashed, and with 1 if something outside of the batch was wrong (a full disk).
"""

from __future__ import annotations

import sys

from agent_memory.errors import StoreError
from agent_memory.paths import Home
from agent_memory.store.applier import BLAMED
from agent_memory.store.engines import registry
from agent_memory.store.journal import Journal


def main(arguments: list[str]) -> int:
    """Apply the batch; returns the exit code."""
    root, engine, position = arguments
    home = Home.open(root)
    batch = next(Journal(home.journal).batches(int(position) - 1))
    graph = registry.open_graph(engine, home.graph)
    try:
        graph.apply([batch])
    except (OSError, MemoryError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except Exception as error:  # noqa: BLE001 - whatever it is, this batch must not block the next
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return 1 if isinstance(error, StoreError) and "disk is full" in error.message else BLAMED
    graph.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
