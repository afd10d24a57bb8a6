"""The only source of the present time. Everything else is handed a time.

``AGENT_MEMORY_NOW`` (ISO 8601) fixes the clock for demos, golden files and tests of whole processes.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime


def now() -> datetime:
    """The present as an aware UTC time."""
    fixed = os.environ.get("AGENT_MEMORY_NOW")
    return parse(fixed) if fixed else datetime.now(UTC)


def parse(text: str) -> datetime:
    """An aware UTC time from ISO 8601; a time without zone is taken as UTC.

    Raises:
        ValueError: the text is not a time.

    >>> parse("2026-11-18T09:30:00+09:00").isoformat()
    '2026-11-18T00:30:00+00:00'
    """
    value = datetime.fromisoformat(text)
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def text(value: datetime) -> str:
    """ISO 8601 in UTC with microseconds and a Z: the one form that is stored and printed.

    >>> text(parse("2026-11-18T00:30:00Z"))
    '2026-11-18T00:30:00.000000Z'
    """
    return value.astimezone(UTC).isoformat(timespec="microseconds")[:-6] + "Z"
