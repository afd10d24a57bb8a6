"""``history``: the life of one memory."""

from __future__ import annotations

import click

from agent_memory import clock
from agent_memory.app import Memory
from agent_memory.cli import options, output


@click.command()
@click.argument("memory_id", metavar="ID")
@options.as_json
@options.home
def command(memory_id: str, as_json: bool) -> None:
    """Every text a memory had, what befell it and why, and where it was said."""
    found = Memory().history(memory_id)
    if as_json:
        output.envelope(output.plain(found))
        return
    output.heading(found.memory.text)
    now = found.memory
    output.line(f"{now.type.value} · {now.kind.value} · {now.status.word} · {now.id}")
    for revision in found.revisions:
        output.line(f"  {clock.text(revision.recorded_at)[:16]}  revision {revision.revision} by {revision.observer}: "
                    f"{revision.text}")
    for event in found.happenings:
        told = f"{event.what} {event.value} ({event.actor}) {event.detail}"
        output.line(f"  {clock.text(event.at)[:16]}  {told}".rstrip())
    for source in found.sources:
        if source.file:
            output.line(f"  said in {source.file}:{source.line}")
    for edge in found.relations:
        output.line(f"  {edge.kind} {edge.source} → {edge.target} {edge.reason}".rstrip())
