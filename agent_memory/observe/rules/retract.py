"""The last word counts: what later words of the same session take back is dropped, with the line that did it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence

from agent_memory.model.memory import Kind
from agent_memory.observe.rules.lexicon import Lexicon, words
from agent_memory.observe.rules.proposal import Proposal
from agent_memory.observe.rules.scene import Scene, by_person
from agent_memory.observe.rules.segment import Unit
from agent_memory.observe.rules.speech import Speech, language, read
from agent_memory.observe.rules.terms import identifiers, overlap, terms
from agent_memory.observe.rules.values import anew, frame, numbers, values, without_values

_NAME = re.compile(r"`([^`]+)`|([A-Za-zÀ-ÿ0-9][\w.+/-]+)")
_HAN_NAME = re.compile(r"[A-Za-z][\w.+-]*|[\u30a0-\u30ff]{3,}")
_CLAUSE = re.compile(r"[,\uff0c\u3001\u3002;\uff1b]\s?")
_PAUSE = re.compile(r"[,.;:!\u2013\u2014]")
_SPARED = frozenset({"goal", "open"})
RECENT = 60
"""A turn without a name can only mean one of this many proposals before it."""


class _Ledger:
    """Proposals in order, found again by the names in them and by the message they came from."""

    def __init__(self, proposals: Sequence[Proposal]) -> None:
        self.proposals = proposals
        self.terms = [p.terms for p in proposals]
        self.order = sorted(range(len(proposals)), key=lambda i: (proposals[i].seq, proposals[i].unit))
        self.opens = [i for i in self.order if proposals[i].rule == "open"]
        self.set = [i for i in self.order if proposals[i].person and proposals[i].rule not in _SPARED]
        self.seqs = {False: [proposals[i].seq for i in self.set], True: [proposals[i].seq for i in self.opens]}
        self.by_seq: dict[int, list[int]] = defaultdict(list)
        self.by_name: dict[str, list[int]] = defaultdict(list)
        for i in self.order:
            p = proposals[i]
            if p.person:  # the agent may have named the thing: what counts is when the person spoke
                self.by_seq[min(c.seq for c in p.cites)].append(i)
            if p.rule not in _SPARED:
                for name in _names(p.text) if p.person or p.kind is Kind.DECISION else ():
                    self.by_name[name].append(i)

    def recent(self, seq: int, *, opens: bool = False) -> list[int]:
        """The last few proposals before a place: what people set, or what agents left open."""
        order = self.opens if opens else self.set
        at = bisect_left(self.seqs[opens], seq)
        return order[max(0, at - RECENT) : at]

    def take(self, name: str, seq: int) -> list[int]:
        """Those before a place that speak for a name; each is given once, for it cannot be taken back again."""
        held = self.by_name.get(name)
        if not held or self.proposals[held[0]].seq >= seq:
            return []
        at = bisect_left(held, seq, key=lambda i: self.proposals[i].seq)
        self.by_name[name] = held[at:]
        return [i for i in held[:at] if name in _speaks_for(self.proposals[i])]

    def alike(self, mine: frozenset[str], seq: int, *, opens: bool = False) -> Iterator[int]:
        """Those of the recent ones that share half of their words with ``mine``."""
        for i in self.recent(seq, opens=opens):
            if not mine.isdisjoint(self.terms[i]) and overlap(mine, self.terms[i]) >= 0.5:
                yield i


def taken_back(proposals: Sequence[Proposal], scenes: Sequence[Scene]) -> dict[int, int]:
    """Index of each proposal that no longer stands → the line of the words that took it back."""
    gone: dict[int, int] = {}
    ledger = _Ledger(proposals)
    previous: Scene | None = None
    for scene in scenes:
        if not by_person(scene.message):
            continue
        thought = False
        before: Speech | None = None
        for s in scene.speeches:
            thought = thought or (s.turns and before is not None and before.unit.index == s.unit.index)
            before = s
            for i in _hit(s, scene, None if thought else previous, ledger):
                gone.setdefault(i, scene.message.line)
            thought = thought or s.question or s.has("hypo")  # "should we …? no, leave it" takes back the thought
        previous = scene
    _same_slot(ledger, gone)
    _new_values(ledger, scenes, gone)
    return gone


def _hit(s: Speech, scene: Scene, previous: Scene | None, ledger: _Ledger) -> Iterator[int]:
    """Indexes of the proposals that one sentence of a person takes back."""
    seq = scene.message.seq
    for name in refused_names(s):
        yield from ledger.take(name, seq)
    mine = s.terms
    if not s.question and s.has("choice", "neg", "design", "rule"):
        yield from ledger.alike(mine, seq, opens=True)
    if previous is not None and _corrects(s):
        before = ledger.by_seq.get(previous.message.seq, [])
        if len(before) == 1 and _accepted(ledger.proposals[before[0]], scene):
            yield before[0]
    if s.question or not s.has("retract"):
        return
    if previous is not None:
        before = ledger.by_seq.get(previous.message.seq, [])
        yield from (i for i in before if _sets_anew(s, ledger.proposals[i], mine, len(before) == 1))
    if previous is not None and s.has("choice", "neg", "rule"):
        yield from (i for i in ledger.alike(mine, seq) if not ledger.terms[i] <= mine)


def _corrects(s: Speech) -> bool:
    """True for a message that starts with a turn: "no wait, …", "sorry, …", "make that …"; not for "no floats"."""
    if s.unit.index > 0 or s.question or not s.terms:
        return False
    if "regret" in s.starts or any(f.act == "regret" and f.start <= 1 for f in s.found):
        return True
    if not s.lang.spaced:
        pauses = {0, *(m.end() for m in _CLAUSE.finditer(s.text))}  # "too dear, make it X" points at what was set
        turned = any(f.act in ("turn", "retract") and f.start < 4 for f in s.found)
        return turned or any(f.act == "amend" and f.start in pauses for f in s.found)
    if any((f.act == "retract" and f.start < 3) or (f.act == "amend" and f.start == s.lead) for f in s.found):
        return True
    first = words(_PAUSE.split(s.text, maxsplit=1)[0])
    turns = {i for f in s.found if f.act in ("turn", "fill") for i in range(f.start, f.end)}
    lead = next((i for i in range(len(first)) if i not in turns), len(first))
    turned = any(f.act == "turn" and f.start < lead for f in s.found)
    return turned and (lead == len(first) or first[lead][0].isdigit())


def _accepted(p: Proposal, scene: Scene) -> bool:
    """True if the agent's last words just took up that choice, so that a turn can only mean it."""
    if scene.before is None or scene.before.seq < p.seq or p.rule in _SPARED:
        return False
    taken = terms(scene.before.text)
    return overlap(p.terms, taken) >= 0.4 and len(taken) <= 16


