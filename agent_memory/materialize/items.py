"""Memories as bullets: order, mark, box and remarks, the same in every view."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from agent_memory.materialize.render import one_line
from agent_memory.materialize.sections import TITLES
from agent_memory.materialize.snapshot import Snapshot, is_goal
from agent_memory.model.memory import MemoryNode, Status
from agent_memory.model.view import Bullet, Section

_NOT_IN_REMARKS = re.compile(r"[\[\]|*()<>`\\]")
MOST = 150
"""Bullets of one section; the rest is counted and found by recall."""


def plain(text: str, limit: int = 60) -> str:
    """``text`` for a remark: one line, no markup, at most ``limit`` characters.

    >>> plain("a*(b)*")
    'a b'
    """
    text = " ".join(_NOT_IN_REMARKS.sub(" ", one_line(text)).split())
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def link(snapshot: Snapshot, project: str) -> str:
    """A wiki link to the view of a project; "" if it has none."""
    if project not in snapshot.stems:
        return ""
    label = plain(snapshot.name(project))
    target = snapshot.view_of(project).removesuffix(".md")
    return f"[[{target}|{label}]]" if label else f"[[{target}]]"


def bullet(memory: MemoryNode, *remarks: str) -> Bullet:
    """The bullet of a memory. Goals have a task box; a contested or pinned memory says so."""
    said = [remark for remark in remarks if remark]
    if memory.pinned:
        said.append("pinned")
    if memory.status is Status.CONTESTED:
        said.append("⚠ contested")
    return Bullet(memory.text, id=memory.id, mark=memory.priority.emoji,
                  done=memory.done if is_goal(memory) or memory.done else None, suffix=" · ".join(said))


def ranked(memories: Iterable[MemoryNode]) -> list[MemoryNode]:
    """Pinned first, then by priority, then newest; equal ones by id."""
    newest = sorted(memories, key=lambda m: (m.created_at, m.id), reverse=True)
    return sorted(newest, key=lambda m: (not m.pinned, -m.priority))


def seen(memory: MemoryNode) -> str:
    """How often something was said, as a remark; "" for once."""
    return f"seen {memory.seen}×" if memory.seen > 1 else ""


def section(name: str, memories: Sequence[MemoryNode], *, level: int = 2, title: str = "", most: int = MOST,
            confidence: bool = False) -> Section:
    """A section of ranked memories, with a line that counts those that did not fit."""
    shown = ranked(memories)
    bullets = [
        bullet(m, f"confidence {m.confidence:.2f}" if confidence else "", seen(m)) for m in shown[:most]
    ]
    if len(shown) > most:
        bullets.append(more(name, len(shown) - most))
    return Section(title or TITLES[name], name, tuple(bullets), level=level)


def more(name: str, count: int) -> Bullet:
    """A generated line that says how many memories are in the graph and not in the view."""
    return Bullet(f"{count} more in the graph; recall finds them", info=f"more.{name}")
