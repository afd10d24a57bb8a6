"""``events``: search in tool calls."""

from __future__ import annotations

from typing import Any

import click

from agent_memory.app import Memory
from agent_memory.cli import notes_text, options, output
from agent_memory.cli.store import where


@click.group("events")
def command() -> None:
    """What was run."""


@command.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--status", default="", help="ok, error, refused, open or unknown.")
@click.option("--since", type=options.Moment(), help="At or after this time.")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="Calls at most.")
@options.project
@options.as_json
@options.home
def search(words: tuple[str, ...], project: str | None, all_projects: bool, as_json: bool, **given: Any) -> None:
    """Tool calls whose name, input or output holds all words, newest first, such as every `kubectl apply`."""
    found = Memory().search_events(" ".join(words), **where(project, personal=all_projects), **given)
    if as_json:
        output.envelope({"events": output.plain(found)})
        return
    for hit in found:
        event = hit.event
        output.line(f"{notes_text.when(event.at)}  {event.status:<7} {event.name}: "
                    f"{' '.join((hit.command or event.input).split())[:140]}")
        notes_text.dim(f"  session {event.session} · {event.file}:{event.line}")
    if not found:
        output.line("Nothing found.")
