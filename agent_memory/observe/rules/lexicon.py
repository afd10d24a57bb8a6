"""Words that mark an act, and how they are found: phrases by token for spaced scripts, substrings for the others.

A phrase is one or more words; a word that ends in ``*`` stands for everything that starts so. Finding all phrases of
a language in a sentence costs one dictionary look-up a word, however long the lists grow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

WORD = re.compile(r"[^\W_](?:[\w\-']*\w)?", re.UNICODE)
_T = TypeVar("_T")
_CURLY = re.compile("[\u2019\u2018\u02bc]")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "ʼ": "'"})


class lazy(Generic[_T]):  # noqa: N801 -- read as a decorator
    """A property worked out once and then kept; like `functools.cached_property` of later Pythons, without a lock."""

    def __init__(self, work: Callable[[Any], _T]) -> None:
        self.work = work
        self.__doc__ = work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type) -> _T:
        found = instance.__dict__[self.name] = self.work(instance)
        return found


_Phrase = tuple[tuple[str, ...], tuple[str, ...]]


MOST_WORDS = 50_000
"""So many words are remembered with what they begin."""
_found: Any = tuple.__new__
_ASIDE = frozenset(
    (
        *("farewell", "again", "aim", "cure", "recant", "later", "never", "measure", "past"),
        *("hence", "found", "cond", "amend", "often", "regret"),
    )
)
"""Acts that are told beside the others: their phrases hide no shorter ones."""


class Found(NamedTuple):
    """One phrase in a sentence: the act it marks, and the words (spaced) or characters (unspaced) it covers."""

    act: str
    start: int
    end: int


_WIDE_SIGN = re.compile("[\uff0c\uff1a\uff1f\uff01\uff08\uff09\uff1b\uff0e\uff5e]")
_WIDE = str.maketrans("\uff0c\uff1a\uff1f\uff01\uff08\uff09\uff1b\uff0e\uff5e", ",:?!();.~")


def plain(text: str) -> str:
    """``text`` with full-width punctuation made plain, character for character, so that places stay the same."""
    return text if text.isascii() or _WIDE_SIGN.search(text) is None else text.translate(_WIDE)


def words(text: str) -> list[str]:
    """Lower-case words of a text in a spaced script.

    >>> words("Don't use `pytz`, no.")
    ["don't", 'use', 'pytz', 'no']
    """
    return WORD.findall((text if text.isascii() or _CURLY.search(text) is None else text.translate(_QUOTES)).lower())


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
    def _heads(self) -> dict[str, tuple[str, ...]]:
        return {act: tuple({p.split("*")[0].split(" ")[0].lower() for p in self.phrases(act)}) for act in self.acts}

    def may_hold(self, act: str, text: str) -> bool:
        """Cheap sign that a phrase of ``act`` may stand in ``text``: False is certain."""
        low = plain(text).lower()
        return any(head in low for head in self._heads.get(act, ()))

    @cached_property
    def _acts(self) -> dict[str, tuple[str, ...]]:
        """Acts by phrase, longest phrase first."""
        acts: dict[str, list[str]] = {}
        for act in self.acts:
            for phrase in self.phrases(act):
                acts.setdefault(phrase.lower(), []).append(act)
        return {phrase: tuple(acts[phrase]) for phrase in sorted(acts, key=len, reverse=True)}

    @cached_property
    def _entries(self) -> _Entries:
        """What each word can begin, found once a word."""
        single: dict[str, tuple[str, ...]] = {}
        several: dict[str, dict[str, list[_Phrase]]] = {}
        beginning: dict[str, list[_Phrase]] = {}
        for phrase, acts in self._acts.items():
            parts = tuple(phrase.split())
            if any(part[-1] == "*" for part in parts[:2]):
                beginning.setdefault(parts[0].rstrip("*")[:3], []).append((parts, acts))
            elif len(parts) > 1:
                several.setdefault(parts[0], {}).setdefault(parts[1], []).append((parts, acts))
            else:
                single[phrase] = acts
        return _Entries(single, several, beginning)

    @cached_property
    def _by_character(self) -> dict[str, list[tuple[str, tuple[str, ...]]]]:
        found: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
        for phrase, acts in self._acts.items():
            found.setdefault(phrase[0], []).append((phrase, acts))
        return found

    @cached_property
    def _begins(self) -> re.Pattern[str]:
        return re.compile("[" + "".join(map(re.escape, self._by_character)) + "]")

    def find(self, text: str, tokens: list[str]) -> list[Found]:
        """All phrases of this language in a sentence, save those that stand inside a longer one."""
        found = self._in_words(tokens) if self.spaced else self._in_characters(plain(text).lower())
        aside = [f for f in found if f[0] in _ASIDE]
        return _longest([f for f in found if f[0] not in _ASIDE]) + aside if aside else _longest(found)

    def _in_words(self, tokens: list[str]) -> list[Found]:
        entries = self._entries
        if len(entries) > MOST_WORDS:
            entries.clear()
        found: list[Found] = []
        for i, entry in enumerate(map(entries.__getitem__, tokens)):
            if entry:
                acts, several, beginning = entry
                found += [_found(Found, (act, i, i + 1)) for act in acts]
                if several and i + 1 < len(tokens) and (phrases := several.get(tokens[i + 1])):
                    found += _all(phrases, tokens, i)
                if beginning:
                    found += _all(beginning, tokens, i)
        return found

    def _in_characters(self, text: str) -> list[Found]:
        by_character = self._by_character
        found: list[Found] = []
        for begin in self._begins.finditer(text):
            i = begin.start()
            for phrase, acts in by_character[begin[0]]:
                if text.startswith(phrase, i):
                    found += [_found(Found, (act, i, i + len(phrase))) for act in acts]
                    if not _ASIDE.issuperset(acts):
                        break
        return found


_Several = Mapping[str, list[_Phrase]]
_Entry = tuple[tuple[str, ...], _Several, list[_Phrase]]


class _Entries(dict[str, _Entry | None]):
    """Word → what begins with it: acts of the word itself, phrases of several words, phrases with an open end."""

    def __init__(
        self,
        single: Mapping[str, tuple[str, ...]],
        several: Mapping[str, _Several],
        beginning: Mapping[str, list[_Phrase]],
    ) -> None:
        super().__init__()
        self._sources = single, several, beginning

    def __missing__(self, word: str) -> _Entry | None:
        single, several, beginning = self._sources
        starts = [p for p in beginning.get(word[:3], ()) if _matches(p[0][:1], [word], 0)]
        entry = single.get(word, ()), several.get(word, {}), starts
        self[word] = found = entry if any(entry) else None
        return found


def _all(phrases: list[_Phrase], tokens: list[str], at: int) -> list[Found]:
    return [
        _found(Found, (act, at, at + len(parts)))
        for parts, acts in phrases
        if _matches(parts, tokens, at)
        for act in acts
    ]


def _matches(parts: tuple[str, ...], tokens: list[str], at: int) -> bool:
    """True if the words at a place are those of a phrase."""
    if at + len(parts) > len(tokens):
        return False
    for i, part in enumerate(parts, at):
        token = tokens[i]
        if token != part and not (part[-1] == "*" and token.startswith(part[:-1])):
            return False
    return True


def _by_place(f: Found) -> tuple[int, int]:
    return f[1], -f[2]


def _longest(found: list[Found]) -> list[Found]:
    """Without phrases that stand inside a longer one: in "run as" there is no "run", in 不用 no 用."""
    if len(found) < 2:
        return found
    kept: list[Found] = []
    start = end = -1
    for f in sorted(found, key=_by_place):
        if f.end > end:
            start, end = f.start, f.end
        elif (f.start, f.end) != (start, end):
            continue
        kept.append(f)
    return kept
