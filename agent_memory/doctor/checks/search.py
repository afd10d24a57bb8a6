"""The search file: can it be opened, is it of this version, and is it where the graph is?"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from agent_memory.doctor.checks.home import megabytes
from agent_memory.doctor.finding import Finding
from agent_memory.doctor.subject import Subject
from agent_memory.errors import AgentMemoryError
from agent_memory.search import schema
from agent_memory.store import child
from agent_memory.store.aside import positions
from agent_memory.store.verify_search import search_findings

TITLE = "Search"
CODES = ("search-ok", "search-missing", "search-damaged", "search-old", "search-behind", "search-ahead", "search-rows",
         "search-differs")

REMADE = ("search-missing", "search-damaged", "search-old", "search-behind")
"""What ``--fix`` puts right."""
_FIX = "run doctor --fix: it is made again from the journal"


def check(subject: Subject) -> Iterator[Finding]:
    """Compare its position with the journal's; with ``full`` its texts too."""
    try:
        position = subject.store.position()
    except AgentMemoryError:
        return  # the check of the journal tells
    if not position:
        return
    path = subject.home.search
    if not path.exists():
        yield Finding("warning", "search-missing", "the search file is not there: recall finds nothing", _FIX)
        return
    found = list(_look(subject, position))
    if not found and subject.full:
        wanted = child.from_journal(subject.home.journal, positions(subject.home))
        found = [Finding("error", code, what, "run rebuild")
                 for code, what, _, _ in search_findings(path, wanted, position)]
    yield from found or [Finding("ok", "search-ok", f"position {position:,}, {megabytes(path.stat().st_size)}")]


def _look(subject: Subject, position: int) -> Iterator[Finding]:
    path = subject.home.search
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)
        try:
            version = schema.version(connection)
            if version != schema.VERSION:
                yield Finding("warning", "search-old", f"the search file has version {version or 'none'}, this program "
                              f"needs {schema.VERSION}", _FIX)
                return
            at = int(connection.execute("SELECT value FROM meta WHERE name = 'position'").fetchone()[0])
            connection.execute("SELECT count(*) FROM doc").fetchone()
        finally:
            connection.close()
    except (sqlite3.Error, TypeError, ValueError) as problem:
        yield Finding("error", "search-damaged", f"the search file cannot be read: {problem}", _FIX)
        return
    peeked = subject.peeked()
    graph = peeked.position if peeked is not None else position
    if at > position:
        yield Finding("error", "search-ahead", f"the search file stands at {at}, the journal ends at {position}",
                      "run rebuild")
    elif at < min(graph, position):
        yield Finding("warning", "search-behind", f"the search file stands at {at}, the graph at {graph}", _FIX)
