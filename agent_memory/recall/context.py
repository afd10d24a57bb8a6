"""context: what a session should know when it starts, in the space its host gives.

Chunks come from the Markdown views as they are now, so a person's edits count before they are synced; the search file
says which ids may still be shown, and finds more for the task. No engine, no settings, nothing heavy is imported, and
equal inputs give equal bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from agent_memory.paths import Home
from agent_memory.recall import limits, routing
from agent_memory.recall.graphemes import shorten
from agent_memory.recall.sources import Fact, Sources, gather
from agent_memory.recall.view_chunks import Chunk
from agent_memory.text import marker
from agent_memory.text.normal import content_hash, without_surrogates

LONGEST = 600
"""A single memory takes at most this many characters of a payload; the rest is behind its id."""
OLD_DAYS = 60
"""Facts older than this carry their date and source, since details may have changed."""
TASK_HITS = 8
BEST_HITS = 5
"""Of the finds for the task, as many say which sessions were about it."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the payload. ``heading`` groups lines, ``rank`` orders headings."""

    rank: int
    heading: str
    text: str
    id: str
    handle: str
    score: int
    vital: bool = False


@dataclass(frozen=True, slots=True)
class Payload:
    """The text for the host ("" for nothing to say), and what went into it."""

    text: str
    agent: str
    project: str
    budget: int
    lines: tuple[Line, ...] = ()
    handles: tuple[tuple[str, int], ...] = ()
    dropped: int = 0
    alarms: tuple[str, ...] = field(default=())

    def as_json(self) -> dict[str, Any]:
        """The stable shape of ``context --json`` (docs/reference/recall.md)."""
        return {"version": 1, "agent": self.agent, "project": self.project, "budget_chars": self.budget,
                "chars": len(self.text), "text": self.text,
                "chunks": [{"id": c.id, "heading": c.heading, "text": c.text, "handle": c.handle, "score": c.score}
                           for c in self.lines],
                "handles": [{"handle": h, "count": n} for h, n in self.handles],
                "dropped": self.dropped, "alarms": list(self.alarms)}


def build(home: Home, *, agent: str, cwd: str, task: str = "", budget_chars: int | None = None,
          sizes: limits.Sizes | None = None, now: datetime) -> Payload:
    """The start payload for ``agent`` in ``cwd``.

    Args:
        agent: stem of the host; its limit lowers the budget. An unknown host gets the budget as it is.
        cwd: folder of the session, "" for none.
        task: what will be worked on, in plain words; chooses among memories and adds what a search finds.
        budget_chars: most characters of the whole text, marker included; None for that of ``sizes``.
        sizes: what the settings say; None to look it up without loading them.
        now: decides what is expired; ages are shown as dates, so that the text does not change by the hour.
    """
    sources = gather(home, cwd=cwd, now=now)
    try:
        lines = _lines(sources, cwd, task, now)
    finally:
        sources.close()
    limit = limits.HOSTS.get(agent, limits.Limit())
    sizes = sizes or limits.sizes(sources.limits)
    budget_chars = sizes.characters if budget_chars is None else budget_chars
    kept, left = _fill(_worthy(lines, sizes), sources, budget_chars, limit)
    text = _render(kept, left, sources)
    return Payload(text, agent, sources.project, budget_chars, tuple(kept), _handles(left), sources.dropped,
                   tuple(sources.alarms))


def _lines(sources: Sources, cwd: str, task: str, now: datetime) -> list[Line]:
    """Every line that may be shown, best first, the same text once."""
    terms = routing.terms_of(cwd, task)
    found = _search(sources, task, now)
    near = {fact.file for _, fact in list(found.values())[:BEST_HITS]}
    lines: list[Line] = []
    for chunk in sources.chunks:
        fact = (sources.facts or {}).get(chunk.bullet.id)
        score = routing.score(chunk, fact, terms, found.keys(), near)
        lines.append(_line(chunk, fact, score, sources, now))
    shown = {line.id for line in lines if line.id}
    for number, (id_, (text, fact)) in enumerate(found.items()):
        if id_ not in shown and id_ not in sources.edits.gone:
            dated = _dated(sources.edits.changed.get(id_, text), fact, now)
            lines.append(Line(6, "Found for this task", f"- {dated}", id_, "startup:task:found", 70 - number))
    lines.sort(key=lambda line: -line.score)
    unique: dict[str, Line] = {}
    for line in lines:
        unique.setdefault(line.id or content_hash(line.text), line)
    return list(unique.values())


def _search(sources: Sources, task: str, now: datetime) -> dict[str, tuple[str, Fact]]:
    """Memories that a search for the task finds: id → text and what is known."""
    if sources.connection is None or not task.strip():
        return {}
    from agent_memory.recall.filters import MEMORY_TYPES, Filters
    from agent_memory.recall.search import find

    hits = find(sources.connection, task, Filters(now=now, project=sources.project, types=MEMORY_TYPES),
                limit=TASK_HITS)
    return {h.id: (h.text, Fact(False, h.priority, h.created_at.timestamp() if h.created_at else None,
                                h.source.agent, h.source.file, h.source.lines[0])) for h in hits}


_RANKS = {"rules": (1, "Rules"), "work": (2, "Current work")}
_TITLES = {"decision": 3, "lesson": 4, "preference": 5, "architecture": 7, "pattern": 8, "fact": 9}


