"""A person's machine for the doctor: a home that knows a session, agents' folders, and the command that hooks call."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from transcript_lines import CLAUDE_DAY, SESSION, answer, person, text_of

from agent_memory import __version__, clock
from agent_memory.app import Memory
from agent_memory.capture import heard, inbox
from agent_memory.doctor.finding import Finding
from agent_memory.doctor.registry import checks
from agent_memory.doctor.subject import Subject
from agent_memory.install import apply, plan, receipt
from agent_memory.install.machine import Machine
from agent_memory.model.event import HookEvent
from agent_memory.paths import Home

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
INSTALLED = NOW - timedelta(days=20)
DAY: Path = Path("projects") / "-home-noor-bakery"


@dataclass
class World:
    """Everything is below ``root``. ``stored`` homes are copies of one that was made once."""

    root: Path
    env: dict[str, str] = field(default_factory=dict)
    settings: dict[str, object] = field(default_factory=dict)
    kept: ExitStack = field(default_factory=ExitStack)
    """What a test holds until its end."""

    def __post_init__(self) -> None:
        self.user = self.root / "noor"
        self.home = Home(self.root / "noor" / "memory")
        self.program = self.root / "noor" / "bin" / "agent-utilities-memory"
        self.user.mkdir(parents=True, exist_ok=True)

    def command(self, says: str = f"agent-utilities-memory, version {__version__}", path: Path | None = None) -> Path:
        """A program at ``path`` that answers every question with ``says``."""
        path = path or self.program
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\necho '{says}'\n")
        path.chmod(0o755)
        return path

    @property
    def machine(self) -> Machine:
        return Machine(user=self.user, data=self.home.root, command=(str(self.program),), env=self.env)

    def subject(self, *, full: bool = False, now: datetime = NOW) -> Subject:
        place = Memory(self.home.root, now=lambda: now, **self.settings)
        return Subject(place, self.machine, now, full, wait=0.2)

    def found(self, topic: str, *, full: bool = False) -> list[Finding]:
        """What the check of a topic finds."""
        return list(checks()[topic].check(self.subject(full=full)))

    def codes(self, topic: str, *, full: bool = False) -> set[str]:
        return {finding.code for finding in self.found(topic, full=full)}

    # agents

    def install(self, *names: str) -> None:
        """The agents are on this machine and connected since `INSTALLED`."""
        self.command()
        for name in names:
            (self.user / f".{name}").mkdir(exist_ok=True)
        apply.apply(self.home, plan.install(self.home, self.machine, names))
        stamp = INSTALLED.timestamp()
        os.utime(receipt.folder(self.home) / "receipts.json", (stamp, stamp))

    def transcript(self, name: str = SESSION, records: list[dict[str, object]] | None = None, *,
                   at: datetime = NOW - timedelta(hours=2)) -> Path:
        """A transcript of Claude Code that was last written at a time."""
        path = self.user / ".claude" / DAY / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text_of(records if records is not None else CLAUDE_DAY))  # type: ignore[arg-type]
        os.utime(path, (at.timestamp(), at.timestamp()))
        return path

    def grow(self, path: Path, *, turns: int, at: datetime = NOW - timedelta(hours=1)) -> None:
        """Further turns in a transcript."""
        lines = []
        for number in range(100, 100 + 2 * turns, 2):
            lines += [person(number, f"Bake {number} more loaves of rye."), answer(number + 1, "Done, they are in the oven.")]
        with path.open("ab") as file:
            file.write(text_of(lines))
        os.utime(path, (at.timestamp(), at.timestamp()))

    def heard(self, event: str, *, agent: str = "claude", at: datetime = NOW - timedelta(hours=2), session: str = "s-1",
              transcript: str = "") -> HookEvent:
        """A hook was fired."""
        fired = HookEvent(event, agent, session, transcript, "/home/noor/bakery", clock.text(at))
        heard.note(self.home, fired)
        return fired

    def event(self, *, at: datetime, session: str = "s-1", transcript: str = "/nowhere.jsonl") -> Path:
        """A hook event that waits in the inbox."""
        return inbox.put(self.home, HookEvent("checkpoint", "claude", session, transcript, "/w", clock.text(at)),
                         nanoseconds=int(at.timestamp() * 1e9))

    def fail_events(self, error: Callable[[HookEvent], None]) -> None:
        """Whatever waits fails until it is set aside."""
        for _ in range(inbox.ATTEMPTS):
            inbox.drain(self.home, error)

    # what is stored

    def learn(self) -> Path:
        """The transcript is captured and learned from, and the views are written."""
        path = self.transcript()
        memory = Memory(self.home.root, now=lambda: NOW - timedelta(hours=1))
        memory.observe_file("claude", path)
        memory.materialize()
        return path

    def learned(self) -> Path:
        """The transcript that was learned from."""
        return self.user / ".claude" / DAY / f"{SESSION}.jsonl"


def copy(template: World, root: Path) -> World:
    """The same machine at another place; times of files stay."""
    shutil.copytree(template.root, root, copy_function=shutil.copy2, symlinks=True)
    return replace(template, root=root, env=dict(template.env), settings=dict(template.settings), kept=ExitStack())


def closed(path: Path) -> bool:
    """True if only the owner has any right."""
    return not stat.S_IMODE(path.stat().st_mode) & 0o077
