"""One comparable form of a text, and its hash: what "the same text" means everywhere."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_SPACE = re.compile(r"\s+")
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"))


def normalise(text: str) -> str:
    """``text`` in NFKC, case-folded, without invisible characters, single spaces, no end punctuation.

    >>> normalise("  Use  PNPM, not npm. ")
    'use pnpm, not npm'
    """
    text = unicodedata.normalize("NFKC", text).translate(_INVISIBLE).casefold()
    return _SPACE.sub(" ", text).strip().rstrip(".。!！").rstrip()


def content_hash(text: str) -> str:
    """SHA-256 of the normalised text, hex."""
    return hashlib.sha256(normalise(text).encode("utf-8", "surrogatepass")).hexdigest()


def without_surrogates(text: str) -> str:
    """``text`` that can be written as UTF-8: lone surrogates become U+FFFD."""
    return text.encode("utf-8", "replace").decode("utf-8") if _has_surrogate(text) else text


def _has_surrogate(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False
