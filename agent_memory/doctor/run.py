"""Asks every check, one after the other, and makes what they say fit to be shown."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from agent_memory.doctor.finding import Check, Finding, Report, Section
from agent_memory.doctor.registry import FAILED, INSIDE, checks
from agent_memory.doctor.subject import Subject
from agent_memory.errors import AgentMemoryError
from agent_memory.text.redact import Redactor

LONGEST: Final = 500
"""Characters of one sentence; what a library says may be longer."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]+")


def examine(subject: Subject) -> Report:
    """Look at everything; nothing is changed. A check that fails is a finding of its own."""
    clean = _cleaner()
    sections = []
    for topic, check in checks().items():
        if topic in INSIDE and not subject.usable:
            continue
        told = tuple(replace(f, what=clean(f.what), fix=clean(f.fix)) for f in _look(check, subject))
        if told:
            sections.append(Section(topic, check.TITLE, told))
    return Report(clean(subject.inside(subject.home.root)), tuple(sections))


def _look(check: Check, subject: Subject) -> list[Finding]:
    found: list[Finding] = []
    try:
        found.extend(check.check(subject))
    except AgentMemoryError as problem:
        found.append(Finding("error", FAILED, f"{check.TITLE}: {problem.message}", problem.hint))
    except Exception as problem:  # noqa: BLE001 - a doctor that falls ill is of no use to anybody
        where = f": {problem}" if isinstance(problem, OSError) else ""
        found.append(Finding("error", FAILED, f"{check.TITLE} could not be looked at ({type(problem).__name__}{where})",
                             "correct what the other findings say, then look again"))
    return found


def _cleaner() -> Callable[[str], str]:
    """Takes secrets and control characters out, since findings quote errors, file names and command lines."""
    redactor = Redactor()

    def clean(text: str) -> str:
        flat = redactor.text(_CONTROL.sub(" ", text)).strip()
        return flat if len(flat) <= LONGEST else flat[:LONGEST - 1] + "…"

    return clean
