"""What observing a transcript would give, and why each candidate was kept or dropped; nothing of it is stored."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent_memory.capture import registry
from agent_memory.capture.ingest import IngestReport, ingest_file, together
from agent_memory.flow import forgetting, models
from agent_memory.observe.pipeline import ObserveReport, observe_session
from agent_memory.paths import Home
from agent_memory.store.open import Store

if TYPE_CHECKING:
    from agent_memory.flow.place import Place


@dataclass(frozen=True, slots=True)
class Explained:
    """How the transcript was read, and each session's candidates, kept or dropped with the reason."""

    ingest: IngestReport
    sessions: tuple[ObserveReport, ...]


def explain_file(place: Place, source: str, path: Path) -> Explained:
    """Read a transcript from its start into a store of its own that is thrown away, and observe it dry."""
    observer = models.observer(place)
    gone = forgetting.tombstoned(place)
    with tempfile.TemporaryDirectory(prefix="agent-memory-dry-run-") as folder:
        store = Store(Home(Path(folder)), engine="memory", index=None)
        read = [ingest_file(store, source, one, now=place.now(), redactor=place.redactor(),
                            exclude=place.settings.exclude, tombstoned=gone, copy_cursors=False)
                for one in registry.transcripts(source, path) or [path]]
        ingested = read[0] if len(read) == 1 else together(str(path), read)
        return Explained(ingested, tuple(
            observe_session(store, session, observer, now=place.now(), dry_run=True, tombstoned=gone)
            for session in ingested.sessions))
