"""``import``: read an export."""

from __future__ import annotations

from pathlib import Path

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output
from agent_memory.errors import UsageError


@click.command("import")
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--format", "fmt", type=click.Choice(["export", "observational-memory"]), default="export",
              show_default=True, help="What PATH is: an export of ours, or a folder of observational-memory.")
@options.dry_run
@options.as_json
@options.home
def command(path: Path, fmt: str, dry_run: bool, as_json: bool) -> None:
    """Take an export of ours (JSON lines or JSON) or another tool's folder in.

    The same twice changes nothing; purged text stays away; what is read is never changed.
    """
    if fmt == "export" and path.is_dir():
        raise UsageError(f"{path} is a folder, an export is a file",
                         hint="nothing was imported; for another tool's folder add --format observational-memory")
    report = Memory().import_(path, fmt=fmt, dry_run=dry_run)
    if as_json:
        output.envelope({"dry_run": dry_run, **output.plain(report)})
        return
    for refused in report.refused:
        output.note(f"line {refused.line}: {refused.reason}" if refused.line else refused.reason)
    added = "would be added" if dry_run else "added"
    output.line(f"{output.counted(report.read, 'item')} read: {report.added} {added}, {report.known} known, "
                f"{len(report.refused)} refused, {report.purged + report.forgotten} stay forgotten")
