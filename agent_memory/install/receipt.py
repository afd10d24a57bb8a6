"""What was written where, so that it can be taken back: ``install/receipts.json`` below the data directory.

Original bytes are kept beside it in ``install/backups``, named by their SHA-256.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent_memory.errors import InstallError
from agent_memory.files import make_folder, write_atomic
from agent_memory.paths import Home

VERSION = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """One file that we changed or made."""

    path: str
    agent: str
    scope: str  # "user", or the root of a project
    format: str
    created: bool  # the file was not there before
    before: str  # SHA-256 of the bytes before, "" if created
    after: str  # SHA-256 of the bytes that we wrote
    template: str  # SHA-256 of the rendered template
    made: dict[str, str] = field(default_factory=dict)  # what the editor needs to take its changes back
    folders: tuple[str, ...] = ()  # folders that we made, outermost first
    rules: bool = False
    limit: int = 0
    head: str = ""
    server: bool = False  # the MCP server is registered in it


def digest(data: bytes | None) -> str:
    """SHA-256 in hex; "" for no bytes at all."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def folder(home: Home) -> Path:
    """Where receipts and backups are."""
    return home.root / "install"


def load(home: Home) -> dict[str, Entry]:
    """Path → entry; empty if nothing was ever installed.

    Raises:
        InstallError: the receipts cannot be read; nothing was changed.
    """
    path = folder(home) / "receipts.json"
    try:
        data = json.loads(path.read_bytes())
        entries = [_entry(item) for item in data["files"]]
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as problem:
        raise InstallError(f"{path} cannot be read ({type(problem).__name__})",
                           hint="nothing was changed; move the file aside and run install again: entries of ours are "
                                "recognised without it") from problem
    return {entry.path: entry for entry in entries}


def _entry(item: dict[str, Any]) -> Entry:
    """An entry from its JSON object; keys that a newer version added are left out."""
    known = {f.name for f in dataclasses.fields(Entry)}
    values = {key: value for key, value in item.items() if key in known}
    values["folders"] = tuple(values.get("folders", ()))
    return Entry(**values)


def save(home: Home, entries: dict[str, Entry]) -> None:
    """Write the receipts."""
    make_folder(folder(home))
    files: list[dict[str, Any]] = [dataclasses.asdict(entries[path]) for path in sorted(entries)]
    text = json.dumps({"version": VERSION, "files": files}, ensure_ascii=False, indent=1)
    write_atomic(folder(home) / "receipts.json", text.encode("utf-8", "surrogateescape"))


def keep(home: Home, data: bytes) -> Path:
    """Keep ``data`` as a backup and give its path; the same bytes are kept once."""
    backups = folder(home) / "backups"
    make_folder(backups)
    path = backups / digest(data)
    if not path.exists():
        write_atomic(path, data)
    return path


def forget(home: Home, gone: Entry, rest: Iterable[Entry]) -> None:
    """Remove the backup of ``gone``, whose file has its bytes back, unless the ``rest`` still needs it."""
    if gone.before and not any(entry.before == gone.before for entry in rest):
        (folder(home) / "backups" / gone.before).unlink(missing_ok=True)


def kept(home: Home, name: str) -> bytes | None:
    """The backup with that SHA-256, checked; None if it is missing or damaged."""
    try:
        data = (folder(home) / "backups" / name).read_bytes()
    except OSError:
        return None
    return data if digest(data) == name else None