def _line(chunk: Chunk, fact: Fact | None, score: int, sources: Sources, now: datetime) -> Line:
    vital = True
    if routing.is_work(chunk):
        rank, heading = _RANKS["work"]
        heading = f"{heading} ({sources.name})" if sources.name else heading
    elif routing.is_rule(chunk, fact):
        rank, heading = _RANKS["rules"]
    else:
        rank, heading, vital = _TITLES.get(chunk.section, 10), chunk.title or "Memory", False
    bullet = chunk.bullet
    box = "" if bullet.done is None else "[x] " if bullet.done else "[ ] "
    mark = f"{bullet.mark} " if bullet.mark else ""
    contested = " (contested)" if "contested" in bullet.suffix else ""
    text = f"- {box}{mark}{_dated(bullet.text, fact, now)}{contested}"
    return Line(rank, heading, text, bullet.id, f"startup:{chunk.view}:{chunk.section or 'top'}", score, vital)


def _dated(text: str, fact: Fact | None, now: datetime) -> str:
    """The text on one line; an old fact with its date and source behind it."""
    flat = shorten(" ".join(without_surrogates(text).split()), LONGEST)
    if fact is None or fact.created is None or now.timestamp() - fact.created < OLD_DAYS * 86400:
        return flat
    day = datetime.fromtimestamp(fact.created, UTC).date().isoformat()
    name = fact.file.replace("\\", "/").rpartition("/")[2]
    place = f"{name}:{fact.line}" if name and fact.line else name
    return f"{flat} ({', '.join(t for t in (day, fact.agent, place) if t)})"


def _fill(lines: list[Line], sources: Sources, budget: int, limit: limits.Limit) -> tuple[list[Line], list[Line]]:
    """Lines that fit, chosen greedily, and those left over.

    The vital part comes first: rules and open work share the first VITAL characters. After them the best score wins,
    and each further line of a heading counts a little less, so that one long list does not hide the others.
    """
    lines = _vital_then_mixed(lines)
    room = limits.Room(budget, limit)
    room.take(_render([], [], sources, empty=True))
    kept: list[Line] = []
    left: list[Line] = []
    headings: set[str] = set()
    handles: set[str] = set()
    for line in lines:
        extra = "" if line.heading in headings else f"\n\n## {line.heading}"
        if room.take(f"{extra}\n{line.text}"):
            headings.add(line.heading)
            kept.append(line)
        else:
            if line.handle not in handles:
                handles.add(line.handle)
                room.take(_more(line.handle, 999), must=True)
            left.append(line)
    kept = _redacted(kept) if sources.edited else kept
    while kept and not limits.fits(_render(kept, left, sources), budget, limit):
        left.insert(0, kept.pop())
    if not limits.fits(_render(kept, left, sources), budget, limit):
        return [], []
    return kept, left


def _worthy(lines: list[Line], sizes: limits.Sizes) -> list[Line]:
    """Lines, best first, that are good enough and not too many; what is vital comes before the rest."""
    best = max((line.score for line in lines), default=0)
    good = [line for line in lines if line.vital or line.score >= sizes.threshold * best]
    if not sizes.memories:
        return good
    first = sorted(range(len(good)), key=lambda i: not good[i].vital)[:sizes.memories]
    return [good[i] for i in sorted(first)]


def _vital_then_mixed(lines: list[Line]) -> list[Line]:
    """Order in which lines are tried."""
    room = {1: limits.VITAL * 5 // 10, 2: limits.VITAL * 3 // 10}
    first: list[Line] = []
    rest: list[Line] = []
    for line in lines:
        if line.vital and room[line.rank] >= len(line.text):
            room[line.rank] -= len(line.text) + 1
            first.append(line)
        else:
            rest.append(replace(line, rank=line.rank + 10, heading=f"More {line.heading.lower()}") if line.vital
                        else line)
    taken: dict[str, int] = {}
    worth: list[tuple[float, Line]] = []
    for line in rest:
        taken[line.heading] = taken.get(line.heading, -1) + 1
        worth.append((line.score - 1.5 * taken[line.heading], line))
    worth.sort(key=lambda pair: -pair[0])
    return first + [line for _, line in worth]


def _redacted(lines: list[Line]) -> list[Line]:
    """Lines of views that a person edited since the last sync, without secrets."""
    from agent_memory.text.redact_light import redact_light

    return [replace(line, text=redact_light(line.text)) for line in lines]


def _handles(left: Iterable[Line]) -> tuple[tuple[str, int], ...]:
    counts: dict[str, int] = {}
    for line in left:
        counts[line.handle] = counts.get(line.handle, 0) + 1
    return tuple(counts.items())


def _more(handle: str, count: int) -> str:
    return f"- {count} more: `agent-utilities-memory recall --handle {handle}`"


def _render(kept: list[Line], left: list[Line], sources: Sources, *, empty: bool = False) -> str:
    """The text: alarms, rules and current work first, then the rest by heading, then how to get what was left out."""
    if not kept and not sources.alarms and not empty:
        return ""
    out: list[str] = [f"⚠ {a}" for a in sources.alarms]
    groups: dict[tuple[int, str], list[Line]] = {}
    for line in kept:
        groups.setdefault((line.rank, line.heading), []).append(line)
    for rank, heading in _vital_first(groups):
        out += ["", f"## {heading}", *(line.text for line in groups[rank, heading])]
    if left:
        out += ["", "## More", *(_more(handle, count) for handle, count in _handles(left))]
    return marker.wrap("\n".join(out))


def _vital_first(groups: dict[tuple[int, str], list[Line]]) -> list[tuple[int, str]]:
    return sorted(groups, key=lambda key: (key[0], -max(line.score for line in groups[key]), key[1]))
