"""What must not come back, and how it is removed for good."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agent_memory.flow import views
from agent_memory.forget import purge as purging
from agent_memory.forget.purge import Preview
from agent_memory.forget.rescan import RescanReport, redact_rescan
from agent_memory.forget.selection import Selection
from agent_memory.store.gone import purged_texts
from agent_memory.store.purge import PurgeReport

if TYPE_CHECKING:
    from agent_memory.flow.place import Place


def tombstoned(place: Place) -> Callable[[str], bool]:
    """Answers whether a text was purged, without keeping the graph open."""
    with place.store.read() as graph:
        return purged_texts(graph, place.home)


def plan_purge(place: Place, selection: Selection) -> Preview:
    """What a purge would take out."""
    return purging.plan(place.store, selection, many=True, words_too=selection.by_words_only())


def purge(place: Place, preview: Preview) -> PurgeReport:
    """Carry out what was previewed; views are written anew before the proof."""
    return purging.purge(place.store, preview, now=place.now(), refresh=lambda: views.refresh(place))


def rescan(place: Place, *, dry_run: bool) -> RescanReport:
    """The present redaction rules over everything that is stored."""
    return redact_rescan(place.store, place.redactor().text, now=place.now(), dry_run=dry_run,
                         refresh=lambda: views.refresh(place))
