"""Words that mark an act, and how they are found: phrases by token for spaced scripts, substrings for the others.

A phrase is one or more words; a word that ends in ``*`` stands for everything that starts so. Finding all phrases of
a language in a sentence costs one dictionary look-up a word, however long the lists grow.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

WORD = re.compile(r"[^\W_](?:[\w\-']*\w)?", re.UNICODE)
_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'"})


_Phrase = tuple[tuple[str, ...], tuple[str, ...]]


_ASIDE = frozenset({"farewell", "again", "aim", "cure", "recant", "later", "never"})
"""Acts that are told beside the others: their phrases hide no shorter ones."""


class Found(NamedTuple):
    """One phrase in a sentence: the act it marks, and the words (spaced) or characters (unspaced) it covers."""

    act: str
    start: int
    end: int


_WIDE = str.maketrans("\uff0c\uff1a\uff1f\uff01\uff08\uff09\uff1b\uff0e\uff5e", ",:?!();.~")


def plain(text: str) -> str:
    """``text`` with full-width punctuation made plain, character for character, so that places stay the same."""
    return text if text.isascii() else text.translate(_WIDE)


def words(text: str) -> list[str]:
    """Lower-case words of a text in a spaced script.

    >>> words("Don't use `pytz`, no.")
    ["don't", 'use', 'pytz', 'no']
    """
    return WORD.findall((text if text.isascii() else text.translate(_QUOTES)).lower())


@dataclass(frozen=True)
class Lexicon:
    """The marking words of one language: act → phrases, separated by ``|`` in the sources.

    ``stop`` are frequent words by which the language is recognised; ``spaced`` is False for scripts without spaces.
    ``headings`` maps the title words of sections to the kind of their bullets.
    """

    code: str
    acts: Mapping[str, str]
    stop: str = ""
    spaced: bool = True
    headings: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def stop_words(self) -> frozenset[str]:
        """Frequent words of the language."""
        return frozenset(self.stop.split())

    def phrases(self, act: str) -> list[str]:
        """The phrases of one act."""
        return [p.strip() for p in self.acts.get(act, "").split("|") if p.strip()]

    @cached_property
    def _acts(self) -> dict[str, tuple[str, ...]]:
        """Acts by phrase, longest phrase first."""
        acts: dict[str, list[str]] = {}
        for act in self.acts:
            for phrase in self.phrases(act):
                acts.setdefault(phrase.lower(), []).append(act)
        return {phrase: tuple(acts[phrase]) for phrase in sorted(acts, key=len, reverse=True)}

    @cached_property
    def _single(self) -> dict[str, tuple[str, ...]]:
        return {phrase: acts for phrase, acts in self._acts.items() if " " not in phrase and phrase[-1] != "*"}

    @cached_property
    def _several(self) -> dict[tuple[str, str], list[_Phrase]]:
        """Phrases of several words by the first two."""
        found: dict[tuple[str, str], list[_Phrase]] = {}
        for phrase, acts in self._acts.items():
            parts = tuple(phrase.split())
            if len(parts) > 1 and parts[0][-1] != "*" and parts[1][-1] != "*":
                found.setdefault((parts[0], parts[1]), []).append((parts, acts))
        return found

    @cached_property
    def _open(self) -> dict[str, list[_Phrase]]:
        """Phrases with a beginning of a word in front, by its three letters."""
        found: dict[str, list[_Phrase]] = {}
        for phrase, acts in self._acts.items():
            parts = tuple(phrase.split())
            if any(part[-1] == "*" for part in parts[:2]):
                found.setdefault(parts[0].rstrip("*")[:3], []).append((parts, acts))
        return found

    @cached_property
    def _by_character(self) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
        found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        for phrase, acts in self._acts.items():
            found.setdefault(phrase[0], []).append((phrase, acts))
        return found

    def find(self, text: str, tokens: list[str]) -> list[Found]:
        """All phrases of this language in a sentence, save those that stand inside a longer one."""
        found = self._in_words(tokens) if self.spaced else self._in_characters(plain(text).lower())
        aside = [f for f in found if f.act in _ASIDE]
        return _longest([f for f in found if f.act not in _ASIDE] if aside else found) + aside

    def _in_words(self, tokens: list[str]) -> list[Found]:
        single, several, beginning = self._single, self._several, self._open
        found: list[Found] = []
        for i, token in enumerate(tokens):
            if acts := single.get(token):
                found += [Found(act, i, i + 1) for act in acts]
            if i + 1 < len(tokens) and (phrases := several.get((token, tokens[i + 1]))):
                found += _all(phrases, tokens, i)
            if phrases := beginning.get(token[:3]):
                found += _all(phrases, tokens, i)
        return found

    def _in_characters(self, text: str) -> list[Found]:
        by_character = self._by_character
        found: list[Found] = []
        for i, character in enumerate(text):
            for phrase, acts in by_character.get(character, ()):
                if text.startswith(phrase, i):
                    found += [Found(act, i, i + len(phrase)) for act in acts]
                    if not _ASIDE.issuperset(acts):
                        break
        return found


def _all(phrases: list[_Phrase], tokens: list[str], at: int) -> list[Found]:
    return [Found(act, at, at + len(parts)) for parts, acts in phrases if _matches(parts, tokens, at) for act in acts]


def _matches(parts: tuple[str, ...], tokens: list[str], at: int) -> bool:
    """True if the words at a place are those of a phrase."""
    if at + len(parts) > len(tokens):
        return False
    for part, token in zip(parts, tokens[at:], strict=False):
        if token != part and not (part[-1] == "*" and token.startswith(part[:-1])):
            return False
    return True


def _longest(found: list[Found]) -> list[Found]:
    """Without phrases that stand inside a longer one: in "run as" there is no "run", in 不用 no 用."""
    kept: list[Found] = []
    start = end = -1
    for f in sorted(found, key=lambda f: (f.start, -f.end)):
        if f.end > end:
            start, end = f.start, f.end
        elif (f.start, f.end) != (start, end):
            continue
        kept.append(f)
    return kept
