"""The Markdown views: are there edits that wait, files that vanished, memories in conflict?"""

from __future__ import annotations

from collections.abc import Iterator

from agent_memory.doctor.finding import Finding
from agent_memory.doctor.subject import Subject
from agent_memory.errors import AgentMemoryError
from agent_memory.sync.read import states

TITLE = "Views and sync"
CODES = ("views-ok", "views-none", "views-missing", "views-edited", "views-gone", "view-unreadable", "sync-conflicts")


def check(subject: Subject) -> Iterator[Finding]:
    """Compare the files with what was last agreed on."""
    home = subject.home
    try:
        stored = subject.store.position() > 0
    except AgentMemoryError:
        stored = False
    if not home.views.exists() or not home.context_file.exists():
        if stored:
            yield Finding("warning", "views-missing", "the views were not written yet, so sessions start with little",
                          "run materialize")
        else:
            yield Finding("ok", "views-none", "there is nothing to show yet")
        return
    found = states(home)
    trouble = False
    for view in found:
        if view.unreadable:
            trouble = True
            yield Finding("error", "view-unreadable", f"{view.name}: {view.unreadable}; nothing of it was taken as "
                          "deleted", "correct the file or its rights, then run sync")
        elif view.gone:
            trouble = True
            yield Finding("warning", "views-gone", f"{view.name} {view.gone}: nothing is taken as deleted until you "
                          "say so", "run sync --put-back to write it again, or sync --yes to retire what it showed")
    edited = [v.name for v in found if v.edited and not v.unreadable and not v.gone]
    if edited:
        trouble = True
        yield Finding("ok", "views-edited", f"edits wait in {', '.join(edited[:3])}"
                      + (f" and {len(edited) - 3} more" if len(edited) > 3 else ""), "run sync, or wait for the worker")
    peeked = subject.peeked()
    if peeked is not None and peeked.contested:
        trouble = True
        yield Finding("warning", "sync-conflicts", f"{peeked.contested} memories contradict others and wait for you",
                      "run sync --status, then delete or change one of each pair")
    if not trouble:
        yield Finding("ok", "views-ok", f"{len([v for v in found if v.md5])} views, all as they were written")
