"""Statements that end an earlier one: "switched from X to Y", "Y instead of X", "no longer X", in several languages.

A pattern names the old thing (group ``old``) and, where it can, the new one (``new``). Patterns say how people put such
things, not what about.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_SPACED = r"(?:[\w`'’./@#+:&-]+)"
_PHRASE = rf"{_SPACED}(?:\s+{_SPACED}){{0,3}}?"
_END = r"(?=\s*(?:[.,;:!?)—–]|$)|\s+(?:for|in|on|since|because|as|when|at|after|und|weil|da|seit|für|fuer|in|im|pour|dans|depuis|car|sur|para|en|desde|porque)\b)"
_OLD = rf"(?P<old>{_PHRASE}){_END}"
_CJK = r"[\w一-鿿ぁ-ゖァ-ヶー`.+#/-]{1,24}?"

_PATTERNS = [re.compile(p, re.IGNORECASE) for p in (
    # English
    rf"\b(?:switch(?:ed|ing)?|mov(?:ed?|ing)|migrat(?:ed?|ing)|chang(?:ed?|ing)|went) (?:\w+ ){{0,3}}?from (?P<old>{_PHRASE}) to (?P<new>{_PHRASE}){_END}",
    rf"\b(?P<new>{_PHRASE}),? (?:instead of|rather than|in place of) {_OLD}",
    rf"\breplac(?:ed?|ing) (?P<old>{_PHRASE}) (?:with|by) (?P<new>{_PHRASE}){_END}",
    rf"\b(?P<new>{_PHRASE}) (?:replaces|replaced|supersedes|has replaced) {_OLD}",
    rf"\b(?:no longer|not anymore) (?:use[sd]?|using|need(?:ed|s)?|want|on|in|run(?:s|ning)?|support(?:s|ed)?)? ?{_OLD}",
    rf"\b(?:stop(?:ped)? using|dropp?(?:ed)?|moved? away from|got rid of|abandon(?:ed)?|gave up on|deprecated?) {_OLD}",
    rf"\b(?P<old>{_PHRASE}) (?:is|are|was|were) (?:no longer (?:used|needed|valid|supported)|gone|dropped|abandoned|deprecated|not used any ?more)",
    rf"\b(?:do not|don't|won't|not) (?:use|want|need) (?P<old>{_PHRASE}) any ?(?:more|longer)",
    # German
    rf"\bvon (?P<old>{_PHRASE}) (?:auf|zu|nach) (?P<new>{_PHRASE}) (?:um\w+|gewechselt|migriert|gewechselt|umgezogen|gegangen)",
    rf"\b(?P<new>{_PHRASE}),? (?:statt|anstatt|anstelle von) {_OLD}",
    rf"\b(?P<old>{_PHRASE}) (?:durch|gegen) (?P<new>{_PHRASE}) (?:ersetzt|ausgetauscht|getauscht)",
    rf"\bkein(?:e|en|er)? (?P<old>{_PHRASE}) mehr\b",
    rf"\b(?:nutzen|verwenden|benutzen|brauchen|wollen) (?P<old>{_PHRASE}) nicht mehr",
    # French
    rf"\b(?:passer|passe|passons|passé|passés|migré|migrer|basculé|changé)\w* de (?P<old>{_PHRASE}) (?:à|vers|a) (?P<new>{_PHRASE}){_END}",
    rf"\b(?P<new>{_PHRASE}) (?:au lieu de|à la place de|plutôt que) {_OLD}",
    rf"\bremplac\w+ (?P<old>{_PHRASE}) par (?P<new>{_PHRASE}){_END}",
    rf"\bn(?:e |['’])\w+ plus (?:de |d['’])?{_OLD}",
    # Spanish
    rf"\b(?:cambi\w+|migr\w+|pas\w+|mov\w+) de (?P<old>{_PHRASE}) a (?P<new>{_PHRASE}){_END}",
    rf"\b(?P<new>{_PHRASE}) (?:en lugar de|en vez de) {_OLD}",
    rf"\b(?:re(?:e)?mplaz\w+|sustitu\w+) (?:a )?(?P<old>{_PHRASE}) (?:por|con) (?P<new>{_PHRASE}){_END}",
    rf"\bya no (?:us\w+|utiliz\w+|necesit\w+|quer\w+) {_OLD}",
    # Japanese
    rf"(?P<old>{_CJK})から(?P<new>{_CJK})(?:に|へ)(?:移行|変更|切り?替え|乗り?換え|置き換え)",
    rf"(?P<old>{_CJK})(?:ではなく|じゃなく|の代わりに|に代えて)、?(?P<new>{_CJK})(?:を|に|で|が)",
    rf"(?:もう|今後は)?(?P<old>{_CJK})(?:は|を)(?:もう使わな|使わなくな|使用しなくな|やめ|廃止|使うのをやめ)",
    # Chinese
    rf"从(?P<old>{_CJK})(?:改|换|切换|迁移|转)(?:成|到|为|用|至)?了?(?P<new>{_CJK})(?:[，。；,.;]|$)",
    rf"用(?P<new>{_CJK})(?:代替|取代|替换|替代)了?(?P<old>{_CJK})(?:[，。；,.;]|$)",
    rf"(?:不再|不要再|停止|弃用)(?:使用|用|需要|采用)?了?(?P<old>{_CJK})(?:[，。；,.;]|$|改|而)",
    rf"(?:而不是|不是)(?P<old>{_CJK})(?:[，。；,.;]|$)",
    # Korean
    r"(?P<old>[\w.]+?)에서 (?P<new>[\w.]+?)(?:으로|로) (?:전환|변경|이전|교체|바꾸|바꿨|옮)",
    r"(?P<old>[\w.]+?) 대신(?:에)? (?P<new>[\w.]+?)(?:을|를|으로|로)",
)]
_HINT = re.compile(
    r"from|instead|rather|place of|replac|supersed|no longer|any ?more|stop|drop|away|rid of|abandon|gave up|deprecat|gone"
    r"|statt|anstelle|ersetzt|tauscht|mehr|gewechselt|migriert|gestellt|plus|lieu|plutôt|remplac|bascul|chang|vers|passé"
    r"|gestiegen|gezogen|umge|gegangen|cambi|migr|pas\w+ de|mov\w+ de|lugar|vez de|emplaz|sustitu|ya no|から|ではなく|じゃなく|代わり|代えて|使わな|しなくな|やめ|廃止"
    r"|从|代替|取代|替|不再|不要再|停止|弃用|不是|에서|대신", re.IGNORECASE)
_ARTICLES = re.compile(r"^(?:the|a|an|our|der|die|das|den|dem|le|la|les|l['’]|el|los|las|use|using|used|to|we)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Replaced:
    """One old thing that a text ends, and what takes its place ("" where it does not say)."""

    old: str
    new: str


def speaks_of_change(text: str) -> bool:
    """True if the text may end an earlier statement; cheap, and never false when `replaced` finds something."""
    return _HINT.search(text) is not None


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
