"""Which programs do the work: this package, Python, SQLite, the graph engine, and other copies of the command."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from agent_memory import __version__
from agent_memory.doctor.finding import Finding
from agent_memory.doctor.subject import Subject
from agent_memory.store.engines import registry

TITLE = "Programs"
CODES = ("versions", "engine-missing", "sqlite-without-search", "versions-several", "program-passing")

COMMAND: Final = "agent-utilities-memory"
SECONDS: Final = 20.0
"""A program that says nothing for so long counts as one that does not run."""


def check(subject: Subject) -> Iterator[Finding]:
    """Tell the versions; look for what is missing or twice."""
    yield Finding("ok", "versions", ", ".join((f"{COMMAND} {__version__}", f"Python {platform.python_version()}",
                                               f"SQLite {sqlite3.sqlite_version}", *_engines())))
    if subject.engine_trouble:
        yield Finding("error", "engine-missing", f"the engine {subject.engine} cannot be imported: "
                      f"{subject.engine_trouble}", f"install {COMMAND} again; what is stored is safe")
    if not _has_search():
        yield Finding("error", "sqlite-without-search", f"SQLite {sqlite3.sqlite_version} was built without FTS5 or "
                      "its trigram tokenizer", "use a Python whose SQLite is 3.34 or newer with FTS5")
    yield from _copies(subject)
    from agent_memory.install.command import passing

    if passing(subject.machine.command[0]):
        yield Finding("warning", "program-passing", f"{subject.inside(subject.machine.command[0])} is in a folder that "
                      "gets cleaned up", "install the program for good (pipx, uv tool, a virtual environment), then "
                      "run install again")


def _engines() -> Iterator[str]:
    for name in registry.ENGINES:
        if registry.is_persistent(name):
            try:
                yield f"{name} {importlib.metadata.version(name)}"
            except importlib.metadata.PackageNotFoundError:
                continue


def version_of(command: Sequence[str]) -> str:
    """What a copy of this program says is its version; "" if it does not run or is another program."""
    try:
        done = subprocess.run([*command, "--version"], capture_output=True, check=False, timeout=SECONDS,
                              stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return ""
    words = done.stdout.decode("utf-8", "replace").split()
    return words[-1] if done.returncode == 0 and words and words[0].startswith(COMMAND) else ""


def _has_search() -> bool:
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize='trigram')")
    except sqlite3.Error:
        return False
    finally:
        connection.close()
    return True


def _copies(subject: Subject) -> Iterator[Finding]:
    """Other copies on the search path with another version: which one a person starts is chance."""
    found: dict[str, str] = {}
    for folder in dict.fromkeys(subject.machine.env.get("PATH", "").split(os.pathsep)):
        path = shutil.which(COMMAND, path=folder) if folder else None
        if path is not None:
            found.setdefault(str(Path(path).resolve()), path)
    others = {path: said for path in list(found.values())[:5] if (said := version_of([path])) != __version__}
    if others:
        told = ", ".join(f"{subject.inside(path)} ({said or 'does not run'})" for path, said in others.items())
        yield Finding("warning", "versions-several", f"there are other copies on the search path: {told}; this one is "
                      f"{__version__}", "remove the copies that you do not use, then run install again")
