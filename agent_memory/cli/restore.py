"""``restore``: bring a forgotten memory back."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output
from agent_memory.cli.memory_text import memory_item


@click.command()
@click.argument("memory_id", metavar="ID")
@options.as_json
@options.home
def command(memory_id: str, as_json: bool) -> None:
    """Undo `forget` (or a deleted line in a view) for one memory."""
    memory = Memory().restore(memory_id)
    if as_json:
        output.envelope({"memory": memory_item(memory)})
        return
    output.line(f"restored {memory.id} {memory.text}")
