"""Is everything in a home as it should be? Each finding has a stable code, plain words and one next step.

Nothing is changed. The graph is opened in a process of its own with a time limit, since damaged files can hang or crash
the engine, and everything in it is compared with what the journal says.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from agent_memory.errors import AgentMemoryError, GraphDamaged, HomeError, SchemaNewer, SchemaOlder, StoreError
from agent_memory.paths import Home
from agent_memory.store import aside, child, engine_file, swap
from agent_memory.store.applier import companions
from agent_memory.store.archive import SUFFIX, read_manifest
from agent_memory.store.digest import Summary, differing, summary
from agent_memory.store.engines import registry
from agent_memory.store.engines.memory import MemoryGraph
from agent_memory.store.journal import Journal
from agent_memory.store.lease import lease
from agent_memory.store.open import Store
from agent_memory.store.purge_intent import unfinished
from agent_memory.store.verify_search import search_findings

REBUILD = "run rebuild"
RESTORE = "restore the newest backup (backup restore)"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be. ``harmless``: nothing is lost or wrong, only untidy."""

    code: str
    what: str
    next_step: str
    harmless: bool = False


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """What was looked at and found. ``graph`` sums up what the graph file holds; None where there is none."""

    position: int
    engine: str
    findings: tuple[Finding, ...]
    graph: Summary | None = field(default=None)

    @property
    def ok(self) -> bool:
        """True if nothing is lost or wrong."""
        return all(f.harmless for f in self.findings)


def verify(store: Store, *, limit: float | None = None) -> VerifyReport:
    """Look at journal, graph, search file, backups and permissions of a home.

    Args:
        store: The store.
        limit: Seconds that reading the graph may take; None for what its size asks for.

    Raises:
        LeaseTimeout: another process keeps the graph.
    """
    home = store.home
    if not home.root.exists():
        return VerifyReport(0, "", ())
    try:
        os.listdir(home.root)
    except OSError as problem:
        found = Finding("home-unreadable", f"{home.root} cannot be read: {problem.strerror}", "check its permissions")
        return VerifyReport(0, "", (found,))
    with lease(home.lease, exclusive=False, wait=store.wait):
        return _Check(home, limit).run()


