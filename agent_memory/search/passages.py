"""Long text cut into passages of about 80 words at sentence ends; nothing is left out.

Short pieces rank fairly beside short messages (BM25 punishes length), and a hit can show the piece that matched.
"""

from __future__ import annotations

import re

WORDS = 80
CHARACTERS = 1200
"""A piece without sentence ends or blanks is cut after this many characters, so that no passage grows without bound."""

_PIECE = re.compile(r"\S[^\n.!?。！？]*[.!?。！？]*\S*\s*")


def spans(text: str, words: int = WORDS) -> list[tuple[int, int]]:
    """Start and end of each passage in ``text``; together they cover all of it.

    >>> spans("One two. Three four.", 2)
    [(0, 9), (9, 20)]
    """
    if len(text) <= words * 4:
        return [(0, len(text))]
    found: list[tuple[int, int]] = []
    start = count = 0
    for piece in _PIECE.finditer(text):
        size = _size(piece.group())
        if count and count + size > words:
            found.append((start, piece.start()))
            start, count = piece.start(), 0
        count += size
        while count > words * 2 and piece.end() - start > CHARACTERS:
            cut = _cut(text, start, start + CHARACTERS)
            found.append((start, cut))
            start, count = cut, _size(text[cut:piece.end()])
    if start < len(text):
        found.append((start, len(text)))
    return found


def _size(text: str) -> int:
    """Words in a piece; unspaced scripts count two characters a word."""
    blanks = len(text.split())
    return blanks if text.isascii() else max(blanks, len(text.encode("utf-8", "surrogatepass")) // 8)


def _cut(text: str, start: int, stop: int) -> int:
    blank = max(text.rfind(" ", start + 1, stop), text.rfind("\n", start + 1, stop))
    return blank + 1 if blank > start else stop
