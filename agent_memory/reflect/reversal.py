"""Statements that end an earlier one: "switched from X to Y", "Y instead of X", "no longer X", in several languages.

A pattern names the old thing (group ``old``) and, where it can, the new one (``new``). Patterns say how people put such
things, not what about.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_SPACED = r"(?:[\w`'’./@#+:&-]+)"
_PHRASE = rf"{_SPACED}(?:\s+{_SPACED}){{0,3}}?"
_NEXT = ("for|in|on|since|because|as|when|at|after|und|weil|da|seit|für|fuer|im|pour|dans|depuis|car|sur|para|en|desde"
         "|porque")
_END = rf"(?=\s*(?:[.,;:!?)—–]|$)|\s+(?:{_NEXT})\b)"
_OLD = rf"(?P<old>{_PHRASE})"
_NEW = rf"(?P<new>{_PHRASE})"
_RUN_OLD = r"(?P<old>[\w`.+#/-]{1,24}?)"
_RUN_NEW = r"(?P<new>[\w`.+#/-]{1,24}?)"
_STOP = r"(?:[，。；,.;]|$)"

_PATTERNS = [re.compile(p, re.IGNORECASE) for p in (
    # English
    rf"\b(?:switch(?:ed|ing)?|mov(?:ed?|ing)|migrat(?:ed?|ing)|chang(?:ed?|ing)|went) (?:\w+ ){{0,3}}?"
    rf"from {_OLD} to {_NEW}{_END}",
    rf"\b{_NEW},? (?:instead of|rather than|in place of) {_OLD}{_END}",
    rf"\breplac(?:ed?|ing) {_OLD} (?:with|by) {_NEW}{_END}",
    rf"\b{_NEW} (?:replaces|replaced|supersedes|has replaced) {_OLD}{_END}",
    rf"\b(?:no longer|not anymore) (?:use[sd]?|using|need(?:ed|s)?|want|on|in|run(?:s|ning)?|support(?:s|ed)?)? ?"
    rf"{_OLD}{_END}",
    rf"\b(?:stop(?:ped)? using|dropped|moved? away from|got rid of|abandon(?:ed)?|gave up on|deprecated) "
    rf"{_OLD}{_END}",
    rf"\b{_OLD} (?:is|are|was|were) (?:no longer (?:used|needed|valid|supported)|gone|dropped|abandoned|deprecated"
    rf"|not used any ?more)",
    rf"\b(?:do not|don't|won't|not) (?:use|want|need) {_OLD} any ?(?:more|longer)",
    # German
    rf"\bvon {_OLD} (?:auf|zu|nach) {_NEW} (?:um\w+|gewechselt|migriert|gegangen)",
    rf"\b{_NEW},? (?:statt|anstatt|anstelle von) {_OLD}{_END}",
    rf"\b{_OLD} (?:durch|gegen) {_NEW} (?:ersetzt|ausgetauscht|getauscht)",
    rf"\bkein(?:e|en|er)? {_OLD} mehr\b",
    rf"\b(?:nutzen|verwenden|benutzen|brauchen|wollen) {_OLD} nicht mehr",
    # French
    rf"\b(?:pass\w+|migr\w+|bascul\w+|chang\w+) de {_OLD} (?:à|vers|a) {_NEW}{_END}",
    rf"\b{_NEW} (?:au lieu de|à la place de|plutôt que) {_OLD}{_END}",
    rf"\bremplac\w+ {_OLD} par {_NEW}{_END}",
    rf"\bn(?:e |['’])\w+ plus (?:de |d['’])?{_OLD}{_END}",
    # Spanish
    rf"\b(?:cambi\w+|migr\w+|pas\w+|mov\w+) de {_OLD} a {_NEW}{_END}",
    rf"\b{_NEW} (?:en lugar de|en vez de) {_OLD}{_END}",
    rf"\b(?:re(?:e)?mplaz\w+|sustitu\w+) (?:a )?{_OLD} (?:por|con) {_NEW}{_END}",
    rf"\bya no (?:us\w+|utiliz\w+|necesit\w+|quer\w+) {_OLD}{_END}",
    # Japanese
    rf"{_RUN_OLD}から{_RUN_NEW}(?:に|へ)(?:移行|変更|切り?替え|乗り?換え|置き換え)",
    rf"{_RUN_OLD}(?:ではなく|じゃなく|の代わりに|に代えて)、?{_RUN_NEW}(?:を|に|で|が)",
    rf"(?:もう|今後は)?{_RUN_OLD}(?:は|を)(?:もう使わな|使わなくな|使用しなくな|やめ|廃止|使うのをやめ)",
    # Chinese
    rf"从{_RUN_OLD}(?:改|换|切换|迁移|转)(?:成|到|为|用|至)?了?{_RUN_NEW}{_STOP}",
    rf"用{_RUN_NEW}(?:代替|取代|替换|替代)了?{_RUN_OLD}{_STOP}",
    rf"(?:不再|不要再|停止|弃用)(?:使用|用|需要|采用)?了?{_RUN_OLD}(?:{_STOP}|改|而)",
    rf"(?:而不是|不是){_RUN_OLD}{_STOP}",
    # Korean
    rf"{_RUN_OLD}에서 {_RUN_NEW}(?:으로|로) (?:전환|변경|이전|교체|바꾸|바꿨|옮)",
    rf"{_RUN_OLD} 대신(?:에)? {_RUN_NEW}(?:을|를|으로|로)",
)]
_HINT = re.compile(
    r"from .* to |instead|rather|place of|replac|supersed|no longer|any ?more|any ?longer|stop|drop|away|rid of|abandon"
    r"|gave up|deprecat|gone|statt|anstelle|ersetzt|tauscht|mehr|\bvon .*(?:um\w|gewechselt|migriert|gegangen)"
    r"| plus |lieu|plutôt|à la place|remplac|\b(?:pass|migr|bascul|chang|cambi|mov|pas)\w+ de |lugar|vez de|emplaz"
    r"|sustitu|ya no|から|ではなく|じゃなく|代わり|代えて|使わな|しなくな|やめ|廃止"
    r"|从|代替|取代|替换|替代|不再|不要再|停止|弃用|不是|에서|대신", re.IGNORECASE)
_ARTICLES = re.compile(
    r"^(?:the|a|an|our|der|die|das|den|dem|le|la|les|l['’]|el|los|las|use|using|used|to|we)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Replaced:
    """One old thing that a text ends, and what takes its place ("" where it does not say)."""

    old: str
    new: str


def speaks_of_change(text: str) -> bool:
    """True if the text may end an earlier statement; cheap, and never false when `replaced` finds something."""
    return _HINT.search(text) is not None


@lru_cache(maxsize=1 << 16)
def replaced(text: str) -> tuple[Replaced, ...]:
    """What a text says no longer holds, in order; empty for most texts.

    >>> replaced("We switched from npm to pnpm for packages.")
    (Replaced(old='npm', new='pnpm'),)
    >>> replaced("MySQLからPostgreSQLに移行した")
    (Replaced(old='MySQL', new='PostgreSQL'),)
    """
    text = unicodedata.normalize("NFKC", text)
    if not speaks_of_change(text):
        return ()
    found: dict[tuple[str, str], None] = {}
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            groups = match.groupdict()
            old = _trim(groups.get("old") or "")
            if old:
                found[(old, _trim(groups.get("new") or ""))] = None
    return tuple(Replaced(old, new) for old, new in found)


def _trim(phrase: str) -> str:
    phrase = phrase.strip(" `'’.,;:")
    while (shorter := _ARTICLES.sub("", phrase)) != phrase:
        phrase = shorter
    return phrase
