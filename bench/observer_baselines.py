"""What an observer must beat: three plain ways to pick what is worth remembering."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent_memory.model.candidate import Candidate, Observed, SessionView
from agent_memory.model.memory import Kind, Priority
from agent_memory.model.transcript import Message, Role, Via
from agent_memory.observe.rules.languages.en import EN
from agent_memory.observe.rules.segment import units
from agent_memory.observe.rules.speech import heading_kind

_KEYWORDS = re.compile(
    r"\b(always|never|must|prefer|decid\w+|because|fail\w*|error|fix\w*|root cause|use|don't|remember|todo|open|"
    r"immer|nie|bitte|weil|ursache|offen|toujours|jamais|parce|siempre|nunca|porque)\b|必ず|原因|しないで|ください|必须|不要|因为|原因",
    re.IGNORECASE,
)


def _candidate(text: str, message: Message, kind: Kind, rule: str) -> Candidate:
    return Candidate(text[:300], kind, Priority.YELLOW, (message,), rule)


def _messages(view: SessionView, *roles: Role) -> Iterator[Message]:
    for record in view.records:
        if (
            isinstance(record, Message)
            and record.role in roles
            and record.via not in (Via.SUMMARY, Via.TASK, Via.INJECTED)
        ):
            yield record


class Keywords:
    """Every sentence of people and agents that holds a word from a list."""

    name = "keywords"

    def observe(self, view: SessionView) -> Observed:
        """All sentences with a keyword."""
        return Observed(
            tuple(
                _candidate(unit.text, m, Kind.DECISION if m.role is Role.PERSON else Kind.LESSON, self.name)
                for m in _messages(view, Role.PERSON, Role.AGENT)
                for unit in units(m.text)
                if _KEYWORDS.search(unit.text)
            )
        )


class EveryPrompt:
    """Every message of a person, cut to 300 characters."""

    name = "every prompt"

    def observe(self, view: SessionView) -> Observed:
        """All messages of people."""
        return Observed(tuple(_candidate(m.text, m, Kind.DECISION, self.name) for m in _messages(view, Role.PERSON)))


class Headings:
    """Only bullets under headings such as "Decisions" and "Key learnings"."""

    name = "headings"

    def observe(self, view: SessionView) -> Observed:
        """Bullets of known sections."""
        return Observed(
            tuple(
                _candidate(unit.text, m, Kind.LESSON, self.name)
                for m in _messages(view, Role.AGENT)
                for unit in units(m.text)
                if unit.bullet and unit.heading and heading_kind(unit.heading, EN)
            )
        )
