"""Ids that sort by time: ULIDs (https://github.com/ulid/spec) in lower case, 26 characters.

48 bits of Unix milliseconds, then 80 bits that are random (`new`) or a hash of what the id stands for
(`derive`), so that learning the same thing from the same source twice gives the same id.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import datetime

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_ULID = re.compile(r"[0-7][0-9a-hjkmnp-tv-z]{25}\Z")


def _encode(at: datetime, tail: bytes) -> str:
    millis = min(max(int(at.timestamp() * 1000), 0), (1 << 48) - 1)
    number = (millis << 80) | int.from_bytes(tail[:10], "big")
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))


def new(at: datetime) -> str:
    """A fresh id for something that happened at ``at``."""
    return _encode(at, secrets.token_bytes(10))


def derive(at: datetime, *parts: str) -> str:
    """The id of the thing that ``parts`` describe; equal parts and time give an equal id.

    >>> from datetime import UTC, datetime
    >>> derive(datetime(2026, 11, 18, tzinfo=UTC), "claude", "session-1") == derive(
    ...     datetime(2026, 11, 18, tzinfo=UTC), "claude", "session-1")
    True
    """
    material = b"".join(len(p.encode("utf-8", "surrogatepass")).to_bytes(8, "big") + p.encode("utf-8", "surrogatepass")
                        for p in parts)
    return _encode(at, hashlib.sha256(material).digest())


def is_id(text: str) -> bool:
    """True if ``text`` has the shape of an id.

    >>> is_id("01jd0000000000000000000000"), is_id("../../etc")
    (True, False)
    """
    return _ULID.match(text) is not None
