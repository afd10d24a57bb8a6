"""What ``--fix`` does: only what loses nothing, and it says what it did."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Final

from agent_memory.capture import inbox
from agent_memory.doctor.checks.home import old_leftovers, open_paths
from agent_memory.doctor.checks.search import REMADE
from agent_memory.doctor.finding import Report
from agent_memory.doctor.subject import Subject
from agent_memory.errors import AgentMemoryError
from agent_memory.flow.drain import drain

Remedy = Callable[[Subject], str]


def owner_only(subject: Subject) -> str:
    """Take others' rights from files and folders of ours."""
    done = 0
    for path in open_paths(subject):
        path.chmod(path.stat().st_mode & 0o700)
        done += 1
    return f"took the rights of other users from {done} files and folders" if done else ""


def remove_leftovers(subject: Subject) -> str:
    """Remove temporary files of processes that are gone. Nobody else may work meanwhile."""
    with subject.store.exclusive(wait=subject.wait):
        found = old_leftovers(subject)
        for path in found:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
    return f"removed {len(found)} leftover files" if found else ""


def catch_up(subject: Subject) -> str:
    """Apply what is journaled; a missing graph or search file is made from the journal on the way."""
    position = subject.store.catch_up(wait=subject.wait)
    return f"brought graph and search file to position {position:,}"


def remake_search(subject: Subject) -> str:
    """Make the search file anew from the journal; the old one, if there is any, is replaced at once."""
    from agent_memory.search.index import SearchIndex
    from agent_memory.store import aside

    with subject.store.exclusive(wait=subject.wait) as applier:
        position = applier.catch_up()
        with SearchIndex(subject.home.search) as index:
            index.rebuild(b for b in aside.without(subject.home, subject.store.batches()) if b.position <= position)
    return "made the search file anew from the journal"


def try_events_again(subject: Subject) -> str:
    """Put events that were set aside back into the inbox and work it off."""
    back = 0
    for item, _ in inbox.aside(subject.home):
        if item.event is not None:
            inbox.put_back(subject.home, item)
            back += 1
    if not back:
        return ""
    report = drain(subject.place)
    learned = f"{report.events.done} of them learned from, {report.events.failed} failed again"
    return f"tried {back} events again that were set aside: {learned}"


REMEDIES: Final[dict[str, Remedy]] = {
    "open-to-others": owner_only,
    "leftover": remove_leftovers,
    "graph-missing": catch_up,
    "graph-behind": catch_up,
    **dict.fromkeys(REMADE, remake_search),
    "inbox-aside": try_events_again,
}
"""Code → what puts it right."""


def put_right(subject: Subject, report: Report) -> tuple[str, ...]:
    """Do what is safe about a report, each thing once; one sentence for each thing done, or why it was not."""
    done = []
    for remedy in dict.fromkeys(REMEDIES[f.code] for f in report.findings if f.code in REMEDIES):
        try:
            told = remedy(subject)
        except (AgentMemoryError, OSError) as problem:
            told = f"could not {remedy.__name__.replace('_', ' ')}: {problem}"
        if told:
            done.append(told)
    return tuple(done)


