"""The engine kuzu. The only module that imports it."""

from __future__ import annotations

from pathlib import Path

import kuzu

from agent_memory.store.engines.cypher import USUAL, CypherGraph, Sizes


def open_graph(path: Path, *, read_only: bool = False, sizes: Sizes = USUAL) -> CypherGraph:
    """The database at ``path``, created if it is not there.

    Raises:
        GraphDamaged: the file does not open.
    """
    return CypherGraph(kuzu, "kuzu", path, read_only=read_only, sizes=sizes)
