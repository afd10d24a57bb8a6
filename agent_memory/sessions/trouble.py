"""Commands that make trouble: run again at once, looked up in their help, or failing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from agent_memory.model.transcript import ToolEvent
from agent_memory.sessions.commands import asks_help, command_line, failure_line, heads

RETRY: Final = timedelta(seconds=90)
HELP: Final = timedelta(minutes=5)
WEIGHTS: Final = (0.4, 0.4, 0.2)
"""Of the shares of runs that were repeated, looked up, and failed."""
ATTENTION: Final = 0.20


@dataclass(frozen=True, slots=True)
class Trouble:
    """One command and how it went. ``score`` is 0 … 1; from ATTENTION on it wants a look."""

    command: str
    uses: int
    retried: int
    helped: int
    failed: int
    score: float
    attention: bool
    example: str
    error: str


def analyze(events: Iterable[ToolEvent], *, least: int = 2) -> list[Trouble]:
    """Commands that ran at least ``least`` times, worst first. Equal events give an equal answer."""
    runs: dict[str, list[tuple[ToolEvent, str]]] = defaultdict(list)
    helps: dict[tuple[str, str], list[ToolEvent]] = defaultdict(list)
    for event in sorted(events, key=lambda e: (e.session, e.seq, e.id)):
        line = command_line(event)
        asked = asks_help(line)
        for program in asked:
            helps[event.session, program].append(event)
        if not asked:
            for head in dict.fromkeys(heads(line)):
                runs[head].append((event, line))
    return sorted((_judge(head, mine, helps) for head, mine in runs.items() if len(mine) >= least),
                  key=lambda t: (-t.score, -t.uses, t.command))


def _judge(head: str, runs: list[tuple[ToolEvent, str]], helps: dict[tuple[str, str], list[ToolEvent]]) -> Trouble:
    retried = helped = failed = 0
    example, error = runs[0][1], ""
    for place, (event, line) in enumerate(runs):
        following = runs[place + 1][0] if place + 1 < len(runs) else None
        if following is not None and following.session == event.session and _within(event, following, RETRY):
            retried += 1
        if any(_within(event, other, HELP) for other in helps.get((event.session, head.split()[0]), ())):
            helped += 1
        if event.status == "error":
            failed += 1
            example, error = line, failure_line(event)
    n = len(runs)
    score = round(WEIGHTS[0] * retried / n + WEIGHTS[1] * helped / n + WEIGHTS[2] * failed / n, 4)
    return Trouble(head, n, retried, helped, failed, score, score >= ATTENTION, " ".join(example.split())[:160], error)


def _within(first: ToolEvent, second: ToolEvent, most: timedelta) -> bool:
    """True if the second call came at most ``most`` after the first; without times, directly after it."""
    if first.at is None or second.at is None:
        return 0 < second.seq - first.seq <= 3
    return second.seq > first.seq and second.at - first.at <= most
