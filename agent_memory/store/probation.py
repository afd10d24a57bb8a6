"""Applies one batch in a process of its own: ``python -m agent_memory.store.probation HOME ENGINE POSITION``.

The parent holds the exclusive lease and has closed the graph. Ends with 0 if the batch was applied, with 75 if
something outside of it was wrong (a full disk), and in any other way if the batch is to blame.
"""

from __future__ import annotations

import sys

from agent_memory.errors import StoreError
from agent_memory.paths import Home
from agent_memory.store.applier import ENVIRONMENT
from agent_memory.store.engines import registry
from agent_memory.store.journal import Journal


def main(arguments: list[str]) -> int:
    """Apply the batch; returns the exit code."""
    root, engine, position = arguments
    home = Home.open(root)
    batch = next(Journal(home.journal).batches(int(position) - 1))
    try:
        graph = registry.open_graph(engine, home.graph)
    except (StoreError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return ENVIRONMENT
    try:
        graph.apply([batch])
    except (StoreError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return ENVIRONMENT if "disk is full" in str(error) or isinstance(error, OSError) else 1
    graph.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
