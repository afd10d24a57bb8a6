"""Does the search file hold what the journal says?"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from agent_memory.model.memory import MemoryNode
from agent_memory.model.transcript import Message
from agent_memory.search import project, schema
from agent_memory.store.engines.memory import MemoryGraph

_NEXT = "run rebuild"


def search_findings(path: Path, wanted: MemoryGraph, position: int) -> Iterator[tuple[str, str, str, bool]]:
    """(code, what, next step, harmless) of what is wrong with the search file.

    Args:
        path: The search file.
        wanted: The graph as the journal has it.
        position: Where the journal ends.
    """
    if position == 0:
        return
    if not path.exists():
        yield "search-missing", "the search file is not there", _NEXT, False
        return
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)
        try:
            yield from _look(connection, wanted, position)
        finally:
            connection.close()
    except sqlite3.DatabaseError as problem:
        yield "search-damaged", f"the search file cannot be read: {problem}", _NEXT, False


def _look(connection: sqlite3.Connection, wanted: MemoryGraph, position: int) -> Iterator[tuple[str, str, str, bool]]:
    answer = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if answer != "ok":
        yield "search-damaged", f"the search file is damaged: {str(answer).splitlines()[0]}", _NEXT, False
        return
    version = schema.version(connection)
    if version != schema.VERSION:
        what = f"the search file has version {version or 'none'}, this program {schema.VERSION}"
        yield "search-old", what, _NEXT, False
        return
    at = int(connection.execute("SELECT value FROM meta WHERE name = 'position'").fetchone()[0])
    if at > position:
        yield "search-ahead", f"the search file stands at {at}, the journal ends at {position}", _NEXT, False
        return
    if at < wanted.position():
        yield "search-behind", f"the search file stands at {at}, the graph at {wanted.position()}", _NEXT, False
        return
    expected = {row.key: row.text for row in _rows(wanted)}
    found = dict(connection.execute("SELECT key, text FROM doc"))
    if found.keys() != expected.keys():
        yield ("search-rows", f"the search file has {len(found)} texts, the journal {len(expected)}", _NEXT, False)
    elif found != expected:
        yield "search-differs", "a text in the search file is not as in the journal", _NEXT, False
    passages = connection.execute("SELECT count(*) FROM passage").fetchone()[0]
    # FTS5 keeps a row a document in a table of its own, unless it was told not to
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'words_docsize'").fetchone():
        indexed = connection.execute("SELECT count(*) FROM words_docsize").fetchone()[0]
        if indexed != passages:
            yield "search-rows", f"{passages} passages, but {indexed} of them can be found", _NEXT, False


def _rows(wanted: MemoryGraph) -> Iterator[project.Row]:
    for node in wanted.nodes():
        row = None
        if isinstance(node, MemoryNode):
            row = project.memory_row(node)
        elif isinstance(node, Message):
            row = project.message_row(node)
        if row is not None:
            yield row
