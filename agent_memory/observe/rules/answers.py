"""What a person settled without saying it whole: answers to questions, approved plans, and what a session is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent_memory.model.memory import Kind, Priority
from agent_memory.model.transcript import Message
from agent_memory.observe.rules.lexicon import Lexicon
from agent_memory.observe.rules.proposal import Proposal
from agent_memory.observe.rules.segment import Unit, units
from agent_memory.observe.rules.speech import Speech, read
from agent_memory.observe.rules.terms import terms
from agent_memory.observe.rules.wording import without_fillers


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
        if len(s.terms) < 2 or s.question or not (s.names or s.numbers or s.has("rule", "neg", "choice")):
            dropped.append((unit.text, "step of work"))
            continue
        if "task" in s.starts and not (s.numbers or s.has("rule", "neg")):
            dropped.append((unit.text, "step of work"))
            continue
        yield Proposal(unit.text, Kind.DECISION, Priority.RED, (message,), "plan", 2.5, unit.index, True)


def goal(message: Message, speeches: Sequence[Speech], taken: set[str]) -> Proposal | None:
    """What the session is about, from its first prompt."""
    if speeches and len(message.text) > 250 and not speeches[0].text.endswith((".", "!", "\u3002")):
        return None  # somebody thinks aloud: no sentence says it alone
    for s in speeches[:3]:
        unit = s.unit
        if without_fillers(s) in taken and len(s.terms) >= 4:
            return None  # what was kept tells it
        if (
            without_fillers(s) in taken
            or s.question
            or s.only("chat")
            or "self" in s.starts
            or len(terms(unit.text)) < 4
            or ("task" in s.starts and not s.names and len(terms(unit.text)) < 5)
        ):
            continue
        if len(unit.text) <= 200:
            return Proposal(without_fillers(s), Kind.CONTEXT, Priority.GREEN, (message,), "goal", 1.0, unit.index, True)
    return None
