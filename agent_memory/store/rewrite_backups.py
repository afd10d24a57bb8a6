"""Backups without what was purged: rewritten from their own journal, or removed where they cannot be read."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

from agent_memory.errors import StoreError
from agent_memory.files import make_folder
from agent_memory.model.change import Batch
from agent_memory.paths import Home
from agent_memory.store import archive, child, proof
from agent_memory.store.archive import SUFFIX
from agent_memory.store.digest import summary
from agent_memory.store.journal import Journal
from agent_memory.store.lease import hold


def rewrite_backups(home: Home, change: Callable[[Batch], Batch], texts: Collection[str], *,
                    wait: float = 60.0) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Pass the journal of every backup through ``change``.

    A backup that held it keeps its journal, settings and key; graph and views follow from the journal when it is
    restored. ``texts`` find what the journal does not tell, such as a person's prose in a view; empty when unknown.

    Returns:
        Ids of backups that were rewritten, and of damaged ones that were removed because they cannot be searched.

    Raises:
        OSError: the disk refused; the backup at hand is as it was.
    """
    rewritten, removed = [], []
    if not home.backups.is_dir():
        return (), ()
    with hold(home.backups / ".lock", exclusive=True, wait=wait, what="the backups"):
        for left in home.backups.glob(".new-*"):
            shutil.rmtree(left, ignore_errors=True)
        for file in home.backups.glob(".*.tmp"):
            file.unlink(missing_ok=True)
        for path in sorted(home.backups.glob(f"*{SUFFIX}")):
            stage = home.backups / f".new-{secrets.token_hex(6)}"
            try:
                if _rewrite_one(path, stage, change, texts):
                    rewritten.append(path.name.removesuffix(SUFFIX))
            except StoreError:
                path.unlink()
                removed.append(path.name.removesuffix(SUFFIX))
            finally:
                shutil.rmtree(stage, ignore_errors=True)
    return tuple(rewritten), tuple(removed)


def _rewrite_one(path: Path, stage: Path, change: Callable[[Batch], Batch], texts: Collection[str]) -> bool:
    manifest = archive.unpack(path, stage)
    make_folder(stage / "journal")
    journal = Journal(stage / "journal")
    changed = journal.rewrite(change)
    if not changed and not proof.search(stage, texts):
        return False
    for torn in journal.asides():
        torn.unlink()
    journal.lock.unlink(missing_ok=True)
    (stage / "graph").unlink(missing_ok=True)
    shutil.rmtree(stage / "views", ignore_errors=True)
    if texts and (stage / "config.toml").exists() and proof.search(stage, texts):
        (stage / "config.toml").unlink()
    told = summary(child.from_journal(stage / "journal", manifest.aside))
    archive.pack(stage, path, replace(manifest, graph=told.as_json(), position=told.position))
    return True
