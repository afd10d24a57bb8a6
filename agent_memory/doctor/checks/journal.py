"""The journal: is it whole, how long is it, and is it folded?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from agent_memory.doctor.checks.home import megabytes
from agent_memory.doctor.finding import Finding
from agent_memory.doctor.subject import Subject
from agent_memory.errors import AgentMemoryError
from agent_memory.store import swap
from agent_memory.store.journal import SEGMENT_BYTES, Journal
from agent_memory.store.purge_intent import unfinished

TITLE = "Journal"
CODES = ("journal-ok", "journal-empty", "journal-damaged", "journal-torn", "journal-unfolded", "exchange-unfinished",
         "purge-unfinished")

READ_BYTES: Final = 16_000_000
"""A longer journal is read whole only with ``--full``; else its last segment."""
UNFOLDED: Final = 8
"""Closed segments that are not compressed, from which on it is told."""
_RESTORE = "run verify for the whole list; rebuild brings it back from a sound graph, else backup restore latest"


def check(subject: Subject) -> Iterator[Finding]:
    """Read the journal, or its end if it is long."""
    home = subject.home
    if swap.pending(home):
        yield Finding("warning", "exchange-unfinished", "a restore was interrupted", "run any command that stores "
                      "something: it is carried through")
    if unfinished(home):
        yield Finding("warning", "purge-unfinished", "a purge was interrupted", "run any command that reads: it is "
                      "carried through")
    journal = Journal(home.journal, wait=subject.wait)
    segments = journal.segments()
    if not segments:
        yield Finding("ok", "journal-empty", "nothing was stored yet")
        return
    size = sum(s.path.stat().st_size for s in segments)
    if subject.full or size <= READ_BYTES:
        damage = [(f"{d.segment} line {d.line}" if d.line else d.segment, d.reason) for d in journal.damage()]
        last = segments[-1].path.name
        torn = [d for d in damage if d[0].startswith(last) and d[1].startswith("torn")]
        bad = [d for d in damage if d not in torn]
    else:
        torn, bad = [], _end(journal, segments[-1].first)
    if bad:
        more = f" and {len(bad) - 1} more places" if len(bad) > 1 else ""
        yield Finding("error", "journal-damaged", f"{bad[0][0]}: {bad[0][1]}{more}", _RESTORE)
        return
    if torn:
        yield Finding("warning", "journal-torn", f"{torn[0][0]} was not written to its end; it was never acknowledged",
                      "run any command that stores something: it is moved aside")
    closed = [s for s in segments[:-1] if not s.packed and s.path.stat().st_size >= SEGMENT_BYTES // 2]
    told = f"{journal.position():,} batches in {len(segments)} segment{'' if len(segments) == 1 else 's'}, "
    if len(closed) >= UNFOLDED:
        yield Finding("warning", "journal-unfolded", f"{told}{megabytes(size)}; {len(closed)} closed ones are not "
                      "compressed", "run compact")
    elif not torn:
        yield Finding("ok", "journal-ok", f"{told}{megabytes(size)}")


def _end(journal: Journal, first: int) -> list[tuple[str, str]]:
    """Damage in the last segment."""
    try:
        for _ in journal.batches(first - 1):
            pass
    except AgentMemoryError as problem:
        return [(problem.message, "found while reading its end")]
    return []
