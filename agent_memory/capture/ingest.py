"""Stores what a transcript says: reads it after its cursor, redacts, and writes nodes, edges and cursor together.

Nothing is written for a transcript that did not grow. A long one is written in batches, each with the cursor that
belongs to it, so that a crash repeats a batch and never loses or doubles one.
"""

from __future__ import annotations

import fnmatch
import os
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from agent_memory.capture import rows
from agent_memory.capture.agents.base import Head
from agent_memory.capture.cursors import write_copy
from agent_memory.capture.lines import continues, plain_name
from agent_memory.capture.recorder import session_id
from agent_memory.capture.registry import agent as agent_module
from agent_memory.capture.writing import Known, Writer
from agent_memory.errors import LeaseTimeout
from agent_memory.model.transcript import Cursor, Message, Session, Skipped, ToolEvent
from agent_memory.store.base import GraphStore
from agent_memory.store.open import Store
from agent_memory.text.private import TOKEN as PRIVATE
from agent_memory.text.redact import Redactor


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What reading one transcript did.

    ``outcome`` is ``stored``, ``unchanged``, ``excluded`` (its folder is), ``own-call`` (we asked a model through an
    agent) or ``no-session`` (it holds no record of one). ``behind`` means: durable, but not in the graph yet.
    """

    agent: str
    file: str
    outcome: str
    session: str = ""
    project: str = ""
    messages: int = 0
    tool_events: int = 0
    forgotten: int = 0  # not stored because their text was purged
    bytes: int = 0
    batches: int = 0
    behind: bool = False
    sessions: tuple[str, ...] = ()  # ids of all sessions that got records
    skipped: Mapping[str, int] = field(default_factory=dict)
    redactions: Mapping[str, int] = field(default_factory=dict)


def ingest_file(store: Store, agent: str, path: Path, *, now: datetime, redactor: Redactor | None = None,
                exclude: Sequence[str] = (), tombstoned: Callable[[str], bool] | None = None, actor: str = "capture",
                copy_cursors: bool = True) -> IngestReport:
    """Store what a transcript says beyond its cursor.

    Args:
        store: the store of a home.
        agent: stem of the agent that wrote the transcript.
        path: the transcript.
        now: the present; times beyond it are brought back to it.
        redactor: with a person's own patterns; the built-in rules only by default.
        exclude: folders (or patterns with ``*``) whose sessions are not captured.
        tombstoned: True for a redacted text that was purged and must not come back.
        actor: who writes, for the journal.
        copy_cursors: also write the copy of the cursors for people.

    Raises:
        UsageError: the agent is unknown.
        TranscriptError: the file cannot be read at all.
        StoreError: the store failed; what was written before is durable.
    """
    redactor = redactor or Redactor()
    before = Counter(redactor.counts)
    path = Path(os.path.abspath(path))
    module = agent_module(agent)
    head = module.head(path)
    file = redactor.text(plain_name(path))
    if head is None or head.own_call or is_excluded(head.cwd, exclude):
        outcome = "no-session" if head is None else "own-call" if head.own_call else "excluded"
        return IngestReport(agent, file, outcome, skipped={outcome: 1} if head is None else {})
    with store.read() as graph:
        known = Known.of(graph, agent, head, redactor)
        after, seen = _where(graph, agent, path, file, head, known)
        previous = graph.cursor(agent, file)
    writer = Writer(store, agent, known, redactor, tombstoned, now=now, actor=actor, previous=previous)
    skipped: Counter[str] = Counter()
    private = 0
    cursor = previous
    for record in module.read(path, after, seen=seen, now=now):
        match record:
            case Session():
                writer.session(record)
            case Message():
                private += record.text.count(PRIVATE)
                writer.message(record)
            case ToolEvent():
                private += record.output.count(PRIVATE) + record.input.count(PRIVATE)
                writer.tool(record)
            case Skipped():
                skipped[record.reason] += 1
            case Cursor():
                cursor = writer.cursor(record)
    writer.finish()
    behind = _apply(store) if writer.batches else False
    if writer.batches and copy_cursors:
        write_copy(store)
    counts = Counter(redactor.counts) - before + Counter({"private": private} if private else {})
    start = after.offset if after and cursor and after.offset <= cursor.offset else 0
    return IngestReport(
        agent, file, "stored" if writer.batches else "unchanged", session_id(agent, head.host_id), known.project.id,
        writer.messages, writer.tools, writer.forgotten, (cursor.offset if cursor else 0) - start, writer.batches,
        behind, tuple(writer.touched), dict(skipped), dict(counts))


def together(file: str, reports: Sequence[IngestReport]) -> IngestReport:
    """One report for the sessions of a database: sums, and ``stored`` if any was."""
    first = next((r for r in reports if r.outcome == "stored"), reports[0])

    def total(name: str) -> int:
        return sum(getattr(r, name) for r in reports)

    skipped, redactions = Counter[str](), Counter[str]()
    for report in reports:
        skipped.update(report.skipped)
        redactions.update(report.redactions)
    return replace(
        first, file=file, messages=total("messages"), tool_events=total("tool_events"), forgotten=total("forgotten"),
        bytes=total("bytes"), batches=total("batches"), behind=any(r.behind for r in reports), skipped=dict(skipped),
        sessions=tuple(dict.fromkeys(s for r in reports for s in r.sessions)), redactions=dict(redactions))


def is_excluded(cwd: str, exclude: Sequence[str]) -> bool:
    """True if sessions of a folder are not captured. An entry names a folder with all below it, or is a pattern.

    >>> is_excluded("/home/a/secret/sub", ["/home/a/secret"]), is_excluded("/home/a/secrets", ["/home/a/secret"])
    (True, False)
    """
    here = cwd.replace("\\", "/").rstrip("/")
    for entry in exclude:
        wanted = os.path.expanduser(entry).replace("\\", "/").rstrip("/")
        if not wanted or not here:
            continue
        if any(c in wanted for c in "*?["):
            if fnmatch.fnmatchcase(here, wanted) or fnmatch.fnmatchcase(here, wanted + "/*"):
                return True
        elif here == wanted or here.startswith(wanted + "/"):
            return True
    return False


def _where(graph: GraphStore, agent: str, path: Path, file: str, head: Head,
           known: Known) -> tuple[Cursor | None, Collection[str]]:
    """Where to go on in a file, and the records that are stored already if it must be read again."""
    session = session_id(agent, head.host_id)
    cursor = graph.cursor(agent, file)
    goes_on = rows.continues if rows.is_session(path) else continues
    if cursor is not None and goes_on(path, cursor):
        return cursor, ()
    for other in graph.cursors():  # the host moved or renamed the file
        if cursor is None and other.agent == agent and other.session == session and other.offset \
                and goes_on(path, other):
            return _at(other, file), ()
    sources = [s.id for s in (*known.sessions.values(), *_origins(graph, agent, head, known))]
    seen: set[str] = set()
    last = cursor.seq - 1 if cursor else -1
    for source in dict.fromkeys(sources):
        records: list[Message | ToolEvent] = [*graph.messages(source), *graph.tool_events(source)]
        for record in records:
            seen.add(record.record)
            if source in known.sessions:
                last = max(last, record.seq)
    if cursor is not None:
        return cursor, seen
    return (Cursor(agent, file, session, seq=last + 1) if last >= 0 else None), seen


def _at(cursor: Cursor, file: str) -> Cursor:
    values: dict[str, Any] = {name: getattr(cursor, name) for name in cursor.__slots__}
    return Cursor(**(values | {"file": file}))


def _origins(graph: GraphStore, agent: str, head: Head, known: Known) -> list[Session]:
    """Sessions that this one may be a copy of: named by the host, or with the same first record."""
    found = [s for s in graph.sessions(known.project.id)
             if s.agent == agent and s.started_at is not None and s.started_at == head.started_at]
    if head.origin and (origin := graph.find_session(agent, head.origin)):
        found.append(origin)
    return found


def _apply(store: Store) -> bool:
    """Bring the graph up to the journal; True if another process kept it and it stays behind for now."""
    try:
        store.catch_up()
    except LeaseTimeout:
        return True
    return False
