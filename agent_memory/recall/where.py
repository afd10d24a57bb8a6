"""Which project a question is about: named by a person, or the one around a folder. Reads the search file only."""

from __future__ import annotations

import os
import sqlite3

from agent_memory import projects
from agent_memory.errors import AmbiguousError, NotFoundError
from agent_memory.paths import Home
from agent_memory.search.reader import open_reader

_SHOWN = 8


def project_around(home: Home, cwd: str) -> str:
    """The id of the project around a folder, "" if nothing is known of it."""
    identity = projects.identify(cwd) if cwd else projects.Identity((), "", "", "")
    connection = open_reader(home.search)
    if connection is None:
        return projects.resolve(identity, {})
    try:
        return projects.resolve(identity, _known(connection, identity.keys))
    finally:
        connection.close()


def project_named(home: Home, given: str) -> str:
    """The id of the project that ``given`` names: an id, a name, or a folder.

    Raises:
        NotFoundError: no project is called so; the hint lists known names.
        AmbiguousError: several are; the hint lists their ids.
    """
    connection = open_reader(home.search)
    if connection is None:
        raise NotFoundError(f"no project is called {given!r}", hint="nothing is stored yet")
    try:
        return _named(connection, given)
    finally:
        connection.close()


def _named(connection: sqlite3.Connection, given: str) -> str:
    rows = connection.execute("SELECT id, name, root FROM project ORDER BY name, id").fetchall()
    exact = [row for row in rows if row[0] == given] or [row for row in rows if row[1] == given] \
        or [row for row in rows if row[1].casefold() == given.casefold()]
    if len(exact) > 1:
        listed = ", ".join(f"{row[0]} ({row[2]})" for row in exact[:_SHOWN])
        raise AmbiguousError(f"several projects are called {given!r}", hint=f"name one by its id: {listed}")
    if exact:
        return str(exact[0][0])
    if os.sep in given or "/" in given or given in (".", ".."):
        folder = os.path.abspath(given)
        for place in (given, folder):
            identity = projects.identify(place)
            found = projects.resolve(identity, _known(connection, identity.keys))
            if any(found == row[0] for row in rows):
                return found
    names = ", ".join(sorted({row[1] for row in rows})[:_SHOWN]) or "none yet"
    raise NotFoundError(f"no project is called {given!r}", hint=f"known projects: {names}")


def _known(connection: sqlite3.Connection, keys: tuple[str, ...]) -> dict[str, str]:
    marks = ", ".join("?" for _ in keys)
    return dict(connection.execute(f"SELECT key, project FROM alias WHERE key IN ({marks})", keys).fetchall())
