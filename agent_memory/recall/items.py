"""Items: messages that a program hands over, without a transcript, as changes for the store.

An item is a mapping with ``id`` and ``text``, and if known ``session``, ``timestamp`` and ``speaker``. It becomes a
Message of a session of the agent ``items``, found by recall with its own id as ``external_id``. Ids are derived from
session and id, so adding an item twice adds it once. A text longer than LONGEST becomes several messages in a row with
one ``external_id``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from agent_memory import clock, ids
from agent_memory.errors import UsageError
from agent_memory.model.change import Change, PutEdge, PutNode
from agent_memory.model.graph import Agent, Edge
from agent_memory.model.transcript import Message, Role, Session, Via
from agent_memory.paths import Home
from agent_memory.search.project import ITEMS
from agent_memory.search.reader import open_reader

BATCH: Final = 2_000
"""Items of one batch."""
BATCH_CHARACTERS: Final = 8_000_000
"""Text of one batch at most, unless one item alone holds more."""
LONGEST: Final = 1_000_000
"""Characters of one message; far below what the store takes (store/validate.py), so that no row is a burden."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_PERSONS: Final = frozenset({"", "user", "human", "person", "code"})
_AGENTS: Final = frozenset({"assistant", "agent", "ai", "model", "bot"})
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WORDS = re.compile(r"[A-Za-z]+|\d+")
_CLOCK = re.compile(r"\b(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap])?\.?(?:m\b)?", re.I)


def session_id(session: str) -> str:
    """Our id of an item session."""
    return ids.derive(_EPOCH, ITEMS, session)


def item_id(session: str, item: str) -> str:
    """The id of the Message that an item becomes."""
    return ids.derive(_EPOCH, ITEMS, session, item)


def batches(home: Home, items: Iterable[Mapping[str, Any]], *, now: datetime,
            clean: Callable[[str], str]) -> Iterator[list[Change]]:
    """Changes for the items, BATCH items a batch, in the order given. Items that are stored already are left out.

    Args:
        items: see the module; ``timestamp`` is a datetime, seconds since 1970, ISO 8601, or a date as people write it.
        clean: takes secrets and private parts out of a text.

    Raises:
        UsageError: an item without an id or with a text that is no string; earlier batches were given already.
    """
    maker = _Maker(now, clean, _next_seqs(home))
    changes: list[Change] = []
    count = size = 0
    for item in items:
        made = maker.changes(item)
        changes += made
        count += 1 if made else 0
        size += len(item["text"]) if made else 0
        if count >= BATCH or size >= BATCH_CHARACTERS:
            yield changes
            changes, count, size = [], 0, 0
    if changes:
        yield changes


class _Maker:
    def __init__(self, now: datetime, clean: Callable[[str], str],
                 stored: Callable[[str], tuple[int, set[str]]]) -> None:
        self._now, self._clean, self._stored = now, clean, stored
        self._sessions: dict[str, tuple[int, set[str]]] = {}
        self._first = True
        self._put: set[str] = set()

    def changes(self, item: Mapping[str, Any]) -> list[Change]:
        """Changes of one item; none if it is stored already or says nothing."""
        name, text = item.get("id"), item.get("text")
        if name is None or not str(name) or not isinstance(text, str):
            raise UsageError(f"an item needs an id and a text, got {sorted(item)}", hint="Earlier items were added.")
        session, speaker = str(item.get("session") or ""), str(item.get("speaker") or "")
        at = time_of(item.get("timestamp"))
        if session not in self._sessions:
            self._sessions[session] = self._stored(session_id(session))
        seq, known = self._sessions[session]
        key = item_id(session, str(name))
        if key in known or not text.strip():
            return []
        known.add(key)
        before = [] if session in self._put else self._open(session, at)
        folded = speaker.casefold()
        shown = text if folded in _PERSONS or folded in _AGENTS else f"{speaker}: {text}"
        role = Role.AGENT if folded in _AGENTS else Role.PERSON
        made: list[Change] = []
        for part, piece in enumerate(_pieces(self._clean(shown))):
            own = key if not part else item_id(session, f"{name}\x1f{part}")
            known.add(own)
            message = Message(own, session_id(session), ITEMS, "", str(name), seq + part, role,
                              Via.ANSWER if role is Role.AGENT else Via.PROMPT, piece, at, "", 0, 0, "")
            made += [PutNode(message),
                     PutEdge(Edge("in_session", "Message", own, "Session", message.session, self._now))]
        self._sessions[session] = (seq + len(made) // 2, known)
        return [*before, *made]

    def _open(self, session: str, at: datetime | None) -> list[Change]:
        self._put.add(session)
        key = session_id(session)
        made: list[Change] = [PutNode(Agent(ITEMS, "Items"))] if self._first else []
        self._first = False
        return [*made, PutNode(Session(key, ITEMS, session, "", "", "", "", "", "", "", at)),
                PutEdge(Edge("by_agent", "Session", key, "Agent", ITEMS, self._now))]


def _pieces(text: str) -> list[str]:
    """``text`` in pieces of at most LONGEST characters, cut at a blank where there is one near."""
    found: list[str] = []
    start = 0
    while len(text) - start > LONGEST:
        stop = start + LONGEST
        blank = max(text.rfind(" ", stop - 2_000, stop), text.rfind("\n", stop - 2_000, stop))
        stop = blank + 1 if blank > start else stop
        found.append(text[start:stop])
        start = stop
    return [*found, text[start:]]


def _next_seqs(home: Home) -> Callable[[str], tuple[int, set[str]]]:
    """Next ``seq`` and known ids of a stored session, from the search file."""
    def look(session: str) -> tuple[int, set[str]]:
        connection = open_reader(home.search)
        if connection is None:
            return 0, set()
        try:
            rows = connection.execute("SELECT seq, id FROM doc WHERE session = ? AND ord >= 0", (session,)).fetchall()
        finally:
            connection.close()
        return max((seq for seq, _ in rows), default=-1) + 1, {key for _, key in rows}

    return look


def time_of(value: Any) -> datetime | None:
    """A time as programs and people write it, as aware UTC; None if it cannot be told.

    >>> time_of("1:56 pm on 8 May, 2023").isoformat(), time_of("March-15-2024").isoformat()
    ('2023-05-08T13:56:00+00:00', '2024-03-15T00:00:00+00:00')
    """
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return datetime.fromtimestamp(value / 1000 if abs(value) > 1e11 else value, UTC)
        except (ValueError, OverflowError, OSError):
            return None
    if not isinstance(value, str) or not value.strip():
        return None
    try:
        return clock.parse(value.strip())
    except ValueError:
        return _loose(value)


def _loose(text: str) -> datetime | None:
    """A date with the month as a word, or year first; with a clock time if there is one."""
    found = _CLOCK.search(text)
    hour = minute = second = 0
    if found:
        hour, minute, second = int(found[1]), int(found[2]), int(found[3] or 0)
        if found[4]:
            hour = hour % 12 + (12 if found[4].lower() == "p" else 0)
        text = text[:found.start()] + " " + text[found.end():]
    words = _WORDS.findall(text)
    months = [_MONTHS.index(w[:3].lower()) + 1 for w in words if w[:3].lower() in _MONTHS and w.isalpha()]
    numbers = [int(w) for w in words if w.isdigit()]
    years = [n for n in numbers if 1900 <= n <= 2200]
    others = [n for n in numbers if n not in years]
    if months and years and others:
        parts = (years[0], months[0], others[0])
    elif years and len(others) > 1 and numbers[0] == years[0]:
        parts = (years[0], others[0], others[1])
    else:
        return None
    try:
        return datetime(*parts, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None
