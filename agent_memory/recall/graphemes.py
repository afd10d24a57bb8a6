"""Cut text only between characters as people see them: never inside an emoji, a flag or an accented letter."""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"


def _extends(char: str) -> bool:
    """True if ``char`` belongs to the character before it."""
    if char < "\u0300":
        return False
    return (unicodedata.category(char) in ("Mn", "Mc", "Me") or char == _JOINER or "\ufe00" <= char <= "\ufe0f"
            or "\U0001f3fb" <= char <= "\U0001f3ff" or "\U000e0020" <= char <= "\U000e007f"
            or "\u1160" <= char <= "\u11ff" or "\uff9e" <= char <= "\uff9f")


def _flags_before(text: str, at: int) -> int:
    count = 0
    while count < at and "\U0001f1e6" <= text[at - count - 1] <= "\U0001f1ff":
        count += 1
    return count


def boundary(text: str, at: int) -> int:
    """The last place not after ``at`` where ``text`` may be cut.

    >>> boundary("ab👍🏽", 3), boundary("🇯🇵🇩🇪", 3)
    (2, 2)
    """
    at = min(at, len(text))
    while 0 < at < len(text):
        flag = "\U0001f1e6" <= text[at] <= "\U0001f1ff" and _flags_before(text, at) % 2 == 1
        line_end = text[at] == "\n" and text[at - 1] == "\r"
        if not (_extends(text[at]) or text[at - 1] == _JOINER or flag or line_end):
            return at
        at -= 1
    return at


def shorten(text: str, most: int) -> str:
    """``text`` in at most ``most`` characters, at a blank where one is near, with ``…`` where something is missing."""
    if len(text) <= most:
        return text
    at = boundary(text, most - 1)
    blank = text.rfind(" ", 0, at)
    if blank > most * 2 // 3:
        at = blank
    return text[:at].rstrip() + "…"
