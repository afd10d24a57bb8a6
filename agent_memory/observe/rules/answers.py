"""What a person settled without saying it whole: answers to questions, approved plans, and what a session is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent_memory.model.memory import Kind, Priority
from agent_memory.model.transcript import Message
from agent_memory.observe.rules.lexicon import Lexicon
from agent_memory.observe.rules.proposal import Proposal
from agent_memory.observe.rules.segment import Unit, units
from agent_memory.observe.rules.speech import Speech, read
from agent_memory.observe.rules.terms import terms
from agent_memory.observe.rules.wording import without_fillers

_CAPITAL = re.compile(r"[^\W\d_],?\s[A-Z][a-z]{2,}")


def from_choice(message: Message, lang: Lexicon, dropped: list[tuple[str, str]]) -> Iterator[Proposal]:
    """A question that the agent asked and the person's answer, as one decision."""
    question, _, answer = message.text.partition("→")
    told = read(Unit(answer.strip(), 0), lang)
    if not answer.strip() or told.only("skip") or told.only("chat"):
        dropped.append((message.text, "answer decides nothing"))
        return
    text = f"{question.strip()} → {answer.strip()}"
    if len(text) > 300:
        text = answer.strip()[:300]
    yield Proposal(
        text,
        Kind.PREFERENCE if told.has("way", "wish") else Kind.DECISION,
        Priority.RED,
        (message,),
        "answer",
        4.0,
        0,
        True,
    )


def from_plan(message: Message, lang: Lexicon, dropped: list[tuple[str, str]]) -> Iterator[Proposal]:
    """Steps of a plan that a person approved, where they fix something beyond the work itself."""
    for unit in units(message.text):
        s = read(unit, lang)
        fixes = s.names or s.numbers or s.has("rule", "neg", "choice", "soft", "measure") or _proper(s)
        if len(s.terms) < 2 or s.question or not fixes:
            dropped.append((unit.text, "step of work"))
            continue
        if "task" in s.starts and not (s.numbers or s.has("rule", "neg") or _proper(s)):
            dropped.append((unit.text, "step of work"))
            continue
        yield Proposal(unit.text, Kind.DECISION, Priority.RED, (message,), "plan", 2.5, unit.index, True)


def _proper(s: Speech) -> bool:
    """True if a proper name stands in it, in a language that writes only those with a capital."""
    return s.lang.spaced and s.lang.code != "de" and _CAPITAL.search(s.text) is not None


def from_refusal(message: Message, speeches: Sequence[Speech], refused: str) -> Iterator[Proposal]:
    """A few words of refusal ("not force. ever.") with the command they refuse, which alone says what is meant."""
    if not refused or "\n" in refused or len(refused) > 120 or len(message.text) > 60 or not refused[0].isalpha():
        return
    if any(s.question for s in speeches) or not any(s.has("neg", "never", "rule", "told") for s in speeches):
        return
    text = f"`{refused}` → {message.text.strip()}"
    yield Proposal(text, Kind.DECISION, Priority.RED, (message,), "refusal", 3.0, 0, True)


def goal(message: Message, speeches: Sequence[Speech], taken: set[str]) -> Proposal | None:
    """What the session is about, from its first prompt."""
    if speeches and len(message.text) > 250 and not speeches[0].text.endswith((".", "!", "\u3002")):
        return None  # somebody thinks aloud: no sentence says it alone
    told = sorted(speeches[:3], key=lambda s: not s.has("task", "design", "aim", "why", "fail"))
    for s in told:
        unit = s.unit
        if without_fillers(s) in taken and len(s.terms) >= 4:
            return None  # what was kept tells it
        if (
            without_fillers(s) in taken
            or s.question
            or s.only("chat")
            or s.has("past")
            or "self" in s.starts
            or len(terms(unit.text)) < 4
            or ("task" in s.starts and not s.names and len(terms(unit.text)) < 5)
        ):
            continue
        if len(unit.text) <= 200:
            return Proposal(without_fillers(s), Kind.CONTEXT, Priority.GREEN, (message,), "goal", 1.0, unit.index, True)
    return None
