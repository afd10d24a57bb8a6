"""What the doctor finds, and how it is summed up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from agent_memory.doctor.subject import Subject

Status = Literal["ok", "warning", "error"]
ORDER: Final[tuple[Status, ...]] = ("ok", "warning", "error")
VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    ``code`` is stable (docs/reference/doctor.md), ``what`` says it in plain words, ``fix`` is the one next step, "" if
    there is nothing to do. ``agent`` is a stem where the finding is about one agent.
    """

    status: Status
    code: str
    what: str
    fix: str = ""
    agent: str = ""


class Check(Protocol):
    """A module of ``doctor.checks``."""

    @property
    def TITLE(self) -> str:  # noqa: N802 - a module's constant
        """What the check is about, for people."""
        ...

    @property
    def CODES(self) -> tuple[str, ...]:  # noqa: N802 - a module's constant
        """Every code that it may find."""
        ...

    def check(self, subject: Subject) -> Iterator[Finding]:
        """Look and tell. May raise; what was told before counts."""
        ...


@dataclass(frozen=True, slots=True)
class Section:
    """The findings of one check."""

    topic: str
    title: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that was looked at; ``done`` says what was put right, one sentence each."""

    home: str
    sections: tuple[Section, ...]
    done: tuple[str, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings in order."""
        return tuple(f for section in self.sections for f in section.findings)

    @property
    def status(self) -> Status:
        """The worst of all."""
        return worst(f.status for f in self.findings)

    def as_json(self) -> dict[str, object]:
        """The stable shape of ``doctor --json``."""
        return {"version": VERSION, "status": self.status, "home": self.home, "done": list(self.done),
                "findings": [{"status": f.status, "code": f.code, "topic": section.topic, "agent": f.agent,
                              "what": f.what, "fix": f.fix} for section in self.sections for f in section.findings]}


def worst(statuses: Iterable[Status]) -> Status:
    """The worst of some.

    >>> worst(["ok", "error", "warning"]), worst([])
    ('error', 'ok')
    """
    return max(statuses, key=ORDER.index, default="ok")
