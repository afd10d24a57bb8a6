"""``topic-key``: a stable key for a kind and title."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output


@click.command()
@click.argument("kind")
@click.argument("title", nargs=-1, required=True)
@options.as_json
@options.home
def command(kind: str, title: tuple[str, ...], as_json: bool) -> None:
    """Suggest a topic key; equal titles give equal keys, in any script."""
    key = Memory().suggest_topic_key(kind, " ".join(title))
    if as_json:
        output.envelope({"topic_key": key})
    else:
        output.line(key)
