"""What a text speaks of: identifiers, numbers and content words, comparable across wordings and scripts."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from agent_memory.observe.rules.lexicon import words

IDENTIFIER = re.compile(
    r"`[^`\n]{2,80}`|@[A-Za-z]\w+|(?<![\w-])--?[a-z][\w-]*(?:=\S+)?|\b[\w-]+(?:/[\w.*{}<>-]+)+/?|(?<!\w)\.?[\w-]+\.[A-Za-z_][\w.]*\b(?:\(\))?|"
    r"\b\w+\(\)|\b[A-Za-z]+_\w+\b|\b[a-z]+[A-Z]\w*\b|\b[A-Z][a-z]+[A-Z]\w*\b|\b[A-Z]{2,}[A-Z0-9_-]*\b|\b[A-Za-z]+-?\d[\w.]*\b|"
    r"\b\d+(?:\.\d+)+\b",
    re.UNICODE,
)
NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_HAN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\u30a0-\u30ff\u3005]+")
_LATIN_IN_CJK = re.compile(r"[A-Za-z][\w.+-]*|\d+(?:[.,:]\d+)*")
_COMMON_WORDS = """
the a an and is are was were of to in on it its that this for with not we you i be have has do does don't no but so at
by as from they there what which just then all or if can will also please now only use uses used always never must
should would der die das und ist sind war nicht ein eine einen mit auf für von zu im den dem des wir ich du sie es
bitte aber auch noch nur wie dann wird werden hat haben kein keine immer wenn sich bei aus nach zum zur da le la les
un une des et est sont pas de que qui pour dans sur avec ne je il elle nous vous ce cette au aux en par plus ou mais
el los las del y son en con se lo su al como más pero está ya te me mi tu hay este esta eso si porque said told dont
i'm um uhr
"""
_COMMON = frozenset(_COMMON_WORDS.split())


def identifiers(text: str) -> list[str]:
    """Identifiers as written, without backticks, in order, each once.

    >>> identifiers("`npm ci` fails, see src/app.ts and parse_date()")
    ['npm ci', 'src/app.ts', 'parse_date()']
    """
    found = dict.fromkeys(m.strip("`").rstrip(".,;:") for m in _written(text))
    return [f for f in found if len(f) > 1]


def _written(text: str) -> list[str]:
    """Identifiers as they stand. Outside backticks none holds a space: only words with a sign of one are tried."""
    if "`" in text:
        return [m[0] for m in IDENTIFIER.finditer(text)]
    if _HINT.search(text) is None and text.isascii():
        return []
    found: list[str] = []
    for word in text.split():
        if _HINT.search(word) is not None or not word.isascii():
            found += [m[0] for m in IDENTIFIER.finditer(word)]
    return found


_HINT = re.compile(r"[`@/_(]|-[a-z]|[\w-]\.[A-Za-z_]|[a-z][A-Z]|[A-Z][A-Z]|[A-Za-z]-?\d|\d\.\d")
"""Cheap sign that an identifier may stand in a text: each form of `IDENTIFIER` has one of these."""


class _Terms(dict[str, str]):
    """Word → content word, "" for common ones."""

    def __missing__(self, word: str) -> str:
        if len(self) > 50_000:
            self.clear()
        lasting = word not in _COMMON and (len(word) > 1 or word.isdigit())
        self[word] = found = (word if word[0].isdigit() else word[:6]) if lasting else ""
        return found


TERM_OF = _Terms()


@lru_cache(maxsize=4096)
def count_names(text: str) -> int:
    """How many identifiers a text holds."""
    found = len(_written(text))
    if not found and _HAN.search(text):
        return sum(1 for name in _LATIN_IN_CJK.findall(text) if name[0].isalpha() and len(name) > 1)
    return found


@lru_cache(maxsize=8192)
def terms(text: str) -> frozenset[str]:
    """Content words (cut to six letters), numbers, and pairs of characters of scripts without spaces."""
    if text.isascii():
        return frozenset(filter(None, map(TERM_OF.__getitem__, words(text))))
    text = unicodedata.normalize("NFKC", text)
    found: set[str] = set()
    if _HAN.search(text) is None:
        return frozenset(filter(None, map(TERM_OF.__getitem__, words(text))))
    for word in words(text):
        if _HAN.search(word):
            found.update(w.lower()[:12] for w in _LATIN_IN_CJK.findall(word))
            for run in _HAN.findall(word):
                found.update(run[i : i + 2] for i in range(max(1, len(run) - 1)))
        elif word not in _COMMON and (len(word) > 1 or word.isdigit()):
            found.add(word if word[0].isdigit() else word[:6])
    return frozenset(found)


def overlap(a: frozenset[str], b: frozenset[str]) -> float:
    """Share of the smaller set that stands in the other; 0 if one is empty."""
    return 0.0 if a.isdisjoint(b) else len(a & b) / min(len(a), len(b))


def covered(text: frozenset[str], by: frozenset[str]) -> float:
    """Share of ``text`` that stands in ``by``."""
    if not text:
        return 1.0
    return 0.0 if text.isdisjoint(by) else len(text & by) / len(text)