def _sets_anew(s: Speech, p: Proposal, mine: frozenset[str], alone: bool) -> bool:
    """A turn right after a choice replaces it if it speaks of the same thing, or is nothing but a turn."""
    if s.unit.index > 1 or p.rule in _SPARED:
        return False
    shared = mine & p.terms
    if len(shared) >= 2 or any(_nameable(t, p.text, set()) for t in shared):
        return True
    return alone and len(p.terms) <= 8 and ("retract" in s.starts or s.has("choice", "design"))


def refused_names(s: Speech) -> set[str]:
    """Names that a sentence says no to: "no Redis", "scrap IndexedDB", "lassen wir k3s", "Prisma は入れません"."""
    if s.question or not s.has("neg", "ditch"):
        return set()
    return _refused_words(s) if s.lang.spaced else _refused_chars(s)


def _refused_chars(s: Speech) -> set[str]:
    found: set[str] = set()
    for f in s.found:
        if f.act == "neg":
            before, after = s.text[max(0, f.start - 14) : f.start], s.text[f.end : f.end + 12]
            near = _HAN_NAME.findall(before)[-1:] if s.lang.code == "ja" else _HAN_NAME.findall(after)[:1]
            found.update(n.lower() for n in near)
    return found


def _refused_words(s: Speech) -> set[str]:
    found: set[str] = set()
    written = {i.lower() for i in identifiers(s.text)}
    for f in s.found:
        if f.act not in ("neg", "ditch"):
            continue
        named = [t for t in s.tokens[f.end : f.end + 3] if _nameable(t, s.text, written)]
        if not named and f.end == len(s.tokens) and f.start and _nameable(s.tokens[f.start - 1], s.text, written):
            named = [s.tokens[f.start - 1]]
        found.update(named[:1])
    return found


