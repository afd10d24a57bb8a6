"""Finds transcripts from before this program was installed, and stores them, newest first."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from agent_memory.capture.cursors import write_copy
from agent_memory.capture.ingest import IngestReport, ingest_file
from agent_memory.capture.registry import agent as agent_module
from agent_memory.errors import TranscriptError
from agent_memory.store.open import Store
from agent_memory.text.redact import Redactor


@dataclass(frozen=True, slots=True)
class Found:
    """A transcript on this machine: ``size`` in bytes, ``at`` when it was last written."""

    path: Path
    size: int
    at: datetime


@dataclass(frozen=True, slots=True)
class BackfillReport:
    """What was found and stored. ``failed`` names files that could not be read and why."""

    found: tuple[Found, ...]
    reports: tuple[IngestReport, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()


Progress = Callable[[int, int, Found, IngestReport | None], None]
"""Called before each transcript (report None) and after it: number from 0, how many, which, outcome."""


def candidates(agent: str, *, env: Mapping[str, str], user_home: Path, limit: int | None = None) -> list[Found]:
    """Transcripts of an agent, newest first; at most ``limit``. Files that vanish meanwhile are left out."""
    found: list[Found] = []
    for path in agent_module(agent).find(env, user_home):
        try:
            about = os.stat(path)
        except OSError:
            continue
        if about.st_size:
            found.append(Found(path, about.st_size, datetime.fromtimestamp(about.st_mtime, UTC)))
    found.sort(key=lambda f: (f.at, str(f.path)), reverse=True)
    return found if limit is None else found[:max(0, limit)]


def backfill(store: Store, agent: str, *, now: datetime, env: Mapping[str, str], user_home: Path,
             limit: int | None = None, dry_run: bool = False, redactor: Redactor | None = None,
             exclude: Sequence[str] = (), tombstoned: Callable[[str], bool] | None = None,
             progress: Progress | None = None) -> BackfillReport:
    """Store old transcripts of an agent. One that cannot be read is named and does not stop the others.

    Args:
        store: the store of a home; untouched with ``dry_run``.
        agent: stem of the agent.
        now: the present.
        env: environment variables, for folders that a person moved.
        user_home: the person's home folder.
        limit: at most so many transcripts.
        dry_run: only say what would be read.
        redactor: see `ingest_file`.
        exclude: see `ingest_file`.
        tombstoned: see `ingest_file`.
        progress: told before and after each transcript.
    """
    found = candidates(agent, env=env, user_home=user_home, limit=limit)
    if dry_run:
        return BackfillReport(tuple(found))
    reports: list[IngestReport] = []
    failed: list[tuple[str, str]] = []
    for number, transcript in enumerate(found):
        if progress:
            progress(number, len(found), transcript, None)
        report = None
        try:
            report = ingest_file(store, agent, transcript.path, now=now, redactor=redactor, exclude=exclude,
                                 tombstoned=tombstoned, actor="backfill", copy_cursors=False)
            reports.append(report)
        except TranscriptError as error:
            failed.append((str(transcript.path), error.message))
        if progress:
            progress(number, len(found), transcript, report)
    if any(r.batches for r in reports):
        write_copy(store)
    return BackfillReport(tuple(found), tuple(reports), tuple(failed))
