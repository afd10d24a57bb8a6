"""Put a backup back: what is there is backed up first, and the exchange is carried through even after a crash."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from agent_memory import files, ids
from agent_memory.errors import GraphDamaged, JournalDamaged
from agent_memory.model.change import Change, PutNode
from agent_memory.model.graph import Tombstone
from agent_memory.paths import Home
from agent_memory.store import aside, backup, engine_file, swap
from agent_memory.store.applier import companions
from agent_memory.store.archive import Manifest, unpack
from agent_memory.store.engines import registry
from agent_memory.store.journal import Journal
from agent_memory.store.lease import hold
from agent_memory.store.open import Store
from agent_memory.store.remake import rebuild_leased
from agent_memory.store.swap import Move


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """What was put back, and the id of the backup of what was there before ("" for an empty home)."""

    manifest: Manifest
    safety: str
    nodes: int
    tombstones: int  # hashes of purged texts that were kept


def restore(store: Store, given: str, *, now: datetime) -> RestoreReport:
    """Put the backup ``given`` (id, start of one, or ``latest``) in the place of journal, graph, search file and views.

    Settings stay as they are unless there are none. Hashes of purged texts are kept, so that nothing purged is learned
    again. What was there before is saved as a backup of its own, without looking at its soundness if it is damaged.

    Raises:
        NotFoundError: no such backup.
        StoreError: the backup is damaged or differs from its own journal; nothing was changed.
    """
    home = store.home
    chosen = backup.find(home, given)
    stage = home.graph.with_name(f".new-{ids.new(now)}")
    try:
        manifest = unpack(chosen.path, stage)
        backup.check(manifest, stage)
        safety = _save(store, now)
        kept = _tombstones(home)
        if kept:
            Journal(stage / "journal").append(kept, at=now, actor="restore: purged texts stay purged")
        with store.exclusive():
            files.make_folder(home.journal)
            with hold(home.journal / ".lock", exclusive=True, wait=store.wait, what="the journal"):
                _exchange(home, stage, manifest)
            engine = registry.check_name(manifest.engine)
            aside.clear(home)
            done = rebuild_leased(home, engine)
    finally:
        if not swap.pending(home):
            shutil.rmtree(stage, ignore_errors=True)
    return RestoreReport(manifest, safety, done.nodes, len(kept))


def _save(store: Store, now: datetime) -> str:
    if not (store.home.journal.exists() or store.home.graph.exists()):
        return ""
    keep = backup.KEEP + 1
    try:
        return backup.create(store, now=now, reason="before restore", keep=keep).backup.id
    except (GraphDamaged, JournalDamaged):
        made = backup.create(store, now=now, reason="before restore, as damaged as it was", keep=keep, verified=False)
        return made.backup.id


def _tombstones(home: Home) -> list[Change]:
    """Hashes of purged texts, from as much of the journal as can be read."""
    found: dict[str, Change] = {}
    try:
        for batch in Journal(home.journal).batches():
            for change in batch.changes:
                if isinstance(change, PutNode) and isinstance(change.node, Tombstone):
                    found[change.node.id] = change
    except JournalDamaged:
        pass  # those before the damage are kept; the damage itself is why one restores
    return list(found.values())


def _exchange(home: Home, stage: Path, manifest: Manifest) -> None:
    """Exchange files one by one, so that the journal's lock file stays what it is. No file is named twice."""
    def name(path: Path) -> str:
        return path.relative_to(home.root).as_posix()

    live = Journal(home.journal).paths()
    new = [p for p in sorted((stage / "journal").glob("*")) if not p.name.startswith(".")]
    files.write_atomic(stage / "engine.json", json.dumps({"engine": manifest.engine}).encode() + b"\n")
    moves = [Move(name(p)) for p in live if p.name not in {n.name for n in new}]
    moves += [Move(name(home.journal / n.name), name(n)) for n in new]
    moves += [Move(name(p)) for p in (*companions(home.graph), home.search, *(
        home.search.with_name(home.search.name + end) for end in ("-wal", "-shm")))]
    for live_file, kept in ((home.graph, "graph"), (home.views, "views")):
        new_file = stage / kept
        moves.append(Move(name(live_file), name(new_file) if new_file.exists() else ""))
    moves.append(Move(name(engine_file.path(home)), name(stage / "engine.json")))
    moves += [Move(name(live_file), name(stage / kept)) for live_file, kept in (
        (home.config, "config.toml"), (home.secret, "home.key")) if not live_file.exists() and (stage / kept).exists()]
    swap.exchange(home, f"{manifest.id}-restore", moves)
