"""The headings of views: stable name of a section → its title, and back."""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from agent_memory.model.memory import Kind, kind_of

TITLES: Final[dict[str, str]] = {
    "decision": "Decisions",
    "preference": "Preferences",
    "lesson": "Lessons",
    "fact": "Facts",
    "context": "Context",
    "pattern": "Patterns",
    "architecture": "Architecture",
    "summary": "Summaries",
    "note": "Notes",
    "identity": "Identity",
    "style": "Style",
    "goals": "Goals",
    "reached": "Reached goals",
    "sessions": "Recent sessions",
    "thread": "Thread snapshot",
}
_NAMES = {title.casefold(): name for name, title in TITLES.items()}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_KINDS = {"identity": Kind.FACT, "style": Kind.PATTERN, "goals": Kind.CONTEXT, "reached": Kind.CONTEXT}


def name_of(title: str) -> str:
    """The section that a heading without a marker means, also in the singular; "" if we do not know it.

    >>> name_of("Lessons"), name_of("decision"), name_of("2026-11-30"), name_of("Shopping")
    ('lesson', 'decision', '2026-11-30', '')
    """
    word = title.strip().casefold()
    if word in _NAMES:
        return _NAMES[word]
    if date_of(word):
        return word
    kind = kind_of(word)
    return kind.value if kind else ""


def date_of(name: str) -> date | None:
    """The day that a section stands for; None for other sections."""
    if _DATE.match(name) is None:
        return None
    try:
        return date.fromisoformat(name)
    except ValueError:
        return None


def kind_in(name: str) -> Kind | None:
    """The kind of memories that a section holds; None if it holds several.

    >>> kind_in("style"), kind_in("2026-11-30")
    (<Kind.PATTERN: 'pattern'>, None)
    """
    return _KINDS.get(name) or kind_of(name)
