"""Parts of words: four characters in a row, for words that share a part but no token (``iterable``, ``isiterable``).

A text is laid out as bytes of folded words between blanks, so that a gram is counted by a plain byte search.
Grams do not cross words; ``" ite"`` begins one, ``"ble "`` ends one. In unspaced scripts a gram is two characters.
"""

from __future__ import annotations

import math
from collections import Counter

from agent_memory.text.analyze import fold, unspaced

SIZE = 4
_LAYOUT = bytes(c if c >= 0x80 or chr(c).isalnum() else 0x20 for c in range(256))
_CACHE_SIZE = 1 << 17
_known: dict[bytes, tuple[bytes, ...]] = {}


def layout(text: str) -> bytes:
    """Folded words of ``text`` between blanks, as UTF-8.

    >>> layout("Is_Iterable(x)")
    b' is iterable x  '
    """
    return b" " + fold(text).encode("utf-8", "replace").translate(_LAYOUT) + b" "


def grams_of(word: bytes) -> tuple[bytes, ...]:
    """The distinct grams of one word of a layout.

    >>> grams_of(b"four")
    (b' fou', b'four', b'our ')
    """
    known = _known.get(word)
    if known is None:
        text = word.decode("utf-8", "replace")
        padded, size = (text, 2) if unspaced(text) else (f" {text} ", SIZE)
        found = dict.fromkeys(padded[i:i + size].encode() for i in range(len(padded) - size + 1))
        known = tuple(found)
        if len(_known) > _CACHE_SIZE:
            _known.clear()
        if len(word) <= 48:
            _known[word] = known
    return known


def measure(text: str) -> tuple[float, set[bytes]]:
    """Length of a text as a vector of its grams, and the grams: what the index keeps of them."""
    counts = Counter(layout(text).split())
    found = list(map(grams_of, counts))
    square = sum(len(g) if n == 1 else (1 + math.log(n)) ** 2 * len(g)
                 for n, g in zip(counts.values(), found, strict=True))
    return math.sqrt(square), set().union(*found)


def query_grams(words: tuple[str, ...]) -> tuple[bytes, ...]:
    """The distinct grams of a question's words."""
    return tuple(dict.fromkeys(g for w in layout(" ".join(words)).split() for g in grams_of(w)))


def similarity(text: str, weights: dict[bytes, float], norm: float) -> float:
    """How much of a text consists of the weighted grams: a cosine without the question's own length."""
    data = layout(text)
    total = 0.0
    for gram, weight in weights.items():
        count = data.count(gram)
        if count:
            total += weight * (1 + math.log(count))
    return total / norm if norm else 0.0
