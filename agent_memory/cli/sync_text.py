"""How a sync pass is told, for ``sync`` and ``watch``."""

from __future__ import annotations

import dataclasses
from typing import Any

from agent_memory.cli import output
from agent_memory.cli.views_text import print_views
from agent_memory.sync.actions import Action
from agent_memory.sync.run import SyncReport
from agent_memory.sync.status import SyncStatus

_WORDS = {"ChangeText": "changed", "AddMemory": "new", "RetireMemory": "forgotten", "RestoreMemory": "restored",
          "MoveMemory": "moved", "SetPriority": "priority", "SetDone": "goal", "Conflict": "conflict"}


_SELF_TOLD = frozenset({"id", "view", "text", "created_at", "type", "tags"})


def action_item(action: Action) -> dict[str, Any]:
    """An action as plain data."""
    fields = output.plain(action)
    return {"action": type(action).__name__, **(fields if isinstance(fields, dict) else {})}


def _told(action: Action) -> str:
    word = _WORDS.get(type(action).__name__, type(action).__name__)
    text = getattr(action, "text", "")
    extra = [f"{f.name}={output.plain(getattr(action, f.name))}" for f in dataclasses.fields(action)
             if f.name not in _SELF_TOLD and getattr(action, f.name) not in (None, "", ())]
    return f"{word:<10}{text or getattr(action, 'id', '')}" + (f"  ({', '.join(extra)})" if extra and not text else "")


def print_sync(report: SyncReport, *, dry_run: bool) -> None:
    """One line an action, remarks on stderr, then the views."""
    for action in report.actions:
        output.line(f"  {_told(action)}")
    for view, places in report.redacted:
        output.note(f"{view}: secrets were taken out in {output.counted(places, 'place')} before storing")
    for view, why in report.unreadable:
        output.note(f"{view} cannot be read ({why}); nothing was concluded from it")
    for text in report.notes:
        output.note(text)
    edits = output.counted(len(report.actions), "edit")
    output.line(f"{edits} would be taken in." if dry_run else f"{edits} taken in.")
    if report.views is not None:
        print_views(report.views)


def print_status(found: SyncStatus) -> None:
    """What waits for a pass or for a person."""
    for view in found.edited:
        output.line(f"  edited      {view} (run sync)")
    for view, how in found.gone:
        output.line(f"  {how:<11} {view} (sync --put-back writes it again, sync --yes forgets what it showed)")
    for view, why in found.unreadable:
        output.line(f"  unreadable  {view}: {why}")
    for one, other in found.conflicts:
        output.line(f"  conflict    {one.id}: {one.text}")
        if other is not None:
            output.line(f"              {other.id}: {other.text}")
    if found.clean:
        output.line("Views and graph agree.")
