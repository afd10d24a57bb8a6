"""Several files take the place of others at once, also when the process dies halfway.

The new files are complete before ``kg/swap.json`` names them; from then on `finish` carries the exchange through, now
or at the next opening. Before that file exists nothing live was touched. Old files are kept below ``kg/.old-<name>``
until the exchange is through.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from agent_memory.errors import StoreError
from agent_memory.files import make_folder, sync_folder, write_atomic
from agent_memory.paths import Home

_MARKER: Final = "swap.json"


@dataclass(frozen=True, slots=True)
class Move:
    """``new`` takes the place of ``live``; both relative to the home. Without ``new`` the live file goes away."""

    live: str
    new: str = ""


def marker(home: Home) -> Path:
    """The file that says an exchange has to be carried through."""
    return home.graph.with_name(_MARKER)


def pending(home: Home) -> bool:
    """True if an exchange was begun and not finished. Costs one look at the folder."""
    return marker(home).exists()


def exchange(home: Home, name: str, moves: Sequence[Move]) -> None:
    """Carry out an exchange. The caller holds the exclusive lease and the journal's lock where that moves.

    ``name`` is part of folder names: letters, digits and dashes.
    """
    sync_folder(home.graph.parent)
    plan = {"name": name, "moves": [[m.live, m.new] for m in moves]}
    write_atomic(marker(home), json.dumps(plan).encode())
    finish(home)


def finish(home: Home) -> bool:
    """Carry a begun exchange through. True if there was one. The caller holds the exclusive lease.

    Raises:
        StoreError: the marker cannot be read, or a file cannot be moved; try again when the cause is gone.
    """
    try:
        plan = json.loads(marker(home).read_bytes())
        name, moves = str(plan["name"]), [Move(str(live), str(new)) for live, new in plan["moves"]]
    except FileNotFoundError:
        return False
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise StoreError(f"{marker(home)} cannot be read: {problem}",
                         hint="Nothing was changed. Restore a backup, or remove the file and run verify.") from problem
    old = home.graph.with_name(f".old-{name}")
    try:
        make_folder(old)
        for number, move in enumerate(moves):
            _move(home, move, old / f"{number}")
        sync_folder(home.graph.parent)
        marker(home).unlink()
        sync_folder(home.graph.parent)
        shutil.rmtree(old)
    except OSError as problem:
        raise StoreError(f"files could not be exchanged: {problem}",
                         hint="Every file is still there. Free the cause and run the command again.") from problem
    return True


def _move(home: Home, move: Move, aside: Path) -> None:
    live = home.root / move.live
    if not move.new:
        if live.exists() and not aside.exists():
            os.rename(live, aside)
        return
    new = home.root / move.new
    if not new.exists():
        return  # done before a crash
    if live.exists():
        os.rename(live, aside)
    make_folder(live.parent)
    os.rename(new, live)


def leftovers(home: Home) -> list[Path]:
    """Files and folders that a killed process left behind: safe to remove while no exchange is pending."""
    if pending(home):
        return []
    found = [p for pattern in (".old-*", ".new-*") for p in home.graph.parent.glob(pattern)]
    found += [p for folder in (home.root, home.graph.parent, home.journal, home.views, home.backups, home.inbox)
              for p in folder.glob(".*.tmp")]
    found += home.backups.glob(".new-*")
    found += [p for p in (home.search.with_name(home.search.name + ".new"),) if p.exists()]
    return sorted(found)


def clear_leftovers(home: Home) -> list[Path]:
    """Remove `leftovers`; the caller holds the exclusive lease. Gives what was removed."""
    gone = leftovers(home)
    for path in gone:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return gone
