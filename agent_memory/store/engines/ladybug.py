"""The engine ladybug. The only module that imports it."""

from __future__ import annotations

from pathlib import Path

import ladybug

from agent_memory.store.engines.cypher import USUAL, CypherGraph, Sizes


def open_graph(path: Path, *, read_only: bool = False, sizes: Sizes = USUAL) -> CypherGraph:
    """The database at ``path``, created if it is not there.

    Raises:
        GraphDamaged: the file does not open.
    """
    # A kill may tear the end of the engine's log. It then opens with what was committed before, whose position is
    # part of the same transaction, and the journal replays the rest.
    return CypherGraph(ladybug, "ladybug", path, read_only=read_only, sizes=sizes, throw_on_wal_replay_failure=False)
