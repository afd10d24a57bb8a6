"""Free text with headed sections, as agents end their work with, taken apart into notes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from agent_memory.model.memory import Kind
from agent_memory.observe.rules.languages.en import EN
from agent_memory.observe.rules.speech import heading_kind

_HEADING = re.compile(r"^\s{0,3}(?:#{1,6}\s+(.+?)\s*#*|\*\*([^*\n]{2,60})\*\*\s*[:：]?|【([^】\n]{1,30})】)\s*$")
_BULLET = re.compile(r"^(\s*)(?:[-*+•・–]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$")
_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})")
_OURS: Final = {
    Kind.LESSON: ("errors", "error", "key learnings", "learnings", "lessons learned", "fehler", "erkenntnisse",
                  "erreurs", "apprentissages", "errores", "aprendizajes", "エラー", "学び", "学んだこと", "错误",
                  "经验", "学习", "오류", "배운 점", "ошибки", "уроки", "erros", "aprendizados"),
    Kind.DECISION: ("decisions", "decision", "key decisions", "entscheidungen", "décisions", "decisiones", "決定",
                    "決定事項", "决定", "决策", "결정", "решения", "decisões"),
    Kind.FACT: ("observations", "observation", "facts", "beobachtungen", "observaciones", "観察", "观察", "관찰",
                "наблюдения", "observações"),
    Kind.CONTEXT: ("key changes", "changes", "änderungen", "changements", "cambios", "変更", "変更点", "变更",
                   "更改", "변경 사항", "изменения", "mudanças"),
}
_KINDS: Final = {title: kind for kind, titles in _OURS.items() for title in titles}
_HEARD: Final = {"lesson": Kind.LESSON, "decision": Kind.DECISION, "fact": Kind.FACT, "open": Kind.CONTEXT,
                 "preference": Kind.PREFERENCE, "architecture": Kind.ARCHITECTURE, "pattern": Kind.PATTERN}


@dataclass(frozen=True, slots=True)
class Piece:
    """One note found in a text, with the heading it stood under."""

    text: str
    kind: Kind
    heading: str


def pieces(text: str) -> tuple[list[Piece], list[str]]:
    """(notes under known headings in order, headings that are not known).

    Each bullet is a note with what is indented below it; without bullets, each paragraph is one. Code stays with the
    bullet it follows.

    >>> [(p.kind.value, p.text) for p in pieces("### DECISIONS\\n- use uv\\n- pin Python")[0]]
    [('decision', 'use uv'), ('decision', 'pin Python')]
    """
    found: list[Piece] = []
    unknown: list[str] = []
    heading, kind, block = "", None, list[str]()
    fenced = False
    for line in [*text.replace("\r\n", "\n").split("\n"), "# "]:
        if _FENCE.match(line):
            fenced = not fenced
        match = None if fenced else _HEADING.match(line)
        if match is None and line != "# ":
            block.append(line)
            continue
        if kind is not None:
            found += [Piece(t, kind, heading) for t in _notes(block)]
        block = []
        if match is not None:
            heading = (match[1] or match[2] or match[3]).strip(" :：*_")
            kind = kind_of_heading(heading)
            if kind is None:
                unknown.append(heading)
    return found, unknown


def kind_of_heading(title: str) -> Kind | None:
    """The kind of what stands under a heading; None if it says nothing we know."""
    known = _KINDS.get(" ".join(title.strip(" *_#:：").casefold().split()))
    return known or _HEARD.get(heading_kind(title, EN))


def _notes(lines: list[str]) -> list[str]:
    """Bullets with their continuation, or paragraphs."""
    bulleted = [m for line in lines if (m := _BULLET.match(line))]
    if not bulleted:
        return [p.strip() for p in re.split(r"\n\s*\n", "\n".join(lines)) if p.strip()]
    least = min(len(m[1]) for m in bulleted)
    found: list[list[str]] = []
    for line in lines:
        match = _BULLET.match(line)
        if match and len(match[1]) == least:
            found.append([match[2].rstrip()])
        elif found:
            found[-1].append(line.rstrip())
    return ["\n".join(note).strip() for note in found]
