"""Shorter wording for small budgets, without a model: filler goes, what a statement means stays.

Hedges (maybe, probably, should), negations, numbers, code, paths, identifiers and quoted words are never touched, and a
word goes only where it stands in a list below. Texts of other scripts are left as they are. The raw text is kept beside
the short one and is what search and `recall` use.
"""

from __future__ import annotations

import re
from typing import Final

from agent_memory.errors import UsageError

LEVELS: Final = ("off", "lite", "full", "ultra")
_KEPT = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|\"[^\"\n]*\"|“[^”\n]*”|https?://\S+|\S*[/\\_@#=<>{}\[\]$]\S*"
                   r"|\S*\w\.\w\S*|\S*\d\S*|--?\w\S*", re.DOTALL)
_LITE: Final = ("please note that", "it is important to note that", "it should be noted that", "note that",
                "it is worth noting that", "as you know", "as mentioned above", "as mentioned before", "of course",
                "basically", "essentially", "actually", "really", "simply", "obviously", "clearly", "literally",
                "kind of", "sort of", "in fact", "very", "quite", "please", "just so you know")
_FULL: Final = ("in order to", "due to the fact that", "for the purpose of", "with regard to", "at this point in time",
                "in the event that", "a number of", "the fact that", "that being said", "additionally", "furthermore",
                "moreover", "also", "then", "therefore", "however", "as well", "so that")
_SHORTER: Final = {"in order to": "to", "due to the fact that": "because", "for the purpose of": "for",
                   "with regard to": "about", "at this point in time": "now", "in the event that": "if",
                   "a number of": "several", "the fact that": "that", "however": "but", "therefore": "so",
                   "so that": "so"}
_ULTRA: Final = ("the", "a", "an", "is", "are", "was", "were", "been", "being", "of course", "that is", "there is",
                 "there are", "we", "i")
_SPACES = re.compile(r"[ \t]{2,}")
_BEFORE_MARK = re.compile(r"[ \t]+([,.;:!?])")
_LEADING_COMMA = re.compile(r"(^|[.!?]\s)\s*,\s*", re.MULTILINE)


def _pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join(re.escape(p) for p in sorted(phrases, key=len, reverse=True))
    return re.compile(rf"(?<![\w'’-])(?:{words})(?![\w'’-])", re.IGNORECASE)


_PATTERNS: Final = {
    "lite": _pattern(_LITE), "full": _pattern(_LITE + _FULL), "ultra": _pattern(_LITE + _FULL + _ULTRA)}


def compress(text: str, level: str) -> str:
    """``text`` with the filler of a level taken out.

    Raises:
        UsageError: there is no such level.

    >>> compress("Please note that we should really never run `git push -f` in order to deploy.", "full")
    'we should never run `git push -f` to deploy.'
    """
    if level not in LEVELS:
        raise UsageError(f"unknown compression {level!r}", hint=f"Levels are: {', '.join(LEVELS)}.")
    if level == "off":
        return text
    out, at = [], 0
    for kept in _KEPT.finditer(text):
        out += [_shorten(text[at:kept.start()], level), kept[0]]
        at = kept.end()
    out.append(_shorten(text[at:], level))
    short = "".join(out).strip()
    return short if re.search(r"\w", short) else text


def _shorten(piece: str, level: str) -> str:
    def replaced(found: re.Match[str]) -> str:
        return _SHORTER.get(found[0].casefold(), "")

    short = _PATTERNS[level].sub(replaced, piece)
    if short == piece:
        return piece
    return _LEADING_COMMA.sub(r"\1", _BEFORE_MARK.sub(r"\1", _SPACES.sub(" ", short)))
