"""Whether two texts say the same, the opposite, or give one thing two values. Pure, in any script.

The rule is meant to be explained rather than tuned: two statements are the same if one holds all content words of
the other (inflection and short forms aside), with few words more, and if negations, conditions, numbers and names are
equal. A word that was exchanged for another is never a near-duplicate: exchanging one word is how a fact changes.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from agent_memory.reflect import language
from agent_memory.text.analyze import fold, stem
from agent_memory.text.normal import content_hash

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
_TOKEN = re.compile(
    f"`(?P<quoted>[^`]+)`|(?P<arrow>->|→|=>)|(?P<run>[{_UNSPACED}ー]+)"
    f"|(?P<word>(?:--?(?=\\w))?\\.?(?:(?![{_UNSPACED}])\\w)+(?:['’./:\\-@#+&\\\\](?:(?![{_UNSPACED}])\\w)+|[+#]+)*)")
_PIECE = re.compile("[\u30a0-\u30ffー]+|[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]+|.")
_CAMEL = re.compile(r"[a-z]\w*[A-Z]|[A-Z]{2,}\w*[a-z0-9]")
_SUFFIXES = frozenset(
    ("", "s", "es", "d", "ed", "ing", "n", "en", "e", "t", "st", "te", "et", "em", "y", "ies", "ly", "i"))
COVER = 0.7
"""Share of the longer text's content words that the shorter one must hold."""


@dataclass(frozen=True, slots=True)
class Features:
    """What is compared of a text.

    ``words`` are content words in order and in a comparable form, ``guards`` numbers, identifiers and conditions,
    which must be equal, ``negations`` how many there are, ``ordered`` whether the order of words has a meaning,
    ``numbers`` the guards that are numbers, ``attribute`` whether it speaks of something that has one value.
    """

    words: tuple[str, ...]
    guards: frozenset[str]
    negations: int
    ordered: bool
    numbers: frozenset[str]
    attribute: bool
    digest: str


@lru_cache(maxsize=1 << 17)
def features(text: str) -> Features:
    """Take a text apart for comparison."""
    text = unicodedata.normalize("NFKC", text).replace("’", "'")
    words: list[str] = []
    guards: set[str] = set()
    numbers: set[str] = set()
    negations, ordered, attribute = 0, False, False
    for token in _TOKEN.finditer(text):
        if token["run"]:
            run = token["run"]
            ordered = True
            negations += len(language.NEGATIONS_UNSPACED.findall(run))
            guards.update(language.CONDITIONS_UNSPACED.findall(run))
            attribute = attribute or language.ATTRIBUTES_UNSPACED.search(run) is not None
            words += _PIECE.findall(language.LIGHT_UNSPACED.sub("", language.NEGATIONS_UNSPACED.sub("", run)))
            continue
        raw = token["quoted"] or token["arrow"] or token["word"]
        word = fold(raw)
        if word in language.NEGATIONS:
            negations += 1
            ordered = True  # "pnpm, not npm" is not "npm, not pnpm"
        elif word in language.CONDITIONS:
            guards.add(word)
        elif word in language.DIRECTIONS:
            ordered = True
        elif _is_name(raw, word) and word not in language.SHORT_FORMS:
            guards.add(word)
            if word[:1].isdigit():
                numbers.add(word)
        else:
            for part in re.split(r"[-/'&]", word):
                if part and part not in language.LIGHT and part not in language.DIRECTIONS:
                    attribute = attribute or part in language.ATTRIBUTES
                    words.append(_comparable(part))
    hangul = "".join(re.findall("[\uac00-\ud7a3 ]+", text))
    if hangul.strip():
        negations += len(language.NEGATIONS_UNSPACED.findall(hangul))
        guards.update(language.CONDITIONS_UNSPACED.findall(hangul))
        attribute = attribute or language.ATTRIBUTES_UNSPACED.search(hangul) is not None
    return Features(tuple(words), frozenset(guards), negations, ordered, frozenset(numbers), attribute,
                    content_hash(text))


