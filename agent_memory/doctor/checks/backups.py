"""Backups: is there one, how old is it, can each be opened?"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from agent_memory import clock
from agent_memory.doctor.checks.home import megabytes
from agent_memory.doctor.finding import Finding
from agent_memory.doctor.subject import Subject
from agent_memory.errors import AgentMemoryError
from agent_memory.store.backup import entries

TITLE = "Backups"
CODES = ("backups-ok", "backups-none", "backup-old", "backup-damaged")

WORTH: Final = 200
"""Batches from which on a home without a backup is worth a warning."""
OLD = timedelta(days=30)


def check(subject: Subject) -> Iterator[Finding]:
    """Open each manifest."""
    try:
        position = subject.store.position()
    except AgentMemoryError:
        position = 0
    found = entries(subject.home)
    for one in found:
        if one.manifest is None:
            yield Finding("error", "backup-damaged", f"backups/{one.path.name}: {one.problem}",
                          "remove the file, then run backup create")
    sound = [one for one in found if one.manifest is not None]
    if not sound:
        if not found:
            yield Finding("warning" if position >= WORTH else "ok", "backups-none", "there is no backup yet",
                          "run backup create" if position else "")
        return
    newest = sound[0].manifest
    assert newest is not None  # chosen so
    at = clock.parse(newest.created_at)
    size = megabytes(sum(one.size for one in found))
    number = f"{len(sound)} backup{'' if len(sound) == 1 else 's'}, {size}, the newest made {subject.ago(at)}"
    if subject.now - at > OLD and newest.position < position:
        yield Finding("warning", "backup-old", number, "run backup create")
    else:
        yield Finding("ok", "backups-ok", number)
