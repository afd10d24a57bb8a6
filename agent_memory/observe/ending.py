"""What of a session's memories no longer stands: taken back by later words, or open work that was closed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from agent_memory.model import lifecycle
from agent_memory.model.candidate import Observed, SessionView
from agent_memory.model.change import Change
from agent_memory.model.memory import VISIBLE, MemoryNode, Status
from agent_memory.observe.matching import same_meaning
from agent_memory.text.normal import content_hash

PASSING = frozenset({"open", "outcome", "summary"})
"""Rules whose observations speak of the moment: when the session goes on, they may stop being true."""
_LINE = re.compile(r"line (\d+)")


@dataclass(frozen=True, slots=True)
class Ended:
    """Memories that end with the reason, and the changes for it."""

    ended: tuple[tuple[MemoryNode, str], ...]
    changes: tuple[Change, ...]


def endings(observed: Observed, view: SessionView, mine: Sequence[MemoryNode], stored: Sequence[MemoryNode], *,
            actor: str, now: datetime) -> Ended:
    """Compare a session's memories with what its observer says now.

    Only memories of this session that rest on records in the view can end. Pinned ones and those that a person edited
    stay: only people end them.
    """
    shown = {r.id for r in view.records if r.seq >= observed.covers_from}
    back = {content_hash(d.text): d.reason for d in observed.dropped if d.reason.startswith("taken back")}
    standing = [c.text for c in observed.candidates]
    ended: list[tuple[MemoryNode, str]] = []
    changes: list[Change] = []
    can_end = shown | view.taken_back
    for memory in mine:
        if memory.message not in can_end or memory.status not in VISIBLE or memory.pinned or memory.revision > 1:
            continue
        if memory.message in view.taken_back:
            reason = "the agent's host took back what it rests on"
            changes += _end(memory, reason, actor, now)
        elif memory.content_hash in back:
            reason = back[memory.content_hash]
            by = _replacement(reason, stored)
            changes += lifecycle.supersede(by, memory, reason, actor, now) if by else _end(memory, reason, actor, now)
        elif memory.rule in PASSING and observed.covers_from == 0 and not any(
                same_meaning(memory.text, text) for text in standing):
            reason = "the session went on and no longer says so"
            changes += _end(memory, reason, actor, now)
        else:
            continue
        ended.append((memory, reason))
    return Ended(tuple(ended), tuple(changes))


def _end(memory: MemoryNode, reason: str, actor: str, at: datetime) -> list[Change]:
    """No longer true, with nothing in its place. Not forgotten: when somebody says it anew, it is learned anew."""
    return [*lifecycle.set_status(memory, Status.SUPERSEDED, reason, actor, at),
            lifecycle.state(memory, {"valid_until": memory.valid_until or at})]


def _replacement(reason: str, stored: Sequence[MemoryNode]) -> MemoryNode | None:
    """The memory that was said where the earlier one was taken back."""
    line = _LINE.search(reason)
    return next((m for m in stored if line and m.line == int(line[1])), None)
