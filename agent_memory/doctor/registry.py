"""The only list of checks, in the order in which they are told."""

from __future__ import annotations

from typing import Final

from agent_memory.doctor.checks import (
    backups,
    capture,
    configuration,
    graph,
    home,
    hooks,
    journal,
    model,
    programs,
    search,
    transcripts,
    views,
    waiting,
)
from agent_memory.doctor.finding import Check

ANYWHERE: Final[dict[str, Check]] = {
    "home": home,
    "settings": configuration,
    "programs": programs,
    "hooks": hooks,
    "transcripts": transcripts,
}
"""Topic → check that can look without a data directory."""
INSIDE: Final[dict[str, Check]] = {
    "capture": capture,
    "inbox": waiting,
    "journal": journal,
    "graph": graph,
    "search": search,
    "views": views,
    "model": model,
    "backups": backups,
}
"""Topic → check that needs a data directory that can be looked into."""
FAILED: Final = "check-failed"
"""The code of a check that could not look."""
ORDER: Final = ("home", "settings", "programs", "hooks", "capture", "transcripts", "inbox", "journal", "graph",
                "search", "views", "model", "backups")


def checks() -> dict[str, Check]:
    """All checks by topic, in order."""
    everything = ANYWHERE | INSIDE
    return {topic: everything[topic] for topic in ORDER}


def codes() -> tuple[str, ...]:
    """Every code that a finding may have, in order, each once."""
    return tuple(dict.fromkeys([code for check in checks().values() for code in check.CODES] + [FAILED]))