def _is_name(raw: str, word: str) -> bool:
    """Numbers, identifiers, paths, flags, versions: what is only equal if it is written the same."""
    if any(c.isdigit() for c in word) or "_" in word or _CAMEL.search(raw):
        return True
    if raw.startswith(("-", ".")) or any(c in word for c in ".:@#+\\"):
        return True
    return "/" in word and len(word) > 24


def _comparable(word: str) -> str:
    word = language.SHORT_FORMS.get(word, word)
    if "\uac00" <= word[0] <= "\ud7a3":
        bare = language.PARTICLES.sub("", word)
        return bare if bare else word
    return stem(word)


def _alike(a: str, b: str) -> bool:
    """True for two forms of one word: a common beginning of four letters (two in Korean), then known endings."""
    if a[0] != b[0]:
        return False
    common = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        common += 1
    if "\uac00" <= a[0] <= "\ud7a3":
        return common >= 2 and len(a) - common <= 2 and len(b) - common <= 2
    if a.isascii() and b.isascii():
        return common >= 4 and a[common:] in _SUFFIXES and b[common:] in _SUFFIXES
    return common >= 4 and len(a) - common <= 2 and len(b) - common <= 2


@dataclass(frozen=True, slots=True)
class Overlap:
    """Content words that two texts share, and those that only one of them has."""

    common: int
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]

    @property
    def cover(self) -> float:
        """Share of the longer text that both have, 0 to 1."""
        longest = self.common + max(len(self.only_a), len(self.only_b))
        return self.common / longest if longest else 1.0


def overlap(a: Features, b: Features) -> Overlap:
    """Compare content words as sets, forms of one word taken as equal."""
    first, second = set(a.words), set(b.words)
    common = len(first & second)
    left, right = sorted(first - second), sorted(second - first)
    for word in list(left):
        match = next((other for other in right if _alike(word, other)), None)
        if match is not None:
            left.remove(word)
            right.remove(match)
            common += 1
    return Overlap(common, tuple(left), tuple(right))


def _same_order(a: Features, b: Features) -> bool:
    """True if the words that both have stand in the same order."""
    shared = Counter(a.words) & Counter(b.words)

    def kept(words: tuple[str, ...]) -> list[str]:
        left = Counter(shared)
        found = []
        for word in words:
            if left[word] > 0:
                left[word] -= 1
                found.append(word)
        return found

    return kept(a.words) == kept(b.words)


def _same_words(a: Features, b: Features) -> bool:
    """True if one text's words are the other's, with few more, in an order that does not matter or is the same."""
    shared = overlap(a, b)
    if shared.only_a and shared.only_b:
        return False
    if (shared.only_a or shared.only_b) and (shared.cover < COVER or shared.common < 3):
        return False
    if shared.common == 0 and not a.guards:
        return False
    return not (a.ordered or b.ordered) or _same_order(a, b)


def same(a: Features, b: Features) -> bool:
    """True if the two say the same.

    >>> same(features("We use pnpm in this repo"), features("This repository uses pnpm."))
    True
    >>> same(features("Use npm"), features("Do not use npm"))
    False
    """
    if a.digest == b.digest:
        return True
    return a.guards == b.guards and a.negations == b.negations and _same_words(a, b)


def opposite(a: Features, b: Features) -> bool:
    """True if the two differ in nothing but a negation.

    >>> opposite(features("Use npm for packages"), features("Do not use npm for packages"))
    True
    """
    return a.guards == b.guards and (a.negations == 0) != (b.negations == 0) and _same_words(a, b)


def other_value(a: Features, b: Features) -> tuple[str, str] | None:
    """The two values, if both texts say the same of something that has one value at a time, with different numbers.

    >>> other_value(features("The API listens on port 5432"), features("The API listens on port 5433"))
    ('5432', '5433')
    """
    only_a, only_b = a.guards - b.guards, b.guards - a.guards
    if len(only_a) != 1 or len(only_b) != 1 or a.negations != b.negations or not (a.attribute and b.attribute):
        return None
    (old,), (new,) = only_a, only_b
    if old not in a.numbers or new not in b.numbers:
        return None
    shared = overlap(a, b)
    return (old, new) if not shared.only_a and not shared.only_b and shared.common >= 1 else None
