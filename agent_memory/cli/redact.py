"""``redact --rescan``: the present redaction rules over old data."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output
from agent_memory.errors import UsageError


@click.command()
@click.option("--rescan", is_flag=True, help="Apply the present rules to everything that is stored.")
@options.dry_run
@options.as_json
@options.home
def command(rescan: bool, dry_run: bool, as_json: bool) -> None:
    """Take out of old data what the rules of today would not have let in. What is taken out is gone for good."""
    if not rescan:
        raise UsageError("say --rescan", hint="new text is always redacted; --rescan does it for what is stored")
    report = Memory().redact_rescan(dry_run=dry_run)
    if as_json:
        output.envelope({"dry_run": dry_run, **output.plain(report)})
        return
    for table, count in report.nodes.items():
        output.line(f"  {table}: {count}")
    output.line(f"{output.counted(sum(report.nodes.values()), 'node')} {'would be' if dry_run else 'were'} redacted.")
