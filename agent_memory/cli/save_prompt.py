"""``save-prompt``: keep what a person asked."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output
from agent_memory.cli.store import content_of, where


@click.command()
@click.argument("prompt", nargs=-1)
@click.option("--session", default="", help="Session to keep it in (default: one a day and project).")
@click.option("--project", metavar="NAME", help="A project's name, id or folder (default: the present folder's).")
@options.as_json
@options.home
def command(prompt: tuple[str, ...], session: str, project: str | None, as_json: bool) -> None:
    """Keep a prompt as a message; - reads it from stdin. `recall --type message` finds it."""
    done = Memory().save_prompt(content_of(prompt), session=session, **where(project))
    if as_json:
        output.envelope(output.plain(done))
    else:
        output.line(f"{'kept' if done.new else 'kept before'}: {done.id}")
