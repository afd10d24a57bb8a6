"""Times and durations as callers write them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from agent_memory import clock
from agent_memory.errors import UsageError

_DURATION = re.compile(r"\s*(\d{1,6})\s*(h|d|w|mo|y)[a-z]*\s*\Z", re.IGNORECASE)
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1), "mo": timedelta(days=30),
          "y": timedelta(days=365)}


def duration(text: str) -> timedelta:
    """A length of time: a number with h, d, w, mo or y.

    Raises:
        UsageError: it is none, or not above zero.

    >>> duration("90d").days, duration("2 weeks").days
    (90, 14)
    """
    found = _DURATION.match(text)
    length = int(found[1]) * _UNITS[found[2].lower()] if found else timedelta()
    if length <= timedelta():
        raise UsageError(f"{text!r} is no length of time", hint="Nothing was changed. Write 12h, 90d, 6w, 3mo or 1y.")
    return length


def moment(value: datetime | str | None, name: str, *, now: datetime) -> datetime | None:
    """An aware UTC time from a time, ISO 8601 text, or a length of time from now; None for nothing.

    Raises:
        UsageError: the text is neither; ``name`` says which argument it was.
    """
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    try:
        return clock.parse(value.strip())
    except (ValueError, OverflowError):
        pass
    try:
        return now + duration(value)
    except (UsageError, OverflowError):
        raise UsageError(f"{name} {value!r} is no time",
                         hint="Nothing was changed. Write ISO 8601 such as 2026-11-30, or a length such as 90d."
                         ) from None
