"""What people say: rules, corrections, choices, wishes and facts, apart from questions, thoughts, tasks and chat."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agent_memory.model.memory import Kind, Priority, Scope
from agent_memory.model.transcript import Message, Via
from agent_memory.observe.rules.judging import Verdict, for_now, judge, kind_of, only_reminds, whenever
from agent_memory.observe.rules.proposal import Proposal
from agent_memory.observe.rules.segment import units
from agent_memory.observe.rules.speech import Speech, heading_kind, read
from agent_memory.observe.rules.terms import NUMBER, overlap, terms
from agent_memory.observe.rules.wording import without_fillers

JOINED = 240
"""Sentences that belong together are joined up to this many characters."""
_OURS = frozenset(("we", "we'd", "wir", "on", "nous", "queremos", "necesitamos", "tenemos", "nos"))
_POLITE = re.compile(r"\W*(?:bitte|please|pls|merci de|por favor|s'il)\b", re.IGNORECASE)


@dataclass(slots=True)
class _Kept:
    speech: Speech
    verdict: Verdict
    text: str


def from_message(
    message: Message,
    speeches: Sequence[Speech],
    dropped: list[tuple[str, str]],
    confirm: Message | None,
    *,
    opening: bool = False,
) -> Iterator[Proposal]:
    """Proposals from a person's message; ``confirm`` is the agent's next message, which may name what "that" was."""
    kept: list[_Kept] = []
    previous: Speech | None = None
    emphasised = ordered = False
    said_back = terms(confirm.text) if confirm else frozenset()
    for s, following in zip(speeches, [*speeches[1:], None], strict=False):
        verdict = _in_context(judge(s), s, previous, bool(kept), opening)
        if not verdict.keep and verdict.reason in ("nothing lasting", "describes the task"):
            verdict = _stressed(s, following) or (_specified(s, ordered) if opening else None) or verdict
        ordered = ordered or bool(s.starts & {"task", "design"}) or _POLITE.match(s.text) is not None
        if not verdict.keep and verdict.reason == "nothing lasting" and not opening:
            verdict = _taken_up(s, message, said_back, alone=len(speeches) == 1) or verdict
        if verdict.keep and following is not None and _leads_up(s, following):
            verdict = Verdict(False, "leads up to a rule")
        if s.turns and kept and kept[-1].speech is previous and (verdict.keep or _replaces(s, kept[-1])):
            verdict = verdict if verdict.keep else kept[-1].verdict
            dropped.append((kept.pop().text, "taken back in the same breath"))
        if following is not None and kept and kept[-1].speech is previous and _only_turns(s):
            dropped.append((kept.pop().text, "taken back in the same breath"))
        if not verdict.keep and kept and kept[-1].speech is previous and _goes_on(s, kept[-1], verdict):
            verdict = kept[-1].verdict
            kept.append(_Kept(s, verdict, _appended(kept, s)))
        elif verdict.keep:
            kept.append(_Kept(s, verdict, _with_subject(s, previous, kept, fact=verdict.fact)))
        else:
            dropped.append((s.text, verdict.reason))
            emphasised = emphasised or verdict.reason == "emphasis"
        previous = s
    refusal = message.via is Via.REFUSAL
    kept = _joined(kept, emphasised, refusal)
    for k in kept:
        text, cites = k.text, [message]
        if named := _named_by_agent(k.speech, confirm, alone=len(speeches) == 1):
            text, cites = named, [confirm, message] if confirm else cites
        fact = k.verdict.fact and not refusal
        kind = kind_of(k.speech, replace(k.verdict, fact=fact))
        yield Proposal(
            text,
            kind,
            Priority.YELLOW if fact or for_now(k.speech) or kind is Kind.CONTEXT else Priority.RED,
            tuple(cites),
            "refusal"
            if refusal
            else "told-again"
            if emphasised or k.speech.has("told")
            else "fact-told"
            if fact
            else "said",
            k.verdict.score + refusal + emphasised,
            k.speech.unit.index,
            True,
            Scope.PERSONAL if k.speech.has("personal") or _personal(kept) else Scope.PROJECT,
        )


def _in_context(verdict: Verdict, s: Speech, previous: Speech | None, after_kept: bool, opening: bool) -> Verdict:
    """A verdict in the light of the sentences before it: what answers a thought, what goes on with a rule."""
    section = heading_kind(s.unit.heading, s.lang) if s.unit.heading and s.unit.bullet else ""
    if section in ("decision", "preference") and not s.question and len(s.terms) >= 2:
        return Verdict(True, "", max(verdict.score, 3.0))
    if verdict.keep and opening and verdict.fact and not s.has("remember") and (s.has("why") or not s.has("cause")):
        return Verdict(False, "describes the task")
    if verdict.keep and opening and _orders(s, verdict):
        return Verdict(False, "describes the task")
    if verdict.keep and opening and _aims(s):
        return Verdict(False, "says what the session is about")
    if verdict.keep and opening and s.has("why") and s.has("task") and not _lasts(s):
        return Verdict(False, "describes the task")
    if verdict.keep and s.has("later") and previous is None and _points_back(s) and len(s.terms) <= 4:
        return Verdict(False, "points at what is not told")
    if (
        verdict.keep
        and previous is not None
        and (previous.question or previous.has("hypo"))
        and not (s.names or s.numbers or s.has("rule", "choice", "wish", "told") or s.contrast or len(s.terms) >= 6)
    ):
        return Verdict(False, "answers a thought")
    if (
        not verdict.keep
        and verdict.reason == "nothing lasting"
        and after_kept
        and (s.has("way", "soft") and s.names + s.numbers)
    ):
        return Verdict(True, "", 2.0)
    return verdict


def _stressed(s: Speech, following: Speech | None) -> Verdict | None:
    """A plain sentence before "I have said that twice now!"."""
    if following is None or len(s.terms) < 2 or s.has("fail"):
        return None
    return Verdict(True, "", 3.0) if following.only("told") or only_reminds(following) else None


def _specified(s: Speech, ordered: bool) -> Verdict | None:
    """ "Make the page accessible. Escape closes the drawer.": after an order, how the thing is to behave."""
    plain = not s.has("fail", "cause", "past", "open", "hypo", "why") and not s.starts & {"ana", "self", "task"}
    return Verdict(True, "", 2.0) if ordered and plain and s.has("behaves") and len(s.terms) >= 4 else None


def _taken_up(s: Speech, message: Message, said_back: frozenset[str], *, alone: bool) -> Verdict | None:
    """A plain sentence that still sets something: it refuses, the agent says it back as done, or it is "timer 30s"."""
    if message.via is Via.REFUSAL and len(s.terms) >= 3 and not s.has("fail"):
        return Verdict(True, "", 2.0)
    mine = s.terms
    shared = mine & said_back
    if shared and ((s.has("retract") and len(mine) >= 2) or (alone and len(s.tokens) <= 4 and s.lang.spaced)):
        return Verdict(True, "", 2.0)
    if len(shared) >= 2 and len(shared) >= len(mine) * (0.5 if s.lang.spaced else 0.34) and not s.has("fail", "task"):
        return Verdict(True, "", 2.0)
    if s.numbers and len(s.terms) == 1 and not s.has("task", "fail") and (alone or s.bare("fill", "turn") <= 2):
        return Verdict(True, "", 2.0) if said_back.intersection(NUMBER.findall(s.text)) else None
    if alone and s.numbers and s.lang.spaced and 2 <= len(s.tokens) <= 5 and not s.has("task", "chat", "fail"):
        return Verdict(True, "", 2.0)
    return None


def _lasts(s: Speech) -> bool:
    return s.has("rule", "told", "wish", "remember") or whenever(s)


def _orders(s: Speech, verdict: Verdict) -> bool:
    """ "Make the settings page accessible.": a bare order without anything specific is the task itself."""
    specific = s.names or s.numbers or s.contrast or s.assigns
    acts = ("rule", "neg", "wish", "told", "choice", "soft", "measure", "remember", "else")
    return s.unit.index == 0 and "design" in s.starts and not specific and not s.has(*acts) and verdict.score <= 2.5


def _aims(s: Speech) -> bool:
    """ "We want to rebuild the import": what the session is about, no wish about how."""
    if not s.has("aim") or s.has("rule", "neg", "told", "remember") or s.contrast or s.numbers:
        return False
    ours = not s.lang.spaced or any(f.act == "aim" and s.tokens[f.start] in _OURS for f in s.found)
    return ours or not s.has("way")


def _only_turns(s: Speech) -> bool:
    """ "wait, the other way round.": nothing but a turn, which takes back the sentence before it."""
    return s.turns and not s.question and s.bare("recant", "turn", "retract", "fill") <= 2 * (not s.lang.spaced)


def _replaces(s: Speech, last: _Kept) -> bool:
    """ "…, no wait, the auditors want them on disk": in the same breath, and no question."""
    return s.unit.index == last.speech.unit.index and not s.question and len(s.terms) >= 2


def _leads_up(s: Speech, following: Speech) -> bool:
    """ "The commit message is in Japanese again. I told you: English." The first only says what went wrong."""
    return (
        following.has("told")
        and not following.question
        and bool(s.terms & following.terms)
        and not s.has("neg", "told", "wish")
        and len(following.terms) >= 4
        and judge(following).keep
        and s.unit.index < following.unit.index
        and not s.unit.bullet
    )


def _goes_on(s: Speech, last: _Kept, verdict: Verdict) -> bool:
    """What is to be done in place of what was just forbidden, and "that is for next week": part of what it follows."""
    if s.question or s.unit.bullet or len(last.text) + len(s.text) >= JOINED or verdict.reason == "small talk":
        return False
    if s.has("later") and _points_back(s):
        return True
    prohibits = last.speech.has("rule", "neg") and _says_no(last.speech) and last.speech.names > 0
    return prohibits and not s.lang.spaced and s.names > 0 and s.has("choice", "design")


def _appended(kept: list[_Kept], s: Speech) -> str:
    return f"{kept.pop().text}{' ' if s.lang.spaced else ''}{s.text}"


def _personal(kept: Sequence[_Kept]) -> bool:
    return len(kept) == 1 and kept[0].speech.has("personal")


def _with_subject(s: Speech, previous: Speech | None, kept: list[_Kept], *, fact: bool) -> str:
    """Text of a sentence, with the one before it where only that says what "it" is."""
    text = without_fillers(s)
    if fact and previous is not None and previous.question and not s.names and len(previous.terms) >= 2:
        joined = f"{without_fillers(previous)} → {text}"  # the figures alone would not say of what
        return joined if len(joined) <= JOINED else text
    if previous is None or not _points_back(s) or previous.question or previous.unit.bullet:
        return text
    if previous.text.endswith(("!", "\uff01")) and not (kept and kept[-1].speech is previous):
        return text  # an exclamation is about the moment
    if kept and kept[-1].speech is previous:
        joined = f"{kept[-1].text} {text}"
        if len(joined) <= JOINED:
            kept.pop()
            return joined
        return text
    joined = f"{without_fillers(previous)} {text}"
    return joined if len(joined) <= JOINED and len(previous.terms) >= 2 else text


def _points_back(s: Speech) -> bool:
    if not s.lang.spaced:
        last = len(s.text.rstrip("\u3002.! "))
        return any(
            f.act == "ana" and (f.start <= s.lead + 2 or (last <= 14 and f.end >= last - 1)) for f in s.found
        )
    if "hence" in s.starts:
        return True
    return any(f.act == "ana" and s.lead <= f.start <= s.lead + 1 for f in s.found)


def _joined(kept: list[_Kept], emphasised: bool, refusal: bool) -> list[_Kept]:
    """Join what is one thing: a fragment and its sentence, "not this" and the "but that" after it."""
    out: list[_Kept] = []
    for k in kept:
        last = out[-1] if out else None
        if (
            last
            and not k.speech.unit.bullet
            and len(last.text) + len(k.text) < JOINED
            and (
                _fragment(last.text)
                or (_fragment(k.text) and (not k.speech.names or _says_no(last.speech)))
                or _only_reason(k)
                or (_same_breath(last, k) and overlap(last.speech.terms, k.speech.terms) >= 0.4)
                or (refusal and _says_no(last.speech) and len(last.text) < 50)
                or (_says_no(last.speech) and _says_yes(k.speech) and (emphasised or len(k.text) < 90))
                or (_rules_out(last.speech) and _says_yes(k.speech) and len(k.text) < 90 and not _same_breath(last, k))
            )
        ):
            glue = "" if not k.speech.lang.spaced else ", " if _same_breath(last, k) else " "
            last.text = f"{last.text}{glue}{k.text}"
            last.verdict = replace(
                last.verdict,
                score=max(last.verdict.score, k.verdict.score) + 0.5,
                fact=last.verdict.fact and k.verdict.fact,
            )
            last.speech = replace(last.speech, acts=last.speech.acts | k.speech.acts)
            continue
        out.append(k)
    return out


def _same_breath(a: _Kept, b: _Kept) -> bool:
    """True for two clauses of one long sentence."""
    return a.speech.unit.index == b.speech.unit.index and a.text[-1:].isalnum()


def _only_reason(k: _Kept) -> bool:
    """ "Our readers crash otherwise." belongs to the rule before it."""
    return k.speech.has("else") and len(k.text) < 80 and not k.speech.has("rule", "neg", "choice", "wish")


def _fragment(text: str) -> bool:
    return (
        len(text) < 36
        and (not text or max(text) < "\u3000")
        and len(terms(text)) <= 3
        and not any(map(str.isdigit, text))
    )


def _says_no(s: Speech) -> bool:
    return s.has("neg") and not s.has("cause")


def _rules_out(s: Speech) -> bool:
    """ "Redis is not in production, so it cannot be used."."""
    return s.has("neg") and s.has("rule") and s.names > 0


def _says_yes(s: Speech) -> bool:
    return (
        not s.has("neg")
        and not s.contrast
        and ("design" in s.starts or s.has("choice", "design"))
        and not s.has("rule")
    )


def _named_by_agent(s: Speech, confirm: Message | None, *, alone: bool) -> str:
    """What the agent calls the thing when the person said only "put that in pytest.ini"."""
    if confirm is None or not _vague(s, alone=alone):
        return ""
    for unit in units(confirm.text)[:4]:
        told = read(unit, s.lang)
        if (
            "narr" not in told.starts
            and not told.question
            and (told.names or (len(s.terms) == 1 and len(told.terms) >= 2))
            and told.terms & (s.terms | frozenset(NUMBER.findall(s.text)))
            and len(unit.text) <= 200
        ):
            return unit.text
    return ""


def _vague(s: Speech, *, alone: bool) -> bool:
    if alone and len(s.terms) <= 2 and len(s.tokens) <= 4 and s.lang.spaced:
        return True
    if s.numbers and len(s.terms) == 1:
        return True
    pointing = any(f.act == "ana" for f in s.found)
    task = "design" in s.starts or s.has("task")
    rules = bool(s.starts & {"rule", "neg", "wish"}) or s.has("told") or s.contrast  # says enough by itself
    return pointing and task and not rules and s.unit.index == 0 and s.names <= 1 and len(s.terms) <= 8
