"""Open the search file for reading, beside a writer, also where nothing may be written."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from agent_memory.errors import StoreError
from agent_memory.search import schema


def open_reader(path: Path) -> sqlite3.Connection | None:
    """A read-only connection; None if there is no file yet.

    Raises:
        StoreError: the file is of another version or damaged; the hint says how to rebuild it.
    """
    if not path.exists():
        return None
    for mode in ("mode=ro", "immutable=1"):  # in a read-only folder WAL cannot be joined; the file alone is whole
        connection = None
        try:
            connection = sqlite3.connect(f"{path.absolute().as_uri()}?{mode}", uri=True, timeout=5)
            found = schema.version(connection)
        except sqlite3.Error as error:
            if connection is not None:
                connection.close()
            if mode == "mode=ro":
                continue
            raise StoreError(f"the search file {path} cannot be read: {error}", hint=REBUILD) from error
        if found != schema.VERSION:
            connection.close()
            raise StoreError(f"the search file is of version {found or 'none'}, this program needs {schema.VERSION}",
                             hint=REBUILD)
        connection.execute("PRAGMA mmap_size=268435456")
        return connection
    raise AssertionError("unreachable")


REBUILD = "Nothing is lost: `agent-utilities-memory rebuild` makes it anew from the journal."
