"""What waits: the inbox, its worker, events that were set aside, and failures that nobody has seen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final

from agent_memory.capture import failures, inbox
from agent_memory.doctor.finding import Finding, Status
from agent_memory.doctor.subject import Subject
from agent_memory.service.control import running

TITLE = "Inbox and worker"
CODES = ("inbox-ok", "inbox-waiting", "inbox-stuck", "inbox-aside", "capture-failing", "worker-hung")

SOON: Final = timedelta(minutes=10)
STUCK: Final = timedelta(hours=1)
_PLAIN: Final = (
    (re.compile(r"^LeaseTimeout: (.*)"), r"another process kept the graph: \1"),
    (re.compile(r"^(?:TranscriptError|UsageError|HomeError|StoreError|ModelError|ViewError): (.*)"), r"\1"),
    (re.compile(r"^PermissionError: (.*)"), r"a file may not be read or written: \1"),
    (re.compile(r"^OSError: (?:\[Errno 28\]|No space left).*"), "the disk is full"),
    (re.compile(r"^MemoryError.*"), "the worker needed more memory than it may have"),
)


def check(subject: Subject) -> Iterator[Finding]:
    """Count, and tell the last error in plain words."""
    home = subject.home
    waiting = inbox.pending(home)
    runs = running(home)
    working = ", a worker is at it" if runs else ""
    if not waiting:
        yield Finding("ok", "inbox-ok", f"no event waits{working}")
    else:
        yield _depth(subject, waiting, working)
    if aside := inbox.aside(home):
        error = next((e for _, e in reversed(aside) if e.strip()), "")
        yield Finding("error", "inbox-aside", f"{_events(len(aside))} failed three times and went to inbox/aside; the "
                      f"last error: {plain_words(error)}", "correct the cause, then run doctor --fix: it tries "
                      "them again")
    left = failures.unresolved(home)
    if left:
        last = left[-1]
        yield Finding("error", "capture-failing", f"{len(left)} failure{'' if len(left) == 1 else 's'} since capture "
                      f"last worked, the last in the {last.get('where') or 'program'} on {str(last.get('at'))[:16]}: "
                      f"{plain_words(str(last.get('what')))}", "correct the cause, then run observe")
    hung = home.log / "worker-hung.txt"
    if hung.is_file() and hung.stat().st_size and not runs:
        at = datetime.fromtimestamp(hung.stat().st_mtime, UTC)
        yield Finding("warning", "worker-hung", f"a worker was ended by its time limit {subject.ago(at)}",
                      f"look into {subject.inside(hung)} where it hung; raise worker_seconds if it only had much to do")


def plain_words(error: str) -> str:
    """An error's first line for people.

    >>> plain_words("TranscriptError: the transcript /x does not exist")
    'the transcript /x does not exist'
    """
    first = (error.strip().splitlines() or ["unknown"])[0]
    for shape, words in _PLAIN:
        if shape.match(first):
            return shape.sub(words, first)
    return first


def _depth(subject: Subject, waiting: list[inbox.Item], working: str) -> Finding:
    since = datetime.fromtimestamp(int(waiting[0].stem.partition("-")[0]) / 1e9, UTC)
    age = subject.now - since
    tried = max(item.attempts for item in waiting)
    what = (f"{_events(len(waiting))} wait{'s' if len(waiting) == 1 else ''}, the oldest since "
            f"{subject.ago(since)}{working}" + (f"; tried {tried}×" if tried else ""))
    status: Status = "ok" if age < SOON else "warning" if working or age < STUCK else "error"
    if status == "ok":
        return Finding("ok", "inbox-ok", what)
    return Finding(status, "inbox-waiting" if status == "warning" else "inbox-stuck", what,
                   "run observe: it works them off and says what is wrong")


def _events(number: int) -> str:
    return f"{number:,} hook event{'' if number == 1 else 's'}"
