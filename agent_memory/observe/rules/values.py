"""Numbers in what people say: values that can be set anew ("30 s", "port 8080"), or names of things ("gauge 001").

Two rules that differ in a name are about two things and both hold; two that differ in a value are about one thing, and
the later one stands.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent_memory.observe.rules.lexicon import WORD, plain
from agent_memory.observe.rules.terms import identifiers, terms

_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"(?<![\w.,:])v?\d+(?:[.,:]\d+)*")
_WIDE_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_UNIT_AFTER = re.compile(r"[ \u00a0]?(%|°[CF]?|[^\W\d_]+)")
_COUNTED = re.compile(r"\s?([\u3040-\u30ff\u3400-\u9fff]|[A-Za-z%]+)")
_UNIT_WORDS = """
% ° °c °f s sec secs second seconds ms us ns min mins minute minutes h hr hrs hour hours d day days week weeks
    month months year years px pt em rem dpi mm cm m metre metres meter meters km mile miles ft inch inches g kg mg t l
    ml b bytes byte bit bits kb mb gb tb kib mib gib tib kbit mbit hz khz mhz ghz fps rpm v w kw watt volts amps ma
    percent euro euros eur usd dollar dollars cent cents pence pound pounds chars characters columns rows lines items
    entries workers threads processes connections retries attempts tries times requests records pages places digits
    decimals sekunde sekunden minuten stunde stunden tag tage tagen woche wochen monat monate monaten jahr jahre jahren
    prozent zeichen zeilen spalten versuche prozesse seconde secondes heure heures jour jours semaine semaines mois an
    ans lignes colonnes essais segundo segundos minuto minutos hora horas día días dia dias semana semanas mes meses
    año años líneas lineas columnas intentos
"""
_UNITS = frozenset(_UNIT_WORDS.split())
_SETTING_WORDS = """
to at is be = : of max maximum min minimum least most than within after every under over below above limit
    limited cap capped port version timeout ttl size width height depth level rate count interval threshold quota budget
    retention auf ist mit maximal höchstens mindestens unter über nach bis alle zu à de est moins plus sous après toutes
    máximo mínimo menos más bajo tras cada puerto versión límite grenze breite höhe größe taille limite largeur postgres
    python node java safari chrome firefox
"""
_SETS = frozenset(_SETTING_WORDS.split())
"""A number after one of these is set, not a name."""
ALIKE = 0.75
"""Beside their names, two texts that say the same of different things share this much."""
_COUNTERS = frozenset("秒分時间間小天日周週月年次回個个条條件本台人円元块塊枚行列位桁度倍名歳歩口页頁")
_BEFORE_VALUE = frozenset("はをが为為是到成定多少大小限超=:<>\u2264\u2265")
_MARK = re.compile(r"\b[A-Z]\b")


@dataclass(frozen=True, slots=True)
class Value:
    """A number with what it is counted in ("" if nothing says so), and its place in the text."""

    number: str
    unit: str
    start: int
    end: int


def values(text: str) -> list[Value]:
    """The numbers of a text that are values, not names of things.

    >>> [(v.number, v.unit) for v in values("Cap gauge 001 at 30 seconds, port 8080.")]
    [('30', 'seconds'), ('8080', '')]
    """
    return [v for v in numbers(text) if v.unit or _is_set(text, v)]


def numbers(text: str) -> list[Value]:
    """Every number of a text with the unit behind it."""
    if _DIGIT.search(text) is None:
        return []
    text = plain(text)
    spaced = max(text, default="") < "\u3000"
    found = []
    for m in (_NUMBER if spaced else _WIDE_NUMBER).finditer(text):
        after = (_UNIT_AFTER if spaced else _COUNTED).match(text, m.end())
        unit = after[1].lower() if after else ""
        known = unit in _UNITS or unit[:1] in _COUNTERS
        found.append(Value(m[0], unit if known else "", m.start(), after.end() if known and after else m.end()))
    return found


def _is_set(text: str, value: Value) -> bool:
    if value.number.startswith("0") and value.number.isdigit() and len(value.number) > 1:
        return False
    before = text[: value.start].rstrip()
    if before[-1:] in _BEFORE_VALUE:
        return True
    word = WORD.findall(before[-40:])
    return bool(word) and word[-1].lower() in _SETS


def frame(text: str) -> frozenset[str]:
    """What a text speaks of beside its values: the names of things stay in it."""
    bare, end = [], 0
    for v in values(text):
        bare.append(text[end : v.start])
        end = v.end
    return terms("".join([*bare, text[end:]])) | frozenset(_MARK.findall(text))


def without_values(text: str) -> str:
    """The text with a gap in place of each value: what a bare new value is about."""
    found, end = [], 0
    for v in numbers(text):
        found += [text[end : v.start], "…"]
        end = v.end
    return "".join([*found, text[end:]]).strip(" .!\u3002,")


def anew(new: Sequence[Value], old: Sequence[Value]) -> bool:
    """True if one of the new numbers is counted like the only value that was set before, and differs from it."""
    return len(old) == 1 and any(v.number != old[0].number and v.unit in ("", old[0].unit) for v in new)


@lru_cache(maxsize=4096)
def _named(text: str) -> frozenset[str]:
    """Numbers, identifiers and proper names of a text, in lower case."""
    found = {v.number for v in numbers(text)} | set(_MARK.findall(text)) | {i.lower() for i in identifiers(text)}
    for m in WORD.finditer(text):
        capital = m.start() > 0 and m[0][0].isupper() and text[m.start() - 1] == " "
        if capital or "-" in m[0] or "_" in m[0] or (m[0][0].isalpha() and any(map(str.isdigit, m[0]))):
            found.add(m[0].lower())
    return frozenset(found)


def apart(a: str, b: str) -> bool:
    """True if two texts say the same of different things: numbers, identifiers or proper names stand for each other.

    >>> apart("Check gauge 001 daily.", "Check gauge 002 daily."), apart("Use pnpm.", "We use pnpm here.")
    (True, False)
    """
    mine, others = _named(a), _named(b)
    if not mine - _all_words(b) or not others - _all_words(a):
        return False
    rest, its_rest = _beside(a, mine), _beside(b, others)
    return len(rest & its_rest) >= ALIKE * max(len(rest), len(its_rest))


def _beside(text: str, names: frozenset[str]) -> frozenset[str]:
    return terms(text) - frozenset().union(*map(terms, names))


@lru_cache(maxsize=4096)
def _all_words(text: str) -> frozenset[str]:
    low = plain(text)
    found = {w.lower() for w in WORD.findall(low)} | set(_MARK.findall(low)) | {i.lower() for i in identifiers(low)}
    return frozenset(found | {v.number for v in numbers(low)})
