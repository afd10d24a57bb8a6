"""Was the graph file changed by somebody else? Then it is first opened in a process of its own.

A damaged file can hang the engine inside of the process that opens it, where nothing can end the waiting. So whoever
has written the file leaves its size and time in ``kg/graph-state.json``; a file that is not as it was left (an engine
that was killed, another program, a repaired disk) must open in a child process within a time limit before it is
opened here. A file that is as it was left costs one stat.
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from agent_memory import files
from agent_memory.errors import SchemaOlder
from agent_memory.paths import Home
from agent_memory.store import child


def _path(home: Home) -> Path:
    return home.graph.with_name("graph-state.json")


def _state(home: Home) -> dict[str, int]:
    about = home.graph.stat()
    return {"size": about.st_size, "mtime_ns": about.st_mtime_ns}


def record(home: Home) -> None:
    """Remember how the graph file is now. A home that cannot be written goes on without."""
    with contextlib.suppress(OSError):
        files.write_atomic(_path(home), json.dumps(_state(home)).encode(), durable=False)


def ensure(home: Home, engine: str) -> None:
    """Make sure that the graph file can be opened in this process.

    Raises:
        GraphDamaged: it crashes or hangs the engine.
        SchemaNewer: see `migrate.pending`.
    """
    try:
        known = json.loads(_path(home).read_bytes())
    except (OSError, ValueError):
        known = None
    if known == _state(home):
        return
    try:
        child.open_only(engine, home.graph, limit=child.OPEN_LIMIT)
    except SchemaOlder:
        return  # it is migrated by whoever may write
    record(home)
