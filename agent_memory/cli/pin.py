"""``pin``: Keep a memory from decay, pruning and archiving."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output
from agent_memory.cli.store import where


@click.command()
@click.argument("memory_id", metavar="ID")
@options.as_json
@options.home
def command(memory_id: str, as_json: bool) -> None:
    """Keep a memory from decay, pruning and archiving. ID may be its first characters or a topic key."""
    done = Memory().pin(memory_id, pinned=True, **where(None))
    if as_json:
        output.envelope({"memory": output.plain(done)})
    else:
        output.line(f"{'pinned' if done.pinned else 'not pinned'}: {done.id} {done.text[:80]}")
