"""One analyzer for what is indexed and what is asked: text in, tokens out.

A token is folded (NFKC, case, accents of Latin and Greek), and a word of a language is cut to its stem. Identifiers are
kept whole and also split: ``apply_secrets``, ``getUserName``, ``src/main.py``, ``DEC-0054`` and ``v2.1.4`` are found
as written and by their parts. Scripts that set no blanks (Chinese, Japanese, Korean, Thai, Lao, Khmer, Burmese,
Tibetan) become pairs of characters, so that two-character words match inside any sentence. Emoji are tokens.

Tokens hold no blank, so a list of them joined by blanks is what the full-text tables are fed with.
``VERSION`` changes with every change of the tokens; the search file is rebuilt then.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Any

from agent_memory.text.analyze_stop import without_stop_words

VERSION = 2
LONGEST = 128
"""Longer tokens (keys, encoded data) are cut to this many characters, on both sides."""

_MARKS = ("\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
          "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3"
          "\u0816-\u082d\u0900-\u0963\u0966-\u0df3\u135d-\u135f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f")
_UNSPACED = ("\u0e00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff"
             "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff")
_PATTERNS = {  # compiled when the first text needs them: a cold process that meets ASCII only pays for none
    "run": f"[{_UNSPACED}]+",
    "word": f"(?:[^\\W_]|[{_MARKS}])+",
    "accented": "[\u00c0-\u024f\u0300-\u036f\u0370-\u03ff\u1e00-\u1fff\u0591-\u05c7\u0640\u064b-\u0652]",
    "dropped": "[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u0652]",
    "invisible": "[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]",
    "cyrillic": "[\u0430-\u045f]+",
}
_ASCII_WORD = re.compile(r"[A-Za-z0-9]+")
_CASES = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\x00-\x7f]+")
_LEFT = "¿¡\"'`*()[]{}<>«»„“”‘’‚‹›,;:!?…=|~^&%\\（［｛「『【《〈、。，；：！？・"
_RIGHT = "\"'`*()[]{}<>«»“”‘’‹›,;:!?.…=|~^&%\\/（）］｝」』】》〉、。，；：！？・"
_JOINT = re.compile(r"[._/\\:@#+\-$]")
_SEGMENT = re.compile(r"[/\\:@#=,;()\[\]{}<>\"'`|&?!%~^*]+")
_CONTRACTION = re.compile(r"(?<=\w)['’](?:s|t|d|m|ll|re|ve)\b", re.I)
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_QUOTES = str.maketrans({"'": "\u02bc", '"': "\u02ba"})  # a tokenizer's own quotes would cut a token in two
_CACHE_SIZE = 1 << 17


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_PATTERNS[name])


@cache
def _stemmer(language: str) -> Any:
    import Stemmer  # type: ignore[import-not-found]  # it comes without stubs

    return Stemmer.Stemmer(language)


def fold(text: str) -> str:
    """NFKC, case-folded, Latin and Greek letters without accents, no invisible characters. Blanks stay.

    >>> fold("Ｃafé Straße")
    'cafe strasse'
    """
    if text.isascii():
        return text.lower()
    return _without_accents(_pattern("invisible").sub("", unicodedata.normalize("NFKC", text).casefold()))


def _without_accents(text: str) -> str:
    if _pattern("accented").search(text) is None:
        return text
    accented, dropped = _pattern("accented"), _pattern("dropped")
    return "".join(unicodedata.normalize("NFKC", dropped.sub("", unicodedata.normalize("NFKD", c)))
                   if accented.match(c) else c for c in text)


def unspaced(text: str) -> bool:
    """True if ``text`` holds characters of a script that sets no blanks.

    >>> unspaced("東京"), unspaced("Tokyo")
    (True, False)
    """
    return not text.isascii() and _pattern("run").search(text) is not None


def stem(word: str) -> str:
    """The stem of a folded word: English for a-z, Russian for Cyrillic, else the word itself."""
    if len(word) > 3 and word.isascii():
        return str(_stemmer("english").stemWord(word)) if word.isalpha() else word
    if len(word) > 3 and _pattern("cyrillic").fullmatch(word):
        return str(_stemmer("russian").stemWord(word))
    return word


def _pairs(run: str) -> list[str]:
    """Pairs of neighbouring characters, and the last one alone so that a prefix finds every single character."""
    return [*map(str.__add__, run, run[1:]), run[-1]]


def _word_parts(word: str) -> list[str]:
    """Tokens of one run of letters and digits as written: its stem, or the whole and the parts it is made of."""
    folded = fold(word)
    if word.islower() and word.isascii() and word.isalpha():
        return [stem(word)]
    bare = _without_accents(word)
    parts = _CASES.findall(bare) if bare.isascii() else []
    if len(parts) < 2:
        return [stem(folded)]
    return [folded, *(stem(fold(p)) for p in parts if len(p) > 1)]


def chunks(text: str) -> list[str]:
    """What stands between blanks (of any script) and control characters."""
    return (_CONTROL.sub(" ", text) if _CONTROL.search(text) else text).split()


def _symbols(text: str) -> list[str]:
    return [c for c in text if c > "\x7f" and unicodedata.category(c) in ("So", "Sc")]


def core(chunk: str) -> str:
    """A chunk between blanks without quotes, brackets and end punctuation around it: ``(see .env),`` gives ``.env``.

    Sharps and pluses stay, and a dot or dashes before a name: ``C++``, ``C#``, ``.env``, ``--flag``.
    """
    bare = chunk.strip(_LEFT).rstrip(_RIGHT)
    return bare.lstrip(_LEFT)


def _is_joined(text: str) -> bool:
    """True for what stands for one thing though it is not one word: a path, a ticket, a version, a flag."""
    return len(text) > 1 and _JOINT.search(text) is not None and any(c.isalnum() for c in text)


def _chunk_tokens(chunk: str) -> list[str]:
    if chunk.isascii() and chunk.isalpha() and chunk.islower():
        return [stem(chunk)]
    text = _pattern("invisible").sub("", unicodedata.normalize("NFKC", chunk)) if not chunk.isascii() else chunk
    found: list[str] = [] if text.isascii() else _symbols(text)
    bare = _CONTRACTION.sub("", core(text))
    wholes = [fold(bare)] if _is_joined(bare) else []
    if wholes and _SEGMENT.search(bare):
        wholes += [fold(s) for s in (core(s) for s in _SEGMENT.split(bare)) if s != bare and _is_joined(s)]
    if wholes and re.match(r"v\d", wholes[0]):
        wholes.append(wholes[0][1:])
    for run in [] if text.isascii() else _pattern("run").findall(bare):
        found += _pairs(fold(run))
    words = (_ASCII_WORD.findall(bare) if text.isascii()
             else _pattern("word").findall(_pattern("run").sub(" ", bare)))
    for word in words:
        if len(word) > 1 or not wholes:
            found += _word_parts(word)
    return [t[:LONGEST] for t in dict.fromkeys((*wholes, *found)) if t] if wholes else [t[:LONGEST] for t in found if t]


_seen: dict[str, str] = {}


def index_text(text: str) -> str:
    """Tokens of ``text`` joined by blanks, in order, with repetitions: what a full-text table is fed with.

    >>> index_text("Run apply_secrets, then 问题!")
    'run apply_secrets appli secret then 问题 题'
    """
    if len(_seen) > _CACHE_SIZE:
        _seen.clear()
    parts = chunks(text)
    out = list(map(_seen.get, parts))
    if None in out:
        out = [_tokens_of(part) if known is None else known for part, known in zip(parts, out, strict=True)]
    return " ".join(filter(None, out))


def _tokens_of(chunk: str) -> str:
    known = " ".join(_chunk_tokens(chunk)).translate(_QUOTES)
    if len(chunk) <= 48:
        _seen[chunk] = known
    return known


def tokens(text: str) -> list[str]:
    """Tokens of ``text`` in order, with repetitions."""
    return index_text(text).split()


@dataclass(frozen=True, slots=True)
class Query:
    """A question taken apart.

    ``terms`` are index tokens without stop words (unless there is nothing else), ``prefixes`` single characters of
    unspaced scripts that match as the beginning of a pair, ``words`` the folded words behind the terms, for parts of
    words, ``wholes`` identifiers as written, ``text`` the folded question.
    """

    terms: tuple[str, ...]
    prefixes: tuple[str, ...]
    words: tuple[str, ...]
    wholes: tuple[str, ...]
    text: str

    @property
    def empty(self) -> bool:
        """True if no arm can be asked."""
        return not (self.terms or self.prefixes)


def query(text: str) -> Query:
    """Take a question apart with the same rules that fed the index. Any text in any script is fine.

    >>> query("Where is the DEC-0054 file?").terms
    ('dec-0054', 'dec', '0054', 'file')
    """
    parts = chunks(text)
    bare = [fold(_CONTRACTION.sub("", core(c))) for c in parts]
    shouting = text.isupper()
    kept = [keep or (len(part) > 1 and part.isupper() and not shouting)  # IT, US, OR: names, not stop words
            for part, keep in zip(parts, without_stop_words(bare), strict=True)]
    terms: list[str] = []
    prefixes: list[str] = []
    words: list[str] = []
    wholes: list[str] = []
    for chunk, plain, keep in zip(parts, bare, kept, strict=True):
        if not keep:
            continue
        found = index_text(chunk).split()
        if _is_joined(plain):
            wholes.append(plain[:LONGEST])
        runs = [] if chunk.isascii() else _pattern("run").findall(fold(chunk))
        tails = {r[-1] for r in runs}
        prefixes += [r for r in runs if len(r) == 1]
        terms += [t for t in found if t not in tails]
        if plain:
            words.append(plain)
    unique = tuple(dict.fromkeys(terms))
    return Query(unique, tuple(dict.fromkeys(prefixes)), tuple(dict.fromkeys(words)), tuple(dict.fromkeys(wholes)),
                 fold(text).strip())
