"""``export``: the memory as text for other programs."""

from __future__ import annotations

import sys

import click

from agent_memory.app import Memory
from agent_memory.cli import options


@click.command()
@click.option("--format", "fmt", type=click.Choice(["jsonl", "json", "ttl"]), default="jsonl", show_default=True,
              help="JSON lines, one JSON document, or RDF in Turtle.")
@click.option("--everything", is_flag=True, help="All nodes and edges, also messages, old revisions and hidden "
              "memories, so that `import` makes the same graph.")
@click.option("--output", "target", type=click.Path(dir_okay=False), help="Write here instead of stdout.")
@options.home
def command(fmt: str, everything: bool, target: str | None) -> None:
    """Print memories, sessions, symbols and projects (docs/reference/export.md)."""
    pieces = Memory().export(fmt, everything=everything)
    if target:
        from pathlib import Path

        from agent_memory.files import write_atomic

        write_atomic(Path(target), "".join(pieces).encode("utf-8"))
        return
    for piece in pieces:
        sys.stdout.buffer.write(piece.encode("utf-8"))
    sys.stdout.buffer.flush()
