"""``import``: read an export."""

from __future__ import annotations

from pathlib import Path

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@options.as_json
@options.home
def command(file: Path, as_json: bool) -> None:
    """Take an export of ours (JSON lines or JSON) in. The same file twice changes nothing; purged text stays away."""
    report = Memory().import_(file)
    if as_json:
        output.envelope(output.plain(report))
        return
    for refused in report.refused:
        output.note(f"line {refused.line}: {refused.reason}")
    output.line(f"{output.counted(report.read, 'item')} read: {report.added} added, {report.known} known, "
                f"{len(report.refused)} refused, {report.purged + report.forgotten} stay forgotten")
