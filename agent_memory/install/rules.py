"""Keeps the rules files fresh that give memory to agents whose hooks cannot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from agent_memory.errors import EditRefused
from agent_memory.files import write_atomic
from agent_memory.install import edit, edit_block, receipt
from agent_memory.install.plan import read
from agent_memory.paths import Home

Payload = Callable[[str, str, int], str]
"""(agent, folder of the project or "" for what holds everywhere, characters) → the start payload."""

EMPTY = "Nothing is known yet. This block is filled after the first session."


def refresh_rules(home: Home, payload: Payload) -> tuple[Path, ...]:
    """Write the present payload into every rules file that ``install`` made; the files that changed.

    A file that is gone, cannot be read, or from which a person took our block is left alone. Only the block changes.
    A global file gets what holds for all projects, since every project's session reads it.

    Args:
        home: the data directory with the receipts.
        payload: called once per file; with "" as folder it must not use what belongs to a project.

    Raises:
        InstallError: the receipts cannot be read.
        OSError: a file cannot be written.
    """
    changed: list[Path] = []
    for entry in receipt.load(home).values():
        if not entry.rules:
            continue
        path = Path(entry.path)
        try:
            data = read(path)
            bom, text = edit.decode(data or b"")
        except EditRefused:
            continue  # told by status and doctor; the worker has no one to tell
        if not edit_block.ours(text):
            continue
        rest = len(edit_block.remove(text)) + len(edit_block.BEGIN) + len(edit_block.END) + 8
        room = max(0, entry.limit - rest) if entry.limit else 0
        body = ""
        if room or not entry.limit:
            body = payload(entry.agent, "" if entry.scope == "user" else entry.scope, room)
        new = bom + edit_block.add(text, body or EMPTY)[0].encode("utf-8")
        if new != data:
            target = path.resolve()
            mode = target.stat().st_mode & 0o7777
            write_atomic(target, new, durable=False)
            target.chmod(mode)
            changed.append(path)
    return tuple(changed)
