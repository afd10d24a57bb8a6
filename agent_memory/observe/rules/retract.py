"""The last word counts: proposals that later words of the same session take back are dropped, with the line that did it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent_memory.observe.rules.people import spoken
from agent_memory.observe.rules.proposal import Proposal
from agent_memory.observe.rules.scene import Scene, by_person
from agent_memory.observe.rules.speech import Speech
from agent_memory.observe.rules.terms import identifiers, overlap, terms

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"\b[A-Z][\w.+-]{2,}|\b[\w-]*\d[\w.-]*\b|`[^`]+`|[A-Za-z][\w.+-]{2,}")
_HAN_NAME = re.compile(r"[A-Za-z][\w.+-]*|[\u30a0-\u30ff]{3,}")


def taken_back(proposals: Sequence[Proposal], scenes: Sequence[Scene]) -> dict[int, int]:
    """Index of each proposal that no longer stands → the line of the words that took it back."""
    gone: dict[int, int] = {}
    order = sorted(range(len(proposals)), key=lambda i: (proposals[i].seq, proposals[i].unit))
    previous: Scene | None = None
    for scene in scenes:
        if not by_person(scene.message):
            continue
        for s in spoken(scene.message, scene.lang):
            _apply(s, scene, previous, proposals, order, gone)
        previous = scene
    _same_slot(proposals, order, gone)
    return gone


def _apply(s: Speech, scene: Scene, previous: Scene | None, proposals: Sequence[Proposal], order: Sequence[int],
           gone: dict[int, int]) -> None:
    refused = refused_names(s)
    turns = s.has("retract") and not s.question
    if not refused and not turns:
        return
    mine = s.terms
    for i in order:
        p = proposals[i]
        if i in gone or p.seq >= scene.message.seq or p.rule in ("goal", "open"):
            continue
        if (refused and any(name in _positive(p, s) for name in refused)) or (turns and p.person and previous is not None and p.seq == previous.message.seq and _sets_anew(s, p, mine)) or (turns and p.person and s.has("choice", "neg", "rule") and overlap(mine, p.terms) >= 0.5 and not p.terms <= mine):
            gone[i] = scene.message.line


def _sets_anew(s: Speech, p: Proposal, mine: frozenset[str]) -> bool:
    """A turn right after a choice replaces it if it speaks of the same thing or is nothing but a turn."""
    return "retract" in s.starts or (s.unit.index == 0 and s.lead == 0 and bool(mine & p.terms)) or (
        s.unit.index <= 1 and s.has("choice", "design") and len(p.terms) <= 8)


def refused_names(s: Speech) -> set[str]:
    """Names that a sentence says no to: "no Redis", "scrap IndexedDB", "lassen wir k3s", "Prisma は入れません"."""
    if s.question or not s.has("neg", "retract"):
        return set()
    text = s.text
    if not s.lang.spaced:
        found = set()
        for f in s.found:
            if f.act == "neg":
                before, after = text[max(0, f.start - 14):f.start], text[f.end:f.end + 12]
                near = _HAN_NAME.findall(before)[-1:] if s.lang.code == "ja" else _HAN_NAME.findall(after)[:1]
                found.update(n.lower() for n in near)
        return found
    found = set()
    low = [t.strip("`") for t in s.tokens]
    for f in s.found:
        if f.act in ("neg", "retract") and f.act != "hypo":
            for token in low[f.end:f.end + 3]:
                if _nameable(token, text):
                    found.add(token)
                    break
            if f.end == len(low) and f.start and _nameable(low[f.start - 1], text):
                found.add(low[f.start - 1])
    return found


def _nameable(token: str, text: str) -> bool:
    """A proper name, an identifier, or a word with a digit, as far as one can tell from how it is written."""
    if len(token) < 2:
        return False
    if any(c.isdigit() for c in token) or "_" in token or "." in token:
        return True
    at = text.lower().find(token)
    return (at > 0 and text[at].isupper()) or token in {i.lower() for i in identifiers(text)}


def _positive(p: Proposal, s: Speech) -> set[str]:
    """Names in a proposal that it speaks for, not against."""
    from agent_memory.observe.rules.segment import Unit
    from agent_memory.observe.rules.speech import read

    own = read(Unit(p.text, 0), s.lang)
    against = refused_names(own)
    if own.has("neg") and p.rule != "plan" and p.person and not against:
        return set()
    return {n.strip("`").lower() for n in _NAME.findall(p.text)} - against


def _same_slot(proposals: Sequence[Proposal], order: Sequence[int], gone: dict[int, int]) -> None:
    """The same sentence with another number: the later one stands."""
    seen: dict[frozenset[str], int] = {}
    for i in order:
        p = proposals[i]
        if not p.person or not (numbers := _NUMBER.findall(p.text)):
            continue
        frame = terms(_NUMBER.sub(" ", p.text))
        if len(frame) >= 2 and frame in seen and seen[frame] not in gone:
            before = proposals[seen[frame]]
            if _NUMBER.findall(before.text) != numbers and before.seq < p.seq:
                gone[seen[frame]] = p.cites[0].line
        if len(frame) >= 2:
            seen[frame] = i
