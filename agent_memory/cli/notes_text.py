"""How notes, relations and sessions are told to people."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import click

from agent_memory.cli import output
from agent_memory.flow.sessions import Moment
from agent_memory.notes.relations import Relation
from agent_memory.notes.request import Stored
from agent_memory.sessions.finding import Tree
from agent_memory.sessions.summary import Summary

SAID = {"created": "stored", "revised": "stored as a new revision", "superseded": "stored in the place of another",
        "contested": "stored, but a person's own words stand on the topic", "repeated": "known already"}


def dim(text: str) -> None:
    """A side remark on stdout."""
    output.line(click.style(text, dim=True))


def when(at: datetime | None) -> str:
    """A time for people, in UTC."""
    return f"{at:%Y-%m-%d %H:%M}" if at else "?"


def stored(done: Stored) -> None:
    """What came of storing one note."""
    again = " (answered before)" if done.replayed else ""
    output.line(f"{SAID[done.outcome]}{again}: {done.id} revision {done.revision}, seen {done.seen}")
    if done.topic_key:
        dim(f"  topic {done.topic_key}")
    for clash in done.conflicts:
        output.line(f"  may contradict {clash.id}: {clash.text[:80]} ({clash.reason})")
    for note in done.notes:
        output.note(note)


def relation(found: Relation) -> None:
    """One relation with both sides."""
    output.line(f"{found.id}  {found.relation} · {found.status} · {found.confidence:.2f} · {found.reason}".rstrip(" ·"))
    for name, memory in (("A", found.source), ("B", found.target)):
        dim(f"  {name} {memory.id} [{memory.status.word}] {memory.text[:100]}")


def summary(told: Summary) -> None:
    """A session in a few lines."""
    head = told.title or (told.asked[0] if told.asked else "untitled")
    output.line(f"{told.session}  {told.agent}  {when(told.started_at)}  {head[:90]}")
    for name in ("asked", "decided", "changed", "failed", "open"):
        for line in getattr(told, name):
            dim(f"  {name:<8} {line}")
        if name in told.more:
            dim(f"  {name:<8} … and {told.more[name]} more")


def moments(found: Iterable[Moment]) -> None:
    """Lines of a timeline."""
    for one in found:
        mark = "→" if one.here else " "
        output.line(f"{mark} {when(one.at)}  {one.what:<9} {one.text[:160]}")
        dim(f"    {one.id}")


def tree(found: Tree, depth: int = 0) -> None:
    """A family of sessions."""
    one = found.session
    output.line(f"{'  ' * depth}{one.id}  {one.agent}  {when(one.started_at)}  {one.title or one.host_id}")
    for child in found.children:
        tree(child, depth + 1)
