"""Words that mark an act, and how they are found: phrases by token for spaced scripts, substrings for the others.

A phrase is one or more words; a word that ends in ``*`` stands for everything that starts so. Finding all phrases of
a language in a sentence costs one dictionary look-up a word, however long the lists grow.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

WORD = re.compile(r"[^\W_](?:[\w\-']*\w)?", re.UNICODE)
_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'"})


@dataclass(frozen=True)
class Found:
    """One phrase in a sentence: the act it marks, and the words (spaced) or characters (unspaced) it covers."""

    act: str
    start: int
    end: int


_WIDE = str.maketrans("\uff0c\uff1a\uff1f\uff01\uff08\uff09\uff1b\uff0e\uff5e", ",:?!();.~")


def plain(text: str) -> str:
    """``text`` with full-width punctuation made plain, character for character, so that places stay the same."""
    return text.translate(_WIDE)


def words(text: str) -> list[str]:
    """Lower-case words of a text in a spaced script.

    >>> words("Don't use `pytz`, no.")
    ["don't", 'use', 'pytz', 'no']
    """
    return WORD.findall(text.translate(_QUOTES).lower())


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
    def _index(
        self,
    ) -> tuple[dict[str, list[tuple[str, tuple[str, ...]]]], dict[str, list[tuple[str, tuple[str, ...]]]]]:
        exact: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        prefix: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        for act in self.acts:
            for phrase in self.phrases(act):
                parts = tuple(phrase.lower().split())
                where = prefix if parts[0].endswith("*") else exact
                where.setdefault(parts[0][:3] if where is prefix else parts[0], []).append((act, parts))
        return exact, prefix

    @cached_property
    def _patterns(self) -> list[tuple[str, re.Pattern[str]]]:
        return [
            (act, re.compile("|".join(map(re.escape, sorted(self.phrases(act), key=len, reverse=True))), re.IGNORECASE))
            for act in self.acts
            if self.phrases(act)
        ]

    def find(self, text: str, tokens: list[str]) -> list[Found]:
        """All phrases of this language in a sentence, with overlaps."""
        if not self.spaced:
            return _longest(
                [
                    Found(act, m.start(), m.end())
                    for act, pattern in self._patterns
                    for m in pattern.finditer(plain(text))
                ]
            )
        exact, prefix = self._index
        found: list[Found] = []
        for i, token in enumerate(tokens):
            for act, parts in (*exact.get(token, ()), *prefix.get(token[:3], ())):
                if i + len(parts) <= len(tokens) and all(_is(p, t) for p, t in zip(parts, tokens[i:], strict=False)):
                    found.append(Found(act, i, i + len(parts)))
        return _longest(found)


def _longest(found: list[Found]) -> list[Found]:
    """Without phrases that stand inside a longer one: in "run as" there is no "run", in 不用 no 用."""
    spans = sorted({(f.start, f.end) for f in found}, key=lambda s: (s[0], -s[1]))
    inner: set[tuple[int, int]] = set()
    reach = (-1, -1)
    for span in spans:
        if span[1] <= reach[1]:
            inner.add(span)
        else:
            reach = span
    return [f for f in found if (f.start, f.end) not in inner]


def _is(part: str, token: str) -> bool:
    return token.startswith(part[:-1]) if part.endswith("*") else token == part
