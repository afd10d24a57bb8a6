"""Transcripts: are they where we look, can they be read, and does a recent one have the fields that we know?"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final

from agent_memory.capture import heard
from agent_memory.capture.backfill import Found, candidates
from agent_memory.capture.lines import TAIL, plain_name
from agent_memory.capture.recorder import session_id
from agent_memory.capture.registry import AGENTS, agent
from agent_memory.doctor.finding import Finding
from agent_memory.doctor.subject import Subject
from agent_memory.errors import AgentMemoryError
from agent_memory.install.registry import AGENTS as INSTALLERS
from agent_memory.model.transcript import Cursor, Message, Skipped, ToolEvent
from agent_memory.roster import TITLES

TITLE = "Transcripts"
CODES = ("transcripts-ok", "transcripts-none", "transcripts-elsewhere", "transcript-unreadable", "format-unknown")

PROBED_BYTES: Final = 2_000_000
"""Of a longer transcript only so much of its end is read."""
PROBED_RECORDS: Final = 4_000
ENOUGH: Final = 5
"""So few lines that were not understood say nothing."""
SHARE: Final = 0.2
_HARMLESS = frozenset({"half-line", "no-session"})
_REASON = re.compile(r"[^\w./:-]")


def check(subject: Subject) -> Iterator[Finding]:
    """One finding an agent that is on this machine."""
    known = heard.load(subject.home)
    for name in AGENTS:
        installer = INSTALLERS.get(name)
        if installer is not None and not installer.present(subject.machine):
            continue
        title = TITLES.get(name, name)
        try:
            found = candidates(name, env=subject.machine.env, user_home=subject.machine.user)
        except (AgentMemoryError, OSError) as problem:
            yield Finding("error", "transcript-unreadable", f"{title}: {problem}",
                          getattr(problem, "hint", "") or "check the rights of the agent's folder", name)
            continue
        if not found:
            if any(one.transcript for one in known.get(name, {}).values()):
                yield Finding("warning", "transcripts-elsewhere", f"{title}: hooks name transcripts, but none is where "
                              "old ones are looked for", "start doctor with the variables that the agent is started "
                              "with, such as CLAUDE_CONFIG_DIR or CODEX_HOME", name)
            else:
                yield Finding("ok", "transcripts-none", f"{title}: no transcript yet", "", name)
            continue
        yield _newest(subject, name, title, found)


def _newest(subject: Subject, name: str, title: str, found: list[Found]) -> Finding:
    number = f"{len(found):,} transcript{'' if len(found) == 1 else 's'}"
    for one in found[:5]:
        where = subject.inside(one.path)
        try:
            if agent(name).head(one.path) is None:
                continue  # nothing but the beginning of one
            used, bad = _probe(subject, name, one)
        except AgentMemoryError as problem:
            return Finding("error", "transcript-unreadable", f"{title}: {problem.message}", problem.hint, name)
        except (OSError, ValueError) as problem:
            return Finding("error", "transcript-unreadable", f"{title}: {where} cannot be read "
                           f"({type(problem).__name__})", "check the rights of the file and of its folder", name)
        wrong = sum(bad.values())
        if wrong >= ENOUGH and wrong > SHARE * (wrong + used):
            told = ", ".join(f"{reason} ×{count}" for reason, count in bad.most_common(3))
            return Finding("warning", "format-unknown", f"{title}: of {wrong + used} records at the end of {where}, "
                           f"{wrong} were not understood ({told})", "update this program: the agent's format has "
                           "probably changed; what is understood is captured", name)
        return Finding("ok", "transcripts-ok", f"{title}: {number}, the newest from {subject.ago(one.at)}; {used} "
                       "records of it were understood", "", name)
    return Finding("ok", "transcripts-ok", f"{title}: {number}, the newest still empty", "", name)


def _probe(subject: Subject, name: str, one: Found) -> tuple[int, Counter[str]]:
    """(records that were understood, reasons why others were not) in the end of a transcript."""
    used = 0
    bad: Counter[str] = Counter()
    for record in islice(agent(name).read(one.path, _near_end(name, one), now=subject.now), PROBED_RECORDS):
        match record:
            case Message() | ToolEvent():
                used += 1
            case Skipped(reason=reason) if reason not in _HARMLESS:
                bad[_REASON.sub("", reason)[:60]] += 1
    return used, bad


def _near_end(name: str, one: Found) -> Cursor | None:
    """A cursor shortly before the end of a long file of lines; None to read all of it."""
    if one.path.suffix != ".jsonl" or one.size <= PROBED_BYTES:
        return None
    with one.path.open("rb") as file:
        file.seek(one.size - PROBED_BYTES)
        file.readline()
        offset = file.tell()
        file.seek(max(0, offset - TAIL))
        tail = hashlib.sha256(file.read(min(TAIL, offset))).hexdigest()
    return Cursor(name, plain_name(one.path), session_id(name, "probe"), offset=offset, tail=tail)
