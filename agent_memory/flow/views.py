"""Edits in, views out: every render is preceded by an ingest of what a person wrote."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING

from agent_memory.errors import AgentMemoryError, SyncStopped
from agent_memory.flow import alarms, rules
from agent_memory.materialize.writer import MaterializeReport
from agent_memory.materialize.writer import materialize as render
from agent_memory.sync import run as syncing
from agent_memory.sync import status as sync_status
from agent_memory.sync.run import SyncReport
from agent_memory.sync.status import SyncStatus

if TYPE_CHECKING:
    from agent_memory.flow.place import Place


def sync(place: Place, *, yes: bool = False, put_back: bool = False, dry_run: bool = False) -> SyncReport:
    """One pass of two-way sync; see ``sync/run.py`` for what it raises."""
    report = syncing.sync(place.store, now=place.now(), yes=yes, put_back=put_back, dry_run=dry_run,
                          redact=place.redactor().text, alarms=alarms.alarms(place), limits=asdict(place.sizes))
    if not dry_run:
        rules.refresh(place)
    return report


def materialize(place: Place) -> MaterializeReport:
    """Take edits in and write the views. Where an edit looks like an accident, edited views are kept as they are."""
    try:
        report = sync(place)
    except SyncStopped as stopped:
        told = [*alarms.alarms(place), f"{stopped.message}. {stopped.hint}"]
        written = render(place.store, now=place.now(), alarms=told, limits=asdict(place.sizes))
        rules.refresh(place)
        return written
    assert report.views is not None  # not a dry run
    return report.views


def refresh(place: Place) -> None:
    """Bring the views up to date after the graph changed, if there are views."""
    if place.home.views.exists() and place.writes_views:
        materialize(place)


def status(place: Place) -> SyncStatus:
    """Which views are edited, in conflict or unreadable."""
    return sync_status.status(place.store)


def watch(place: Place, told: Callable[[SyncReport | AgentMemoryError], None], *, yes: bool = False) -> None:
    """Sync whenever a view changes, until interrupted; ``told`` hears of passes that did something and of errors."""
    from agent_memory.sync.watch import watch as keep_watching

    keep_watching(place.store, lambda: sync(place, yes=yes), told)
