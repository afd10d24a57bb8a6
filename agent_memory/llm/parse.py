"""Find the JSON in what a model said: fenced, in the middle of prose, with fences inside values, cut off, or missing.

Saying in prose that there is nothing to note is an answer, not a fault; a refusal is a fault that a repair cannot mend.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum

_TRIES = 200
_LONGEST = 2_000_000
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_NOTHING = re.compile(
    r"\b(?:no|nothing|none|zero|not any|without any)\b.{0,60}\b(?:observ|record|note|remember|fact|extract|memor|found|"
    r"worth|new|report|add|relevant|merge|change|propos|operation)|^\s*(?:none|nothing|n/a|null|empty)\W*$"
    r"|\b(?:keine?|nichts)\b.{0,60}\b(?:beobacht|merken|notier|neu|fakt|festzuhalten)"
    r"|\b(?:rien|aucune?)\b.{0,60}\b(?:observ|noter|retenir|nouv)|\b(?:nada|ningun\w*)\b.{0,60}\b(?:observ|anotar|record|nuev)"
    r"|(?:なし|ありません|没有|無し|无需|없습니다)", re.IGNORECASE | re.DOTALL)
_REFUSAL = re.compile(
    r"\b(?:i(?:'m| am)? (?:sorry|afraid|unable)|i can(?:no|')t|i won't|i will not|cannot (?:help|assist|comply)|"
    r"against my (?:guidelines|policy)|as an ai)\b|tut mir leid|désolé|lo siento|申し訳|抱歉|无法", re.IGNORECASE)


class Said(StrEnum):
    """What kind of answer came."""

    JSON = "json"
    NOTHING = "nothing"  # an empty answer, or prose that there is nothing
    REFUSAL = "refusal"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class Parsed:
    """The kind of an answer, and its JSON value where there is one."""

    said: Said
    value: object = None


def parse(text: str) -> Parsed:
    """What a model's answer says.

    >>> parse('Here you are:\\n```json\\n{"facts": ["Use ```json fences```"]}\\n```\\nHope this helps').value
    {'facts': ['Use ```json fences```']}
    >>> parse("No observations to record.").said
    <Said.NOTHING: 'nothing'>
    """
    text = _THOUGHT.sub("", text[:_LONGEST].replace("’", "'")).strip()
    if not text:
        return Parsed(Said.NOTHING)
    found, value = _largest(text)
    if found:
        return Parsed(Said.JSON, value)
    if len(text) < 600 and "{" not in text:
        if _REFUSAL.search(text):
            return Parsed(Said.REFUSAL)
        if _NOTHING.search(text):
            return Parsed(Said.NOTHING)
    return Parsed(Said.INVALID)


def _largest(text: str) -> tuple[bool, object]:
    """The longest JSON object or list that stands anywhere in the text."""
    decoder = json.JSONDecoder()
    best: tuple[int, object] | None = None
    position = tries = 0
    while tries < _TRIES and (start := _next(text, position)) >= 0:
        tries += 1
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            position = start + 1
            continue
        if best is None or end - start > best[0]:
            best = (end - start, value)
        position = end
    return (best is not None, best[1] if best else None)


def _next(text: str, position: int) -> int:
    places = [p for p in (text.find("{", position), text.find("[", position)) if p >= 0]
    return min(places, default=-1)
