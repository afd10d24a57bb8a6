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
    for part, size in report.after.items():
        output.line(f"  {part:<8} {output.megabytes(report.before.get(part, 0)):>9} → {output.megabytes(size)}")
    output.line(f"{output.megabytes(report.saved)} given back; the stored text is {output.megabytes(report.text)}")
