"""How a person's words are cut: rambling sentences at their turns, what is taken back in the same breath, and chatter.

Only cuts are made. What stays is as it was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from agent_memory.model.transcript import Message
from agent_memory.observe.rules.lexicon import WORD, Lexicon, words
from agent_memory.observe.rules.segment import Unit, units
from agent_memory.observe.rules.speech import Speech, read
from agent_memory.observe.rules.terms import terms

_LONG = 170
_CLAUSE = re.compile(
    r"[,;]\s+(?=(?:so|but|oh|hmm?|uh|um|no|you know what|okay|ok|actually|well|yeah|like|or like|right|also|"
    r"and (?:then|also|so|please)|aber|also|außerdem|mais|donc|et puis|pero|entonces|además)\b)",
    re.IGNORECASE,
)
_UM = {
    "en": re.compile(r"\b(?:u+m+|u+h+|e+r+m*|hm+)\b[,.]?\s*", re.IGNORECASE),
    "de": re.compile(r"\b(?:ähm?|hm+)\b[,.]?\s*", re.IGNORECASE),
    "fr": re.compile(r"\b(?:euh|hm+)\b[,.]?\s*", re.IGNORECASE),
}
_AFTER = re.compile(r"[\s,]+(?:lol|wtf|haha+|thx|omg|ok\?|okay\?|right\?)([.!?]*)$", re.IGNORECASE)
_NO = frozenset(("no", "nope", "nah", "nein", "nee", "doch", "non", "いえ", "いや", "不", "别"))
_STOP = re.compile(r"[,;:.\u2026\u2013\u2014\u3001\u3002\uff0c!-]")
_HEAD = re.compile(r"^([^,;\n`\"]{1,48}?)(?:,|;|\s[\u2013\u2014-])\s+(?=\S)")
_IDLE = ("chat", "fill", "farewell", "dismiss", "ack", "hypo", "guess")
_TELLING = ("turn", "retract", "recant", "told", "neg", "rule", "remember", "interro", "define")


def clauses(unit: Unit, lang: Lexicon) -> list[Unit]:
    """A sentence cut where the speaker takes something back, and a long, rambling one wherever he turns."""
    text = _UM[lang.code].sub("", unit.text).strip() if lang.code in _UM else unit.text
    text = _AFTER.sub(r"\1", text)
    found: list[Unit] = []
    for breath in _breaths(text, lang):
        pieces = _CLAUSE.split(breath) if lang.spaced and len(breath) > _LONG else [breath]
        for piece in pieces:
            bare = _without_chatter(piece.strip(" ,"), lang)
            if bare == unit.text:
                found.append(unit)
            elif bare:
                found.append(replace(unit, text=bare))
    return found


def _breaths(text: str, lang: Lexicon) -> Iterator[str]:
    """``text`` cut before "…, no wait, …", if what follows says enough to stand alone."""
    start = 0
    for at, end in _recants(text, lang):
        if at > start and _says_something(text[end:], lang) and _says_something(text[start:at], lang):
            yield text[start:at]
            start = at
    yield text[start:]


def _says_something(text: str, lang: Lexicon) -> bool:
    return len(terms(text)) >= 2 or (not lang.spaced and len(text) >= 8)


def _recants(text: str, lang: Lexicon) -> Iterator[tuple[int, int]]:
    """Places of phrases that take back what stands before them, between two pauses."""
    if len(text) < 20 or not lang.may_hold("recant", text):
        return
    tokens = words(text) if lang.spaced else []
    found = [f for f in lang.find(text, tokens) if f.act == "recant"]
    if not found:
        return
    spans = [m.span() for m in WORD.finditer(text)] if lang.spaced else []
    for f in found:
        if lang.spaced and len(spans) != len(tokens):
            return
        start, end = (spans[f.start][0], spans[f.end - 1][1]) if lang.spaced else (f.start, f.end)
        paused = _STOP.search(text[max(0, start - 2) : start])
        goes_on = _STOP.match(text[end:].lstrip()) or f.end - f.start > 1
        if paused and goes_on:
            yield start, end


def _without_chatter(text: str, lang: Lexicon) -> str:
    """``text`` without leading "that's it for today I think, " and the like; a no, a turn and a reminder stay."""
    while lang.spaced and (head := _HEAD.match(text)):
        tokens = words(head[1])
        found = lang.find(head[1], tokens)
        covered = {i for f in found if f.act in _IDLE for i in range(f.start, f.end)}
        if (
            len(covered) < len(tokens)
            or any(f.act in _TELLING for f in found)
            or _idle(text[head.end() :], lang)
        ):
            break
        text = text[head.end() :]
    return text


def _idle(text: str, lang: Lexicon) -> bool:
    """True if hardly anything but chatter stands in it."""
    tokens = words(text)
    covered = {i for f in lang.find(text, tokens) if f.act in _IDLE for i in range(f.start, f.end)}
    return len(tokens) - len(covered) < 2 or len(terms(text)) < 2


def spoken(message: Message, lang: Lexicon) -> list[Speech]:
    """The sentences of a person's message, each read."""
    return [read(clause, lang) for unit in units(message.text) for clause in clauses(unit, lang)]


def without_fillers(s: Speech) -> str:
    """The sentence without leading "ok so, and also"; a leading no stays."""
    if not s.cut:
        return s.text
    if s.lang.spaced:
        starts = [m.start() for m in WORD.finditer(s.text)]
        if _NO & set(s.tokens[: s.cut]) or s.cut >= len(starts):
            return s.text
        cut = starts[s.cut]
        while cut and s.text[cut - 1] in "`\"'@([<«“-–/.~":
            cut -= 1
        return s.text[cut:]
    return (
        s.text
        if any(n in s.text[: s.cut] for n in ("いえ", "いや", "不", "别"))
        else s.text[s.cut :].lstrip("\uff0c\u3001\u3002, ")
    )
