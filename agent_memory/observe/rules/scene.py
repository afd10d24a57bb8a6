"""Where a message stands: whose turn it is, what was asked, which tools ran just before, what comes after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agent_memory.model.transcript import Message, Role, ToolEvent, Via
from agent_memory.observe.rules.languages.en import EN
from agent_memory.observe.rules.lexicon import Lexicon
from agent_memory.observe.rules.speech import Speech, language
from agent_memory.observe.rules.terms import terms
from agent_memory.observe.rules.tools import addressed
from agent_memory.observe.rules.wording import spoken

MOST_PLANTED = 20
"""An agent's words are compared with this many of the latest lines that spoke to agents."""
SAID = frozenset({Via.PROMPT, Via.REFUSAL, Via.CHOICE, Via.PLAN})


@dataclass(slots=True)
class Scene:
    """A message with its surroundings. ``asked`` is the person's last message, ``tools`` ran since the last message."""

    message: Message
    lang: Lexicon
    asked: Message | None = None
    asked_why: bool = False
    asked_meaning: bool = False
    tools: tuple[ToolEvent, ...] = ()
    asked_later: bool = False  # the person put something off
    closes: bool = False  # the last words of the agent before a person speaks again, or at the end
    before: Message | None = None  # the agent's words just before a person's
    after: Message | None = None  # the agent's next words, before a person speaks again
    failed_now: bool = False  # the tool that ran last failed
    final: bool = False  # among the last messages of the session
    planted: tuple[frozenset[str], ...] = ()  # content words of lines in tool output that speak to agents
    reports: bool = False  # a subagent's last words
    asked_terms: frozenset[str] = field(default_factory=frozenset)
    speeches: list[Speech] = field(default_factory=list)  # of a person's message, each sentence read


def by_person(message: Message) -> bool:
    """True for words of a person, wherever they stand."""
    return message.role is Role.PERSON and message.via in SAID


def by_agent(message: Message) -> bool:
    """True for an agent's visible words."""
    return message.role is Role.AGENT and message.via is Via.ANSWER


def scenes(records: Sequence[Message | ToolEvent]) -> list[Scene]:
    """The messages of people and agents in order, each with its surroundings. Linear in the records."""
    found: list[Scene] = []
    tools: list[ToolEvent] = []
    planted: list[frozenset[str]] = []
    asked: Message | None = None
    asked_terms: frozenset[str] = frozenset()
    why = meaning = later = task = spoke = False
    lang = EN
    for record in records:
        if isinstance(record, ToolEvent):
            tools.append(record)
            planted += [terms(line) for line in addressed(record.output)]
            continue
        if record.via is Via.TASK:
            task, asked, asked_terms, why, meaning = True, None, frozenset(), True, False
        plan = record.role is Role.AGENT and record.via is Via.PLAN
        if not (by_person(record) or by_agent(record) or plan):
            continue
        lang = language(record.text, lang)
        scene = Scene(record, lang, asked, why, meaning, tuple(tools), reports=task, asked_terms=asked_terms)
        scene.asked_later = later
        scene.failed_now = bool(tools) and tools[-1].status == "error"
        scene.planted = tuple(planted[-MOST_PLANTED:])
        unsolved = tools[-1:] if by_agent(record) and scene.failed_now else []
        tools = unsolved  # a failure stays in view until something runs after it
        if found and (by_person(record) or record.file != found[-1].message.file):
            found[-1].closes = True
        if found and by_person(record) and by_agent(found[-1].message):
            scene.before = found[-1].message
        if found and by_agent(record) and by_person(found[-1].message):
            found[-1].after = record
        found.append(scene)
        if by_person(record):
            speeches = scene.speeches = spoken(record, lang)
            why = any(s.has("why") for s in speeches) or (
                not spoke and bool(speeches) and not any(s.has("task", "design", "rule") for s in speeches)
            )
            meaning = _asks_meaning(speeches, meaning)
            later = any(s.has("later") for s in speeches)
            spoke = True
            asked, asked_terms, task = record, terms(record.text), False
    if found:
        found[-1].closes = True
    _mark_reports(found)
    for scene in found[-4:]:
        scene.final = True
    return found


def _asks_meaning(speeches: Sequence[Speech], before: bool) -> bool:
    """True if a message only asks what something means, or goes on asking so: "and lookbehind?"."""
    asked = [s for s in speeches if s.question]
    if not asked or any(s.names > 1 or s.has("rule", "told", "wish") for s in speeches if not s.question):
        return False
    return any(s.has("define") for s in asked) or (before and len(speeches[-1].terms) <= 3)


def _mark_reports(found: Sequence[Scene]) -> None:
    """Of a subagent's words only the last are its report."""
    for scene, following in zip(found, [*found[1:], None], strict=False):
        last = following is None or not following.reports or following.message.file != scene.message.file
        scene.reports = scene.reports and last
        scene.closes = scene.closes or scene.reports
