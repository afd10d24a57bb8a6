"""Bringing a graph's schema up to date, forward only; each step is recorded with its checksum."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, Final, Protocol

import graph_schema
from agent_memory.errors import SchemaNewer, SchemaOlder, StoreError
from graph_schema import Migration

_APPLIED: Final = "MATCH (m:Migration) RETURN m.`number`, m.`checksum`"
_TABLE: Final = "CREATE NODE TABLE IF NOT EXISTS Migration (`number` INT64, `name` STRING, `checksum` STRING, " \
    "PRIMARY KEY (`number`))"


class _Session(Protocol):
    def run(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[list[Any]]: ...


@functools.cache
def known() -> tuple[Migration, ...]:
    """The migrations of this version."""
    return tuple(graph_schema.migrations())


def version() -> int:
    """Number of the newest migration we know."""
    return known()[-1].number


def pending(applied: Mapping[int, str], migrations: tuple[Migration, ...]) -> list[Migration]:
    """Migrations that are still to be applied, in order. ``applied`` gives number → checksum.

    Raises:
        SchemaNewer: something was applied that we do not know.
        StoreError: an applied migration was edited afterwards.
    """
    numbers = {m.number: m for m in migrations}
    unknown = sorted(set(applied) - set(numbers))
    if unknown:
        raise SchemaNewer(f"the graph has schema {unknown[-1]}, this version knows {max(numbers, default=0)}",
                          hint="Nothing was touched. Update agent-utilities-memory.")
    for number, checksum in applied.items():
        if numbers[number].checksum != checksum:
            raise StoreError(f"migration {number} was applied with another content",
                             hint="Nothing was touched. Run rebuild to make the graph anew from the journal.")
    return [m for m in migrations if m.number not in applied]


def prepare(session: _Session, *, read_only: bool) -> None:
    """Check the schema of an open graph and, unless ``read_only``, apply what is missing.

    Raises:
        SchemaOlder: read-only, and something is missing.
        SchemaNewer, StoreError: see `pending`.
    """
    tables = {r[0] for r in session.run("CALL show_tables() RETURN name")}
    applied = {r[0]: r[1] for r in session.run(_APPLIED)} if "Migration" in tables else {}
    todo = pending(applied, known())
    if not todo:
        return
    if read_only:
        raise SchemaOlder("the graph is of an older version", hint="Run any command that writes.")
    session.run(_TABLE)
    for migration in todo:
        session.run("BEGIN TRANSACTION")
        for statement in migration.statements:
            session.run(statement)
        session.run("CREATE (:Migration {`number`: $number, `name`: $name, `checksum`: $checksum})",
                    {"number": migration.number, "name": migration.name, "checksum": migration.checksum})
        session.run("COMMIT")
    session.run("CHECKPOINT")
