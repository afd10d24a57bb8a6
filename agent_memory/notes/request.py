"""What a caller wants stored, checked, and what came of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from agent_memory import clock
from agent_memory.errors import UsageError
from agent_memory.model.memory import Kind, Priority, Scope, kind_of
from agent_memory.notes.moments import duration, moment
from agent_memory.text.normal import normalise, without_surrogates

LONGEST: Final = 20_000
"""Characters of one note."""
MOST_TAGS: Final = 32
KINDS: Final = tuple(k.value for k in Kind)
_PRIORITY: Final = {Kind.DECISION: Priority.RED, Kind.PREFERENCE: Priority.YELLOW, Kind.LESSON: Priority.YELLOW}


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a note comes from, as far as the caller says: agent, session (id or the host's id), file and line."""

    agent: str = ""
    session: str = ""
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Request:
    """A checked wish to store one note. Times are aware UTC."""

    text: str
    kind: Kind
    scope: Scope
    topic_key: str = ""
    tags: tuple[str, ...] = ()
    priority: Priority = Priority.GREEN
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    review_after: datetime | None = None
    expires_at: datetime | None = None
    operation: str = ""
    origin: Origin = field(default=Origin())
    rule: str = "store"

    def fingerprint(self) -> str:
        """A hash of everything that was asked for, to tell a repeated call from another one with the same id."""
        parts = [self.text, self.kind, self.scope, self.topic_key, list(self.tags), int(self.priority),
                 *(None if t is None else clock.text(t) for t in (self.valid_from, self.valid_until, self.review_after,
                                                                  self.expires_at))]
        return hashlib.sha256(json.dumps(parts, ensure_ascii=True).encode()).hexdigest()[:24]


@dataclass(frozen=True, slots=True)
class Clash:
    """A stored memory that may contradict a note."""

    id: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class Stored:
    """What came of a wish to store.

    ``outcome`` is ``created``, ``revised`` (a new revision under its topic key), ``superseded`` (it took the place of
    another memory on the topic, ``replaces``), ``contested`` (a person's own words stand on the topic, both stay) or
    ``repeated`` (known already, ``seen`` was raised). ``replayed`` is True where the operation id was answered before.
    """

    outcome: str
    id: str
    revision: int
    text: str
    kind: str
    topic_key: str
    seen: int
    replaces: str = ""
    conflicts: tuple[Clash, ...] = ()
    replayed: bool = False
    notes: tuple[str, ...] = ()


def check(content: str, *, now: datetime, kind: str = "", scope: str = "", topic_key: str = "",
          tags: Sequence[str] = (), priority: str = "", valid_from: datetime | str | None = None,
          valid_until: datetime | str | None = None, review_after: datetime | str | None = None,
          expires_at: datetime | str | None = None, ttl: str = "", operation_id: str = "",
          origin: Origin | None = None, rule: str = "store") -> Request:
    """The request that these arguments describe.

    Raises:
        UsageError: an unknown word (the hint lists the known ones), an empty or too long text, times that contradict.
    """
    text = without_surrogates(content).replace("\r\n", "\n").replace("\x00", "").strip()
    if not normalise(text):
        raise UsageError("the note has no text", hint="Nothing was stored.")
    if len(text) > LONGEST:
        raise UsageError(f"the note has {len(text):,} characters, at most {LONGEST:,} are kept",
                         hint="Nothing was stored. Store what it says in several notes.")
    chosen = kind_of(kind) if kind.strip() else Kind.NOTE
    if chosen is None:
        raise UsageError(f"unknown kind {kind!r}", hint=f"Nothing was stored. Kinds are: {', '.join(KINDS)}.")
    if ttl.strip() and expires_at:
        raise UsageError("ttl and expires_at are both given", hint="Nothing was stored. Give one of them.")
    times = {name: moment(value, name, now=now) for name, value in (
        ("valid_from", valid_from), ("valid_until", valid_until), ("review_after", review_after),
        ("expires_at", expires_at))}
    if ttl.strip():
        times["expires_at"] = now + duration(ttl)
    start, end = times["valid_from"], times["valid_until"]
    if start and end and end <= start:
        raise UsageError("valid_until is not after valid_from", hint="Nothing was stored.")
    return Request(text, chosen, scope_of(scope), topic_slug(topic_key), tag_words(tags),
                   _priority(priority, chosen), operation=operation_id.strip()[:200], origin=origin or Origin(),
                   rule=rule, **times)


def scope_of(word: str) -> Scope:
    """The scope of that name; project where none is named.

    Raises:
        UsageError: no scope is called so.
    """
    name = word.strip().lower() or "project"
    if name in ("user", "person"):
        name = "personal"
    if name not in Scope._value2member_map_:
        raise UsageError(f"unknown scope {word!r}", hint=f"Nothing was stored. Scopes are: {', '.join(Scope)}.")
    return Scope(name)


def _priority(word: str, kind: Kind) -> Priority:
    name = word.strip().upper()
    if not name:
        return _PRIORITY.get(kind, Priority.GREEN)
    aliases = {"HIGH": "RED", "MEDIUM": "YELLOW", "NORMAL": "YELLOW", "LOW": "GREEN"}
    name = aliases.get(name, name)
    if name not in Priority.__members__:
        raise UsageError(f"unknown priority {word!r}", hint="Nothing was stored. Priorities are: red, yellow, green.")
    return Priority[name]


def topic_slug(key: str) -> str:
    """A topic key as stored: normalised, at most 120 characters; "" for none."""
    return "/".join(part for part in (normalise(p).replace(" ", "-") for p in key.split("/")) if part)[:120]


def tag_words(tags: Sequence[str]) -> tuple[str, ...]:
    """Tags as stored: normalised, without spaces, each once, sorted."""
    found = {normalise(without_surrogates(t)).lstrip("#").replace(" ", "-")[:60] for t in tags}
    return tuple(sorted(found - {""}))[:MOST_TAGS]
