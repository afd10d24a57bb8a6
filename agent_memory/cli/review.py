"""``review``: what is due, and that it still holds."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import notes_text, options, output
from agent_memory.cli.store import where


@click.command()
@click.argument("memory_id", metavar="[ID]", required=False)
@click.option("--again", help="With ID: when to look at it again, a date or a length such as 90d (default: 90d).")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="Memories at most.")
@click.option("--project", metavar="NAME", help="Only this project.")
@options.as_json
@options.home
def command(memory_id: str | None, again: str | None, limit: int, project: str | None, as_json: bool) -> None:
    """List memories whose review is due; with ID (or a topic key), say that one still holds."""
    memory = Memory()
    if memory_id:
        done = memory.mark_reviewed(memory_id, review_after=again, **where(project))
        if as_json:
            output.envelope({"memory": output.plain(done)})
        else:
            output.line(f"reviewed {done.id}; due again {notes_text.when(done.review_after)} UTC")
        return
    due = memory.review(project=project, limit=limit)
    if as_json:
        output.envelope({"due": output.plain(due)})
        return
    for one in due:
        output.line(f"{output.counted(one.days, 'day')} overdue: {one.memory.text}")
        notes_text.dim(f"  {one.memory.kind.value} · {one.memory.id}")
    if not due:
        output.line("Nothing is due.")