def _nameable(token: str, text: str, written: set[str]) -> bool:
    """A proper name, an identifier, or a word with a digit, as far as one can tell from how it is written."""
    if len(token) < 2 or token.isdigit():
        return False
    if token in written or "_" in token or "." in token or (any(c.isdigit() for c in token) and not token[0].isdigit()):
        return True
    at = text.lower().find(token)
    return at > 0 and text[at].isupper()


def _speaks_for(p: Proposal) -> set[str]:
    """Names in a proposal that it is for, not against."""
    lang: Lexicon = language(p.text)
    own = read(Unit(p.text, 0), lang)
    against = refused_names(own)
    if own.has("neg") and p.person and p.rule != "plan" and not against:
        return set()
    return _names(p.text) - against


def _names(text: str) -> set[str]:
    return {(a or b).lower().rstrip(".") for a, b in _NAME.findall(text)}


def _same_slot(ledger: _Ledger, gone: dict[int, int]) -> None:
    """The same sentence with another value: the later one stands. Another number in a name is about another thing."""
    seen: dict[frozenset[str], int] = {}
    for i in ledger.order:
        p = ledger.proposals[i]
        if not p.person or not (mine := values(p.text)):
            continue
        about = frame(p.text)
        if len(about) < 2:
            continue
        if about in seen and seen[about] not in gone:
            before = ledger.proposals[seen[about]]
            if [v.number for v in values(before.text)] != [v.number for v in mine] and before.seq < p.seq:
                gone[seen[about]] = p.cites[0].line
        seen[about] = i


def _new_values(ledger: _Ledger, scenes: Sequence[Scene], gone: dict[int, int]) -> None:
    """ "make it 90 s" after "timeout 60 s": the value goes, and the new one says what it is about."""
    previous: Scene | None = None
    for scene in scenes:
        if not by_person(scene.message):
            continue
        told = [p for p in (previous, scene) if p is not None]
        line = scene.message.line
        earlier = [i for at in told for i in ledger.by_seq.get(at.message.seq, ()) if gone.get(i, line) == line]
        previous = scene
        for s in scene.speeches:
            if s.question or not _amends(s):
                continue
            said = numbers(s.text)
            for i in earlier:
                p = ledger.proposals[i]
                if p.rule in _SPARED or (p.seq == scene.message.seq and p.unit >= s.unit.index):
                    continue
                if anew(said, numbers(p.text)) and (_bare(s) or overlap(s.terms, p.terms) >= 0.5):
                    gone[i] = line
                    _say_of_what(ledger, s, scene, without_values(p.text))
                    break


def _amends(s: Speech) -> bool:
    """True if it sets a value anew: a turn, a verb of change, or nothing but the number."""
    only = s.bare("fill", "turn") <= 2 and len(s.terms) <= 2 and not s.has("design", "choice", "rule", "soft")
    return s.numbers > 0 and (s.has("amend", "retract", "turn", "recant") or only)


def _bare(s: Speech) -> bool:
    """True if hardly more than a number, its unit and a verb of change stand in it."""
    return s.bare("amend", "retract", "turn", "recant", "fill", "choice", "design") <= (3 if s.lang.spaced else 9)


def _say_of_what(ledger: _Ledger, s: Speech, scene: Scene, about: str) -> None:
    """Put what the old value was about before a new value that does not say it."""
    for i in ledger.by_seq.get(scene.message.seq, ()):
        p = ledger.proposals[i]
        if s.text in p.text and not terms(about) & p.terms and len(about) + len(p.text) < 240:
            p.text = f"{about} → {p.text}"
            ledger.terms[i] = p.terms
