"""A graph engine that speaks the Cypher of kuzu and its fork: one open database file.

Everything here keeps to the safe subset (docs/decisions/): what may be written stands in ``write.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from agent_memory.errors import GraphDamaged, HomeError, StoreError
from agent_memory.model.change import Batch
from agent_memory.store import migrate
from agent_memory.store.engines import bulk
from agent_memory.store.engines.read import CypherReader
from agent_memory.store.engines.write import immortal, write_batch

MAX_DB_BYTES: Final = 1 << 32
"""Address space for the file: a power of two, far above any memory and below common limits of address space."""
POOL_BYTES: Final = 256 << 20
"""Memory for pages; copying 100,000 rows needs 128 MiB."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much an engine may take: address space (a power of two) and page memory, in bytes; threads."""

    max_db: int = MAX_DB_BYTES
    pool: int = POOL_BYTES
    threads: int = 2


USUAL: Final = Sizes()
_abandoned: Final[set[Path]] = set()


class CypherGraph(CypherReader):
    """One open database. Not to be shared between threads; one that failed must be closed and not used again."""

    persistent = True

    def __init__(self, module: Any, engine: str, path: Path, *, read_only: bool, sizes: Sizes = USUAL,
                 **options: Any) -> None:
        self.engine = engine
        self.path = path
        self.unplaced = 0
        self._failed = False
        self._set_done = False
        self._closed = False
        if not read_only and path in _abandoned:
            raise StoreError(f"{engine} failed in this process and cannot be used by it again",
                             hint="What was journaled is safe and is applied by the next process.")
        try:
            self._database = module.Database(str(path), buffer_pool_size=sizes.pool, max_db_size=sizes.max_db,
                                             max_num_threads=sizes.threads, read_only=read_only,
                                             auto_checkpoint=False, **options)
            self._connection = module.Connection(self._database)
        except (RuntimeError, IndexError, OSError) as error:
            if "Could not set lock" in str(error):
                raise StoreError(f"another program has {path} open",
                                 hint="Nothing was changed. End that program, or this one, and try again.") from error
            if "Permission denied" in str(error):
                raise HomeError(f"cannot open {path}: permission denied",
                                hint="Nothing was changed. Check the owner and the rights of the file.") from error
            raise GraphDamaged(f"{engine} cannot open {path}: {error}",
                               hint="Nothing was changed. Run rebuild to make the graph from the journal.") from error
        try:
            if not read_only:
                # else each closing folds the log, which rewrites whole edge tables for a single edge
                self.run("CALL force_checkpoint_on_close=false")
            migrate.prepare(self, read_only=read_only)
        except BaseException:
            self.close()
            raise

    def run(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[list[Any]]:
        """All rows of a statement."""
        result = self._execute(statement, parameters)
        rows = result.get_all()
        result.close()
        return list(rows)

    def stream(self, statement: str) -> Iterator[list[Any]]:
        """Rows of a statement, one at a time."""
        result = self._execute(statement, None)
        while result.has_next():
            yield result.get_next()
        result.close()

    def _execute(self, statement: str, parameters: Mapping[str, Any] | None) -> Any:
        if self._failed or self._closed:
            raise StoreError(f"{self.engine} was closed or has failed before", hint="Open the store again.")
        self._set_done = self._set_done or " SET " in statement
        try:
            result = self._connection.execute(statement, dict(parameters)) if parameters \
                else self._connection.execute(statement)
        except RuntimeError as error:
            self._failed = True
            text = str(error)
            if "No space" in text or "Cannot write to file" in text:
                raise StoreError(f"{self.engine}: the disk is full: {text}",
                                 hint="What was journaled is safe. Free some disk space and try again.") from error
            raise StoreError(f"{self.engine} failed: {text}",
                             hint="What was journaled is safe and is applied by the next command.") from error
        if statement == "COMMIT":
            self._set_done = False
        return result

    def apply(self, batches: Sequence[Batch]) -> None:
        """Apply batches beyond the position, each in one transaction."""
        done = self.position()
        for batch in batches:
            if batch.position > done:
                try:
                    self.unplaced += write_batch(self, batch)
                except BaseException:
                    self._failed = True  # an open transaction must not be closed, see `immortal`
                    raise
                done = batch.position

    def load(self, batches: Iterable[Batch]) -> None:
        """Fill the empty graph by bulk copy."""
        self.unplaced += bulk.load(self, self.path.with_name(self.path.name + ".load"), batches)

    def checkpoint(self) -> None:
        """Fold the write-ahead log into the file."""
        self.run("CHECKPOINT")

    def close(self) -> None:
        """Release the file; after a failure that left a transaction with sets, leave it to the end of the process."""
        if self._closed:
            return
        self._closed = True
        if self._failed and self._set_done:
            _abandoned.add(self.path)  # two databases on one file in one process would not see each other
            immortal(self._connection)
            immortal(self._database)
            return
        self._connection.close()
        self._database.close()
