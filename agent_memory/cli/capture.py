"""``capture``: notes from text with headed sections."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import notes_text, options, output
from agent_memory.cli.store import content_of, where


@click.command()
@click.argument("file", required=False)
@click.option("--scope", default="project", show_default=True, help="project, personal or global.")
@click.option("--tag", "tags", multiple=True, help="A word to find the notes by; may be repeated.")
@click.option("--project", metavar="NAME", help="A project's name, id or folder (default: the present folder's).")
@options.as_json
@options.home
def command(file: str | None, scope: str, tags: tuple[str, ...], project: str | None, as_json: bool) -> None:
    """Store what stands under headings such as Key Learnings, Decisions, Observations, Key Changes and Errors.

    Reads FILE, or stdin.
    """
    done = Memory().capture_text(content_of((), file or "-"), scope=scope, tags=tags, **where(project))
    if as_json:
        output.envelope(output.plain(done))
        return
    for one in done.stored:
        notes_text.stored(one)
    for text, reason in done.refused:
        output.note(f"not stored: {text[:60]} ({reason})")
    if done.unknown_headings:
        output.note(f"headings that say nothing known: {', '.join(done.unknown_headings)}")
    output.line(f"{output.counted(len(done.stored), 'note')} stored")
