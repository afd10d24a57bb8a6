"""Carries out a plan: backup, receipt, atomic replace, one file after the other."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import portalocker

from agent_memory.errors import EditRefused, InstallError
from agent_memory.files import make_folder, write_atomic
from agent_memory.install import receipt
from agent_memory.install.plan import Plan, Step, read
from agent_memory.install.receipt import Entry
from agent_memory.paths import Home


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a step ended: ``done`` (or nothing to do), or the reason why the file was left as it was."""

    step: Step
    done: bool
    problem: str = ""
    hint: str = ""


def apply(home: Home, plan: Plan) -> tuple[Outcome, ...]:
    """Carry out every step of ``plan`` that changes something; a step that fails does not stop the others.

    Raises:
        InstallError: another installation is running, or the data directory cannot be written.
    """
    try:
        with _alone(home):
            return tuple(_step(home, step) for step in plan.steps)
    except OSError as problem:
        raise InstallError(f"{receipt.folder(home)} cannot be written ({problem.strerror or problem})",
                           hint="nothing more was changed") from problem


@contextlib.contextmanager
def _alone(home: Home) -> Iterator[None]:
    make_folder(receipt.folder(home))
    try:
        with portalocker.Lock(receipt.folder(home) / "lock", mode="a", timeout=10, fail_when_locked=False):
            yield
    except portalocker.LockException as problem:
        raise InstallError("another installation is running",
                           hint="nothing was changed; try again in a moment") from problem


def _step(home: Home, step: Step) -> Outcome:
    if step.action == "refuse":
        return Outcome(step, False, step.message, step.hint)
    entries = receipt.load(home)
    old = entries.get(str(step.path))
    if step.entry is not None:
        entries[str(step.path)] = step.entry
    if step.action == "keep":
        if step.entry is None:
            entries.pop(str(step.path), None)
        receipt.save(home, entries)
        return Outcome(step, True)
    if step.before is not None and _worth_keeping(step, old):
        receipt.keep(home, step.before)
    if step.entry is not None:
        # The receipt comes first: after a crash in between, our entries are just not found.
        receipt.save(home, entries)
    try:
        if read(step.path) != step.before:
            return Outcome(step, False, "the file has just changed", "nothing was changed; run it again")
        _replace(step.path, step.after)
    except EditRefused as problem:
        return Outcome(step, False, problem.message, "nothing was changed")
    except OSError as problem:
        return Outcome(step, False, f"cannot be written ({problem.strerror or problem})",
                       "the file is as it was; check its permissions")
    if step.entry is None:
        entries.pop(str(step.path), None)
        receipt.save(home, entries)
        if old is not None:
            receipt.forget(home, old, entries.values())
            _remove_folders(old.folders)
    return Outcome(step, True)


def _worth_keeping(step: Step, old: Entry | None) -> bool:
    """False for bytes that are ours alone, and for a rules file at the end: its block holds memory, not settings."""
    assert step.before is not None
    if old is not None and receipt.digest(step.before) == old.after:
        return False
    return step.entry is not None or old is None or old.format != "block"


def _replace(path: Path, data: bytes | None) -> None:
    """Give ``path`` new bytes, or remove it. A symlink stays one: what it points to is changed. The mode stays."""
    real = Path(os.path.realpath(path))
    if data is None:
        path.unlink()
        return
    mode = real.stat().st_mode & 0o7777 if real.exists() else None
    real.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(real, data)
    if mode is not None:
        os.chmod(real, mode)


def _remove_folders(folders: tuple[str, ...]) -> None:
    for folder in reversed(folders):
        with contextlib.suppress(OSError):
            os.rmdir(folder)
