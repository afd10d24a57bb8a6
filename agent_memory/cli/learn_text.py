"""How learning is told: what was read, what was observed, and why not more."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from agent_memory.cli import output
from agent_memory.cli.memory_text import memory_item

if TYPE_CHECKING:
    from agent_memory.capture.ingest import IngestReport
    from agent_memory.flow.drain import DrainReport
    from agent_memory.flow.explain import Explained
    from agent_memory.flow.learn import Learned
    from agent_memory.observe.pipeline import ObserveReport

_OUTCOMES = {"unchanged": "nothing new since it was last read",
             "excluded": "its folder is excluded; nothing was stored",
             "own-call": "a session of our own model calls; nothing was stored",
             "no-session": "no record of a session in it; nothing was stored"}


def learned_item(learned: Learned) -> dict[str, Any]:
    """What a transcript gave, as plain data."""
    return {"ingest": output.plain(learned.ingest),
            "observations": [memory_item(m) for s in learned.sessions for m in s.stored],
            "merged": [{"text": text, "id": known} for s in learned.sessions for text, known in s.merged],
            "ended": [{"id": m.id, "text": m.text, "reason": why} for s in learned.sessions for m, why in s.ended],
            "dropped": sum(len(s.dropped) for s in learned.sessions),
            "notes": [n for s in learned.sessions for n in s.notes]}


def print_learned(learned: Learned) -> None:
    """What was read and what was learned."""
    output.line(_read(learned.ingest))
    _skipped(learned.ingest)
    for report in learned.sessions:
        for memory in report.stored:
            output.line(f"  {memory.priority.emoji} {memory.text}"
                        + click.style(f"  ({memory.kind.value}, line {memory.line})", dim=True))
        for memory, why in report.ended:
            output.line(f"  ↩ no longer stands ({why}): {memory.text}")
        for text in report.notes:
            output.note(text)
    new = sum(len(s.stored) for s in learned.sessions)
    known = sum(len(s.merged) for s in learned.sessions)
    if learned.sessions:
        output.line(f"{output.counted(new, 'new observation')}" + (f", {known} known before" if known else "") + ".")


def _read(ingest: IngestReport) -> str:
    name = os.path.basename(ingest.file)
    if ingest.outcome != "stored":
        return f"{name}: {_OUTCOMES.get(ingest.outcome, ingest.outcome)}."
    redacted = sum(ingest.redactions.values())
    hidden = f", {output.counted(redacted, 'secret or private span', 'secrets and private spans')} taken out"
    return (f"{name}: {output.counted(ingest.messages, 'message')}, {output.counted(ingest.tool_events, 'tool event')}"
            + (hidden if redacted else "") + ".")


def _skipped(ingest: IngestReport) -> None:
    for reason, count in sorted(ingest.skipped.items()):
        if ingest.outcome == "stored":
            output.note(f"{os.path.basename(ingest.file)}: {output.counted(count, 'line')} not used ({reason})")
    if ingest.behind:
        output.note("stored durably, but another process holds the graph; the next command applies it")


def print_explained(told: Explained, *, reasons: bool) -> None:
    """Each candidate with its rule and lines, and those that were dropped."""
    output.line(_read(told.ingest))
    for report in told.sessions:
        _candidates(report)
        if reasons:
            for one in report.dropped:
                output.line(click.style(f"  ✗ line {one.line} [{one.rule}] {one.text[:100]}", dim=True))
                output.line(click.style(f"      dropped: {one.reason}", dim=True))
        for text in report.notes:
            output.note(text)
    count = sum(len(s.candidates) for s in told.sessions)
    output.line(f"{output.counted(count, 'candidate')}; nothing was stored by this look.")


def _candidates(report: ObserveReport) -> None:
    for one in report.candidates:
        lines = ", ".join(str(n) for n in _lines(one.cites))
        output.line(f"  {one.priority.emoji} {one.text}")
        output.line(click.style(f"      {one.kind.value} · rule {one.rule} · line {lines}", dim=True))


def _lines(cites: Iterable[Any]) -> list[int]:
    return list(dict.fromkeys(c.line for c in cites))


def print_drained(report: DrainReport) -> None:
    """What became of the waiting events."""
    for learned in report.learned:
        print_learned(learned)
    for error in report.events.errors:
        output.note(f"an event failed and waits for the next time: {error}")
    if report.events.set_aside:
        output.note(f"{output.counted(report.events.set_aside, 'event')} set aside after three failures "
                    "(inbox/aside holds them with the error)")
    if report.reflected is not None and report.reflected.steps:
        output.line(f"{output.counted(len(report.reflected.steps), 'step')} of reflection.")
    for memory, why in report.archived:
        output.line(f"  archived ({why}): {memory.text}")
    if report.views is not None:
        from agent_memory.cli.views_text import print_views

        print_views(report.views)
    output.line(f"{output.counted(report.events.done, 'event')} handled"
                + (f", {report.events.repeated} repeated" if report.events.repeated else "") + ".")
