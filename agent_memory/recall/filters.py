"""Which documents may be seen at all: one predicate for every arm, applied before anything is cut.

The same rule as model/visibility.py, in SQL over the search file (tests compare both).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from agent_memory.errors import UsageError
from agent_memory.model.memory import KIND_ALIASES, VISIBLE, Kind, Priority, Scope, Status

MEMORY_TYPES: Final = ("observation", "reflection", "preference", "principle")
DEFAULT_TYPES: Final = (*MEMORY_TYPES, "item")
TYPES: Final = (*DEFAULT_TYPES, "message")


@dataclass(frozen=True, slots=True)
class Filters:
    """What is asked for. Empty collections mean no restriction; ``as_of`` looks at memory as it was known then.

    ``since`` and ``until`` bound the time of what was said (``until`` exclusive).
    """

    now: datetime
    project: str = ""
    all_projects: bool = False
    as_of: datetime | None = None
    kinds: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    scopes: tuple[str, ...] = ()
    statuses: tuple[Status, ...] = tuple(sorted(VISIBLE))
    priorities: tuple[int, ...] = ()
    types: tuple[str, ...] = DEFAULT_TYPES
    since: datetime | None = None
    until: datetime | None = None

    @property
    def moment(self) -> datetime:
        """The time from which validity and expiry are judged."""
        return self.as_of or self.now

    def tags(self) -> str:
        """The coarse part as an FTS5 expression over the tag column. It never excludes what `where` lets through."""
        lives = ("live",) if self.as_of is None and set(self.statuses) <= VISIBLE else ("live", "dead")
        kinds = [f"{life}-{t}" for t in self.types for life in lives if life == "live" or t in MEMORY_TYPES]
        found = f"tag : ({' OR '.join(_quoted(k) for k in kinds)})"
        if not self.all_projects:
            walls = ["g", *([f"w{self.project}"] if self.project else [])]
            found = f"tag : ({' OR '.join(_quoted(w) for w in walls)}) AND {found}"
        return found

    def where(self) -> tuple[str, list[Any]]:
        """The exact predicate over the columns of ``doc d``, and its parameters."""
        moment = self.moment.timestamp()
        parts = [f"d.type IN ({_marks(self.types)})"]
        values: list[Any] = [*self.types]
        if self.as_of is None:
            parts.append(f"d.current = 1 AND d.status IN ({_marks(self.statuses)})")
            values += [int(s) for s in self.statuses]
        else:
            parts.append("d.recorded <= ? AND NOT EXISTS (SELECT 1 FROM doc e WHERE e.id = d.id AND e.revision > "
                         "d.revision AND e.recorded <= ?) AND coalesce((SELECT h.status FROM history h WHERE h.id = "
                         "d.id AND h.at <= ? ORDER BY h.at DESC, h.rowid DESC LIMIT 1), 1) "
                         f"IN ({_marks(self.statuses)})")
            values += [moment, moment, moment, *(int(s) for s in self.statuses)]
        parts.append("coalesce(d.valid_from <= ?, 1) AND coalesce(d.expires > ?, 1)")
        values += [moment, moment]
        if Status.SUPERSEDED not in self.statuses:
            parts.append("coalesce(d.valid_until > ?, 1)")
            values.append(moment)
        if not self.all_projects:
            parts.append("(d.scope <> 'project' OR d.project = '' OR d.project = ?)")
            values.append(self.project)
        for column, wanted in (("kind", self.kinds), ("session", self.sessions), ("agent", self.agents),
                               ("scope", self.scopes), ("priority", self.priorities)):
            if wanted:
                parts.append(f"d.{column} IN ({_marks(wanted)})")
                values += [*wanted]
        for bound, sign in ((self.since, ">="), (self.until, "<")):
            if bound is not None:
                parts.append(f"d.created {sign} ?")
                values.append(bound.timestamp())
        return " AND ".join(parts), values


def checked(filters: Filters) -> Filters:
    """The filters, if every word in them is known.

    Raises:
        UsageError: an unknown kind, scope, type or priority; the hint lists the known ones.
    """
    for name, wanted, known in (("kind", filters.kinds, {k.value for k in Kind}), ("type", filters.types, set(TYPES)),
                                ("scope", filters.scopes, {s.value for s in Scope}),
                                ("priority", filters.priorities, {int(p) for p in Priority})):
        for value in wanted:
            if value not in known:
                raise UsageError(f"unknown {name} {value!r}",
                                 hint=f"Known are: {', '.join(map(str, sorted(known, key=str)))}.")
    return filters


def kind_words(kinds: Collection[str]) -> tuple[str, ...]:
    """Kinds by their own names, also from their other names (``error`` is a lesson)."""
    return tuple(KIND_ALIASES[k.lower()].value if k.lower() in KIND_ALIASES else k.lower() for k in kinds)


def _marks(values: Collection[Any]) -> str:
    return ", ".join("?" * len(values))


def _quoted(token: str) -> str:
    return '"' + token.replace('"', "") + '"'
