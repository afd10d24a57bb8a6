"""Backups: copied under the lease, opened from the copy and compared with the journal before they count.

A backup is one file ``backups/<id>.tar.zst`` (archive.py). How many are kept, and how large they are together, is
bounded. Restoring first backs up what is there, and compares what it puts back with the backup's own journal.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from agent_memory import clock, ids
from agent_memory.errors import AgentMemoryError, GraphDamaged, NotFoundError, StoreError
from agent_memory.files import make_folder, next_step
from agent_memory.paths import Home
from agent_memory.store import archive, aside, child
from agent_memory.store.applier import Applier
from agent_memory.store.archive import SUFFIX, Manifest
from agent_memory.store.digest import Summary, differing, summary
from agent_memory.store.engines import registry
from agent_memory.store.lease import hold
from agent_memory.store.open import Store

KEEP: Final = 10
"""Backups that are kept, the newest ones."""
CAP_BYTES: Final = 512 << 20
"""Bytes that all backups together may take; the newest one is always kept."""


@dataclass(frozen=True, slots=True)
class Backup:
    """One backup on disk. ``problem`` says why it cannot be used; ``manifest`` is None then."""

    id: str
    path: Path
    size: int
    manifest: Manifest | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Created:
    """A new backup, and the ids of older ones that were removed to stay below count and size."""

    backup: Backup
    removed: tuple[str, ...]


def create(store: Store, *, now: datetime, reason: str = "by hand", keep: int = KEEP, cap_bytes: int = CAP_BYTES,
           verified: bool = True) -> Created:
    """Make a backup of journal, graph, views, settings and the home's key.

    Args:
        store: The store.
        now: The present; part of the backup's id.
        reason: Why, shown by `entries`.
        keep: Number of backups to keep.
        cap_bytes: Bytes that all together may take.
        verified: Open the copy and compare it; False only to save what is left of a damaged home.

    Raises:
        GraphDamaged: the copy differs from the journal; no backup was made.
        StoreError: there is no space, or the disk refused; no backup was made.
    """
    home = store.home
    make_folder(home.backups)
    with hold(home.backups / ".lock", exclusive=True, wait=store.wait, what="the backups"):
        _clear(home)
        name = ids.new(now)
        stage = home.backups / f".new-{name}"
        try:
            _check_space(home)
            manifest = _copy(store, stage, name, now, reason, verified)
            packed = archive.pack(stage, home.backups / f"{name}{SUFFIX}", manifest)
        except OSError as problem:
            raise StoreError(f"the backup could not be written to {home.backups}: {problem.strerror or problem}",
                             hint=f"No backup was made, nothing else was changed. {next_step(problem)}") from problem
        finally:
            shutil.rmtree(stage, ignore_errors=True)
        made = home.backups / f"{name}{SUFFIX}"
        removed = _retain(home, name, keep, cap_bytes)
    return Created(Backup(name, made, made.stat().st_size, packed), removed)


def _id(path: Path) -> str:
    return path.name.removesuffix(SUFFIX)


def _clear(home: Home) -> None:
    for folder in home.backups.glob(".new-*"):
        shutil.rmtree(folder, ignore_errors=True)
    for file in home.backups.glob(".*.tmp"):
        file.unlink(missing_ok=True)


def _size(path: Path) -> int:
    if path.is_dir():
        return sum(p.stat().st_size for p in path.rglob("*") if p.is_file())
    return path.stat().st_size if path.exists() else 0


def _check_space(home: Home) -> None:
    needed = 2 * (_size(home.graph) + _size(home.journal) + _size(home.views)) + (1 << 20)
    free = shutil.disk_usage(home.backups).free
    if free < needed:
        raise StoreError(f"a backup needs {needed >> 20} MB, {free >> 20} MB are free",
                         hint="No backup was made, nothing else was changed. Free some space.")


def _copy(store: Store, stage: Path, name: str, now: datetime, reason: str, verified: bool) -> Manifest:
    home = store.home
    make_folder(stage)
    with store.exclusive() as applier:
        engine = applier.engine
        if verified and (applier.journal.position() or home.graph.exists()):
            _fold(applier)
        _copy_journal(applier, stage / "journal", store.wait)
        if registry.is_persistent(engine) and home.graph.exists():
            shutil.copyfile(home.graph, stage / "graph")
        for source, target in ((home.config, "config.toml"), (home.secret, "home.key")):
            if source.exists():
                shutil.copyfile(source, stage / target)
        left_out = aside.positions(home)
    if home.views.is_dir():
        for path in sorted(p for p in home.views.rglob("*") if p.is_file() and not p.name.endswith(".tmp")):
            copy = stage / "views" / path.relative_to(home.views)
            make_folder(copy.parent)
            shutil.copyfile(path, copy)
    made = Manifest(name, clock.text(now), reason, engine, 0, verified, tuple(sorted(left_out)))
    return _proved(stage, made) if verified else made


def _copy_journal(applier: Applier, target: Path, wait: float) -> None:
    if not applier.home.journal.exists():
        return
    with hold(applier.journal.lock, exclusive=True, wait=wait, what="the journal"):
        for path in applier.journal.paths():
            make_folder(target)
            shutil.copyfile(path, target / path.name)


def _fold(applier: Applier) -> None:
    applier.catch_up()
    applier.checkpoint()


def _proved(stage: Path, made: Manifest) -> Manifest:
    """The manifest with the summary of the copied graph, which was opened and equals the copied journal."""
    if not (stage / "journal").exists():
        return made
    graph = stage / "graph"
    found = child.probe(made.engine, graph) if graph.exists() else None
    at = found.position if found is not None else None
    wanted = summary(child.from_journal(stage / "journal", made.aside, at))
    for beside in stage.glob("graph.*"):
        beside.unlink()
    if found is not None and (wrong := differing(wanted, found)):
        raise GraphDamaged(f"the graph differs from the journal ({wrong[0]})",
                           hint="No backup was made, nothing was changed. Run rebuild, then make the backup.")
    return Manifest(made.id, made.created_at, made.reason, made.engine, wanted.position, True, made.aside,
                    wanted.as_json())


def entries(home: Home) -> list[Backup]:
    """All backups, newest first, damaged ones included."""
    found = []
    for path in sorted(home.backups.glob(f"*{SUFFIX}"), reverse=True):
        name = _id(path)
        try:
            found.append(Backup(name, path, path.stat().st_size, archive.read_manifest(path)))
        except FileNotFoundError:
            continue
        except AgentMemoryError as problem:
            found.append(Backup(name, path, path.stat().st_size, None, problem.message))
    return found


def find(home: Home, given: str) -> Backup:
    """The backup with an id, the start of one, or the newest usable one for ``latest``.

    Raises:
        NotFoundError: there is none, or several start so; the hint lists the newest.
    """
    everything = entries(home)
    if given == "latest":
        found = [b for b in everything if b.manifest is not None][:1]
    else:
        found = [b for b in everything if b.id.startswith(given.lower())] if len(given) >= 4 else []
    if len(found) != 1:
        listed = ", ".join(b.id for b in everything[:5]) or "there is no backup yet"
        raise NotFoundError(f"no single backup is called {given!r}", hint=f"nothing was changed; newest: {listed}")
    return found[0]


def _retain(home: Home, newest: str, keep: int, cap_bytes: int) -> tuple[str, ...]:
    """Remove the oldest backups beyond count or size; never the one just made."""
    removed = []
    total = 0
    paths = sorted(home.backups.glob(f"*{SUFFIX}"), reverse=True)
    for number, path in enumerate(paths):
        total += path.stat().st_size
        name = _id(path)
        if name != newest and (number >= keep or total > cap_bytes):
            path.unlink()
            removed.append(name)
    return tuple(sorted(removed))


def check(manifest: Manifest, folder: Path) -> Summary:
    """Compare an unpacked backup with its own journal; gives the summary.

    Raises:
        StoreError: they differ or do not open.
    """
    if not (folder / "journal").exists():
        return Summary(0)
    wanted = summary(child.from_journal(folder / "journal", manifest.aside))
    if manifest.graph and (wrong := differing(Summary.from_json(manifest.graph), wanted)):
        raise StoreError(f"the journal in the backup differs from what it was ({wrong[0]})",
                         hint="Nothing was changed. Choose another backup.")
    return wanted
