"""``migrate-engine``: move the graph to another engine."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output


@click.command()
@click.argument("engine", type=click.Choice(["kuzu", "ladybug", "memory"]))
@options.as_json
@options.home
def command(engine: str, as_json: bool) -> None:
    """Make the graph with another engine from the journal; the old one stays until the new one is proved."""
    report = Memory().migrate_engine(engine)
    if as_json:
        output.envelope(output.plain(report))
        return
    output.line(f"the graph is now kept by {report.engine}: {output.counted(report.nodes, 'node')}, "
                f"{output.counted(report.edges, 'edge')}")
