"""``rebuild``: graph and search file anew from the journal."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output


@click.command()
@options.as_json
@options.home
def command(as_json: bool) -> None:
    """Make graph and search file from the journal; the old ones stay in place until the new ones are proved."""
    report = Memory().rebuild()
    if as_json:
        output.envelope(output.plain(report))
        return
    output.line(f"rebuilt at position {report.position} ({report.engine}): {output.counted(report.nodes, 'node')}, "
                f"{output.counted(report.edges, 'edge')}")
