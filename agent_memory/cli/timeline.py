"""``timeline``: sessions in order, or what happened around one memory."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import notes_text, options, output
from agent_memory.cli.store import where


@click.command()
@click.argument("around", metavar="[ID]", default="")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="Sessions at most.")
@click.option("--before", type=click.IntRange(0, 100), default=5, show_default=True, help="With ID: lines before it.")
@click.option("--after", type=click.IntRange(0, 100), default=5, show_default=True, help="With ID: lines after it.")
@options.project
@options.as_json
@options.home
def command(around: str, limit: int, before: int, after: int, project: str | None, all_projects: bool,
            as_json: bool) -> None:
    """Tell sessions in order of time; with ID (or a topic key), what stands before and after that memory."""
    found = Memory().timeline(around, limit=limit, before=before, after=after,
                              **where(project, personal=all_projects))
    if as_json:
        output.envelope({"moments": output.plain(found)})
        return
    notes_text.moments(found)
    if not found:
        output.line("Nothing found.")
