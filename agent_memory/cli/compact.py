"""``compact``: give unused disk space back."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output


@click.command()
@options.as_json
@options.home
def command(as_json: bool) -> None:
    """Rewrite graph and search file without holes and compress closed journal segments."""
    report = Memory().compact()
    if as_json:
        output.envelope(output.plain(report))
        return
    output.line(f"{output.megabytes(report.before)} before, {output.megabytes(report.after)} now")
