"""What a sentence does: the acts it shows, how it starts, whether it asks, guesses, chats or speaks of the speaker."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent_memory.observe.rules.languages.de import DE
from agent_memory.observe.rules.languages.en import EN
from agent_memory.observe.rules.languages.es import ES
from agent_memory.observe.rules.languages.fr import FR
from agent_memory.observe.rules.languages.it import IT
from agent_memory.observe.rules.languages.ja import JA
from agent_memory.observe.rules.languages.ko import KO
from agent_memory.observe.rules.languages.pt import PT
from agent_memory.observe.rules.languages.ru import RU
from agent_memory.observe.rules.languages.zh import ZH
from agent_memory.observe.rules.lexicon import Found, Lexicon, lazy, plain, words
from agent_memory.observe.rules.segment import Unit
from agent_memory.observe.rules.terms import NUMBER, TERM_OF, count_names, terms

LATIN = (EN, DE, FR, ES, PT, IT)
SPACED = (*LATIN, RU, KO)
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_QUESTION = re.compile(r"[?؟][\s\"'”」)]*$")
_CONTRAST = re.compile(
    r"(?:[,;\u2013-]\s?(?:not|never|nicht|pas|non|nie|jamais|nunca|y no|et pas)\s+\S)|"
    r"\w\s(?:not)\s+(?:the |a |in |to )?[^\s,.]+[.!]?$",
    re.UNICODE,
)
_SO = re.compile(
    r"[,;\u2013\u2014]\s?(?:so|hence|thus|donc|así que|por eso|daher|deshalb|sodass|weshalb|wodurch)\b", re.IGNORECASE
)
_SHOUT = re.compile(r"\b(?:NEVER|ALWAYS|NOT|MUST|DON'T|NO|ONLY|NIE|IMMER|NUNCA|JAMAIS|SIEMPRE|NICHT)\b")
_LABEL = re.compile(r"^\s*[*_]{0,2}([^\W\d_][^:\n`]{0,38}?)[*_]{0,2}\s?:\s*[*_]{0,2}\s*(?=\S)")
_AROUND_FAREWELL = ("farewell", "chat", "fill", "ack", "open", "ana", "later", "self")
_COLON = re.compile(r"\w:(?:\s|$)")
_ASSIGN = re.compile(r"^\s*[\w ./-]{2,30}\s(?:=|->|→|:=)\s\S")


@dataclass(eq=False)
class Speech:
    """A sentence with the acts it shows. ``starts`` are acts at its first word after fillers, ``lead`` its offset."""

    unit: Unit
    lang: Lexicon
    tokens: tuple[str, ...]
    found: tuple[Found, ...]
    acts: frozenset[str]
    starts: frozenset[str]
    lead: int
    cut: int  # like lead, but after single-word fillers only: what may be cut off
    label: str  # kind of a leading label such as "Open:", "" for none
    rest: str  # the text after that label, or the text

    @property
    def text(self) -> str:
        """The sentence as written."""
        return self.unit.text

    @lazy
    def terms(self) -> frozenset[str]:
        """Content words."""
        if self.lang.spaced and self.unit.text.isascii():
            return frozenset(filter(None, map(TERM_OF.__getitem__, self.tokens)))
        return terms(self.unit.text)

    @lazy
    def names(self) -> int:
        """How many identifiers it holds."""
        return count_names(self.unit.text)

    @lazy
    def numbers(self) -> int:
        """How many numbers it holds."""
        return sum(1 for _ in NUMBER.finditer(self.unit.text))

    def has(self, *acts: str) -> bool:
        """True if it shows one of the acts."""
        return not self.acts.isdisjoint(acts)

    @lazy
    def question(self) -> bool:
        """True if it asks: a question mark at the end, or a question word at its start."""
        text = plain(self.text)
        if _QUESTION.search(text):
            return True
        if self.has("asks") and not self.has("rule", "told"):
            return True
        if not self.lang.spaced:
            tail = text.rstrip("。.!~… ")
            return any(
                f.act in ("interro", "define")
                and (f.end >= len(tail) - 1 or tail[f.end - 1 : f.end + 1].endswith(("、", ",", "?")))
                for f in self.found
            )
        asks = bool(self.starts & {"interro", "define"})
        return asks and not self.has("wish", "told") and _COLON.search(self.text) is None

    @lazy
    def contrast(self) -> bool:
        """True for "this, not that" and for shouted words."""
        return _CONTRAST.search(self.text) is not None or _SHOUT.search(self.text) is not None

    @lazy
    def infers(self) -> bool:
        """True if it says what follows from something, or why."""
        return "cause" in self.acts or _SO.search(self.text) is not None

    @property
    def assigns(self) -> bool:
        """True for "base = slim" and "min browser: Safari 16"."""
        return _ASSIGN.match(self.text) is not None

    def bare(self, *acts: str) -> int:
        """How many words (unspaced: letters) stand in it beside phrases of the acts."""
        covered = {i for f in self.found if f.act in acts for i in range(f.start, f.end)}
        if self.lang.spaced:
            return len(self.tokens) - len(covered)
        return sum(1 for i, c in enumerate(self.text) if c.isalnum() and i not in covered)

    @property
    def farewell(self) -> bool:
        """True for a farewell or a well-wish, with or without a day in it: "bonne journée !", "see you tomorrow"."""
        return (
            self.has("farewell")
            and not self.numbers
            and not self.names
            and self.bare(*_AROUND_FAREWELL) <= 2 + (not self.lang.spaced)
        )

    @property
    def turns(self) -> bool:
        """True if it takes back the words just before it: "no wait, …", "いや、やっぱり…"."""
        return any(f.act == "recant" and f.start < (3 if self.lang.spaced else 4) for f in self.found)

    def only(self, act: str) -> bool:
        """True if nearly nothing but phrases of ``act`` stand in it."""
        if self.lang.spaced:
            covered = {i for f in self.found if f.act == act for i in range(f.start, f.end)}
            return len(covered) >= len(self.tokens) or len(self.tokens) - len(covered) <= len(self.tokens) // 5
        bare = re.sub(r"[\W_]+", "", self.text)
        return len({i for f in self.found if f.act == act for i in range(f.start, f.end)}) * 2 >= len(bare)


_STOPS = {
    word: [k for k, lexicon in enumerate(LATIN) if word in lexicon.stop_words]
    for word in frozenset().union(*(lexicon.stop_words for lexicon in LATIN))
}


def language(text: str, fallback: Lexicon = EN) -> Lexicon:
    """The language of a text by script and frequent words; ``fallback`` where it gives no sign.

    >>> language("die Datenbank bleibt auf dem Host").code, language("使わないで").code
    ('de', 'ja')
    """
    if not text.isascii():
        if _KANA.search(text):
            return JA
        if len(_HAN.findall(text)) >= 2:
            return JA if fallback is JA else ZH
        for script, lexicon in ((_HANGUL, KO), (_CYRILLIC, RU)):
            if len(script.findall(text, 0, 400)) >= 4:
                return lexicon
    tokens = words(text[:1000])
    counted = [0] * len(LATIN)
    for word in tokens:
        if word in _STOPS:
            for k in _STOPS[word]:
                counted[k] += 1
    scores = list(zip(counted, LATIN, strict=True))
    best = max(score for score, _ in scores)
    ties = [lexicon for score, lexicon in scores if score == best]
    if fallback.spaced and len(text) <= 80 and (best <= 1 or (len(ties) > 1 and fallback not in ties)):
        return _nearest(tokens, LATIN if best <= 1 else ties, fallback if fallback in ties else ties[0])
    if best == 0 or (fallback in ties):
        return fallback if fallback.spaced or (best == 0 and not tokens) else (fallback if fallback in ties else EN)
    return ties[0]


def _nearest(tokens: list[str], ties: Sequence[Lexicon], fallback: Lexicon) -> Lexicon:
    """The language whose phrases cover most of a few words: "bonne soirée !" has no frequent word."""

    def covered(lexicon: Lexicon) -> int:
        return len({i for f in lexicon.find("", tokens) for i in range(f.start, f.end)})

    best = max(ties, key=lambda lexicon: (covered(lexicon), lexicon is fallback))
    clear = covered(best) * 2 > len(tokens) and covered(best) >= covered(fallback) + 2 * (best is not fallback)
    return best if clear else fallback


def read(unit: Unit, lang: Lexicon) -> Speech:
    """The acts of one unit in a language."""
    tokens = words(unit.text) if lang.spaced else []
    found = lang.find(unit.text, tokens)
    if lang.spaced and ":" in unit.text[:40] and "again" in lang.acts:
        found += _again(unit.text, found)
    if lang.spaced:
        lead = cut = _lead(tokens, found)
        starts = frozenset([f[0] for f in found if f[1] == lead])
        if lead:
            cut = _lead(tokens, [f for f in found if f[2] == f[1] + 1])
    else:
        lead = cut = _lead_chars(unit.text, found)
        starts = frozenset([f[0] for f in found if lead <= f[1] <= lead + 1])
    label, rest = _label(unit.text, lang)
    return Speech(
        unit, lang, tuple(tokens), tuple(found), frozenset([f[0] for f in found]), starts, lead, cut, label, rest
    )


def _again(text: str, found: Sequence[Found]) -> list[Found]:
    """ "And again: …" is what was said before, said once more; a plain "again" is not."""
    head = len(words(text[: text.index(":")]))
    return [f._replace(act="told") for f in found if f.act == "again" and f.end == head]


def read_all(found: Iterable[Unit], lang: Lexicon) -> list[Speech]:
    """The acts of several units."""
    return [read(unit, lang) for unit in found]


def heading_kind(title: str, lang: Lexicon) -> str:
    """What the bullets under a heading are: lesson, decision, open, fact …, or "" if it says nothing.

    >>> heading_kind("Key Learnings", EN), heading_kind("Offene Punkte", EN)
    ('lesson', 'open')
    """
    title = title.strip(" *_#:\uff1a").casefold()
    lexicons: Sequence[Lexicon] = (lang, *(other for other in (*SPACED, JA, ZH) if other is not lang))
    for lexicon in lexicons:
        if title in lexicon.headings:
            return lexicon.headings[title]
    parts = title.split()
    for lexicon in lexicons:
        if not lexicon.spaced:
            continue
        for part in (parts[-1:], parts[:1]) if len(parts) <= 4 else ():
            if part and part[0] in lexicon.headings:
                return lexicon.headings[part[0]]
    return ""


def _label(text: str, lang: Lexicon) -> tuple[str, str]:
    if ":" not in text and "\uff1a" not in text:
        return "", text
    if match := _LABEL.match(plain(text)):
        title = match[1].strip().casefold()
        for lexicon in (lang, EN):
            if title in lexicon.headings:
                return lexicon.headings[title], text[match.end() :].strip()
    return "", text


def _lead(tokens: Sequence[str], found: Sequence[Found]) -> int:
    """Index of the first word that is no filler."""
    fill: dict[int, int] = {}
    for act, start, end in found:
        if act == "fill":
            fill[start] = max(end, fill.get(start, 0))
    if 0 not in fill:
        return 0
    at = 0
    while at in fill and fill[at] < len(tokens):
        at = fill[at]
    return at


def _lead_chars(text: str, found: Sequence[Found]) -> int:
    fill = {f.start: f.end for f in found if f.act == "fill"}
    text, at = plain(text), 0
    while at < len(text):
        if at in fill and fill[at] > at:
            at = fill[at]
        elif text[at] in " ,、。.!":
            at += 1
        else:
            break
    return at if at < len(text) else 0
