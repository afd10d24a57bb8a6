"""The graph: does it open, is it where the journal is, who holds it; with ``full`` compared with the journal."""

from __future__ import annotations

from collections.abc import Iterator

from agent_memory.doctor.checks.home import megabytes
from agent_memory.doctor.finding import Finding
from agent_memory.doctor.subject import Subject
from agent_memory.errors import AgentMemoryError, GraphDamaged, LeaseTimeout, SchemaNewer, SchemaOlder, StoreError
from agent_memory.store import aside
from agent_memory.store.applier import companions
from agent_memory.store.engines import registry
from agent_memory.store.verify import verify

TITLE = "Graph"
CODES = ("graph-ok", "graph-verified", "graph-busy", "graph-missing", "graph-log-orphan", "graph-damaged",
         "graph-unreadable", "graph-behind", "graph-ahead", "graph-differs", "schema-newer", "schema-older",
         "engine-unknown", "batch-aside", "verify-found")

_REBUILD = "run rebuild: it makes the graph anew from the journal"
_ELSEWHERE = frozenset({"open-to-others", "leftover", "backup-damaged", "exchange-unfinished", "purge-unfinished",
                        "journal-torn", "journal-torn-aside", "journal-damaged", "batch-aside"})
"""What `verify` finds and other checks tell."""


def check(subject: Subject) -> Iterator[Finding]:
    """Open it in a process of its own, and compare positions."""
    home = subject.home
    try:
        engine = subject.store.engine
    except StoreError as problem:
        yield Finding("error", "engine-unknown", problem.message, problem.hint)
        return
    yield from _asides(subject)
    position = _position(subject)
    if registry.is_persistent(engine) and not home.graph.exists():
        orphan = next((p for p in companions(home.graph) if p.exists()), None)
        if orphan is not None:
            yield Finding("error", "graph-log-orphan", f"{orphan.name} is there without its graph", _REBUILD)
        elif position:
            yield Finding("warning", "graph-missing", "the graph file is not there; the journal holds everything",
                          "run doctor --fix, or any command that reads: it is made again")
        return
    yield from _opened(subject, position)
    if subject.full and subject.peeked() is not None:
        yield from _verified(subject)


def _asides(subject: Subject) -> Iterator[Finding]:
    left = aside.entries(subject.home)
    if left:
        yield Finding("error", "batch-aside", f"{len(left)} batches are in the journal but not in the graph; the last "
                      f"one's reason: {left[-1].reason}", "run rebuild: it tries them again")


def _position(subject: Subject) -> int:
    """Where the journal ends; 0 where it cannot be read, which the check of the journal tells."""
    try:
        return subject.store.position()
    except AgentMemoryError:
        return 0


def _opened(subject: Subject, position: int) -> Iterator[Finding]:
    if subject.engine_trouble:
        return  # the check of programs tells
    try:
        state = subject.peek()
    except LeaseTimeout as problem:
        yield Finding("warning", "graph-busy", problem.message, "look again in a moment; end that process if it hangs")
        return
    except SchemaNewer as problem:
        yield Finding("error", "schema-newer", problem.message, "update agent-utilities-memory")
        return
    except SchemaOlder as problem:
        yield Finding("warning", "schema-older", problem.message, "run any command that reads: it is migrated")
        return
    except GraphDamaged as problem:
        yield Finding("error", "graph-damaged", problem.message, _REBUILD)
        return
    except StoreError as problem:
        yield Finding("error", "graph-unreadable", problem.message, problem.hint or _REBUILD)
        return
    if state.position > position:
        yield Finding("error", "graph-ahead", f"the graph stands at {state.position}, the journal ends at {position}",
                      "run verify; restore a backup, or run rebuild to go on with what the journal holds")
    elif state.position < position:
        yield Finding("warning", "graph-behind", f"the graph stands at {state.position}, the journal at {position}",
                      "run doctor --fix, or any command that reads: it catches up")
    else:
        size = subject.home.graph.stat().st_size if subject.home.graph.exists() else 0
        yield Finding("ok", "graph-ok", f"{subject.store.engine}, position {state.position:,}, {state.memories:,} "
                      f"memories, {megabytes(size)}; nobody holds it")


def _verified(subject: Subject) -> Iterator[Finding]:
    report = verify(subject.store)
    left = [f for f in report.findings if f.code not in _ELSEWHERE and not f.code.startswith("search-")]
    for one in left:
        known = one.code if one.code in CODES else "verify-found"
        if known != "graph-behind":
            what = one.what if known == one.code else f"{one.code}: {one.what}"
            yield Finding("warning" if one.harmless else "error", known, what, one.next_step)
    if not left:
        yield Finding("ok", "graph-verified", "every node and edge is as the journal says")
