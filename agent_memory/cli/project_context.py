"""``project-context``: what was done here recently."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import notes_text, options, output
from agent_memory.cli.store import where


@click.command()
@click.option("--limit", type=click.IntRange(1, 100), default=5, show_default=True, help="Sessions at most.")
@click.option("--project", metavar="NAME", help="A project's name, id or folder (default: the present folder's).")
@options.as_json
@options.home
def command(limit: int, project: str | None, as_json: bool) -> None:
    """Recent sessions and memories of a project, what is contested and what is due for review."""
    found = Memory().project_context(limit=limit, **where(project))
    if as_json:
        output.envelope(output.plain(found))
        return
    output.heading(found.name or "no project")
    for one in found.sessions:
        notes_text.summary(one)
    for title, memories in (("recent", found.recent), ("contested", found.contested), ("due", found.due)):
        for memory in memories:
            output.line(f"{title:<9} {memory.priority.emoji} {memory.text[:140]}")