class _Check:
    def __init__(self, home: Home, limit: float | None) -> None:
        self.home, self.limit = home, limit
        self.findings: list[Finding] = []
        self.engine = ""
        self.position = 0
        self.found: Summary | None = None

    def run(self) -> VerifyReport:
        self._add(_unfinished(self.home))
        if self._safely(self._engine) and self._safely(self._journal):
            self._graph_and_search()
        self._add(_asides(self.home), _permissions(self.home), _backups(self.home))
        for path in swap.leftovers(self.home):
            self.findings.append(Finding("leftover", f"{path.relative_to(self.home.root)} was left by a killed process",
                                         REBUILD, True))
        return VerifyReport(self.position, self.engine, tuple(self.findings), self.found)

    def _add(self, *groups: Iterator[Finding]) -> None:
        for group in groups:
            self.findings += group

    def _safely(self, look: Callable[[], bool]) -> bool:
        try:
            return look()
        except HomeError as problem:
            self.findings.append(Finding("home-unreadable", problem.message, problem.hint or "check the permissions"))
            return False

    def _engine(self) -> bool:
        try:
            self.engine = engine_file.choose(self.home, None)
        except StoreError as problem:
            self.findings.append(Finding("engine-unknown", problem.message, problem.hint))
            return False
        return True

    def _journal(self) -> bool:
        """True if the journal can be replayed whole."""
        journal = Journal(self.home.journal)
        damage = journal.damage()
        segments = journal.segments()
        for place in damage:
            last = bool(segments) and place.segment == segments[-1].path.name
            if last and place.reason.startswith("torn"):
                self.findings.append(Finding(
                    "journal-torn", f"{place.segment} line {place.line} was not written to its end: it was never "
                    "acknowledged", "run any command that stores something: it is moved aside", True))
                continue
            where = f"{place.segment} line {place.line}" if place.line else place.segment
            self.findings.append(Finding("journal-damaged", f"{where}: {place.reason}", self._mending()))
        for path in journal.asides():
            self.findings.append(Finding("journal-torn-aside", f"{path.name} holds a record that was cut while it was "
                                         "written", "nothing; it may be removed", True))
        if any(f.code == "journal-damaged" for f in self.findings):
            return False
        self.position = journal.position()
        return True

    def _mending(self) -> str:
        """A graph that can be read brings the journal back; else a backup does."""
        sound = registry.is_persistent(self.engine) and self.home.graph.exists()
        if sound and self.found is None:
            try:
                self.found = child.probe(self.engine, self.home.graph, limit=self.limit)
            except StoreError:
                sound = False
        return REBUILD if sound else RESTORE

    def _graph_and_search(self) -> None:
        left_out = {entry.position for entry in aside.entries(self.home)}
        persistent = registry.is_persistent(self.engine)
        if persistent and not self.home.graph.exists():
            log = next((p for p in companions(self.home.graph) if p.exists()), None)
            if log is not None:
                self.findings.append(Finding("graph-log-orphan", f"{log.name} is there without its graph", REBUILD))
            elif self.position:
                self.findings.append(Finding("graph-missing", "the graph file is not there", REBUILD))
        elif persistent:
            self._probe()
        at = self.found.position if self.found is not None else self.position
        wanted = child.from_journal(self.home.journal, left_out, at)
        if self.found is not None:
            self._compare(wanted)
        self._add(Finding(*f) for f in search_findings(self.home.search, wanted, self.position))

    def _probe(self) -> None:
        try:
            self.found = child.probe(self.engine, self.home.graph, limit=self.limit)
        except SchemaNewer as problem:
            self.findings.append(Finding("schema-newer", problem.message, "update agent-utilities-memory"))
        except SchemaOlder as problem:
            # either a home of an older version, or a file whose catalogue was wiped out: the journal knows
            self.findings.append(Finding("schema-older", problem.message, REBUILD))
        except GraphDamaged as problem:
            self.findings.append(Finding("graph-damaged", problem.message, REBUILD))
        except StoreError as problem:
            self.findings.append(Finding("graph-unreadable", problem.message, problem.hint or REBUILD))

    def _compare(self, wanted: MemoryGraph) -> None:
        found = self.found
        if found is None:
            return
        if found.position > self.position:
            self.findings.append(Finding("graph-ahead", f"the graph stands at {found.position}, the journal ends at "
                                         f"{self.position}", REBUILD))
            return
        if found.position < self.position:
            self.findings.append(Finding("graph-behind", f"the graph stands at {found.position}, the journal at "
                                         f"{self.position}", "run any command that reads: it catches up", True))
        self.findings += [Finding("graph-differs", difference, REBUILD)
                          for difference in differing(summary(wanted), found)]


def _unfinished(home: Home) -> Iterator[Finding]:
    if swap.pending(home):
        yield Finding("exchange-unfinished", "a restore was interrupted", "run any command that stores something")
    if unfinished(home):
        yield Finding("purge-unfinished", "a purge was interrupted", "run any command that reads: it is carried on")


def _asides(home: Home) -> Iterator[Finding]:
    for entry in aside.entries(home):
        yield Finding("batch-aside", f"batch {entry.position} of {entry.actor} ({entry.at}) is in the journal but not "
                      f"in the graph: {entry.reason}", REBUILD)


def _permissions(home: Home) -> Iterator[Finding]:
    if os.name != "posix":
        return
    mode = stat.S_IMODE(home.root.stat().st_mode)
    if mode & 0o077:
        yield Finding("open-to-others", f"other users may look into {home.root} (mode {mode:o})",
                      f"chmod 700 {home.root}")


def _backups(home: Home) -> Iterator[Finding]:
    for path in sorted(home.backups.glob(f"*{SUFFIX}")):
        try:
            read_manifest(path)
        except AgentMemoryError as problem:
            yield Finding("backup-damaged", problem.message, f"remove backups/{path.name}")
