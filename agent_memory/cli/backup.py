"""``backup create|list|restore``."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output


@click.group()
def command() -> None:
    """Create, list or restore backups."""


@command.command()
@options.as_json
@options.home
def create(as_json: bool) -> None:
    """Copy everything, open the copy and compare it. Old backups beyond number and size are removed."""
    made = Memory().backup_create()
    if as_json:
        output.envelope({"id": made.backup.id, "path": str(made.backup.path), "size": made.backup.size,
                         "removed": made.removed})
        return
    output.line(f"{made.backup.id}  {output.megabytes(made.backup.size)}  verified")
    for old in made.removed:
        output.line(f"  removed the old backup {old}")


@command.command("list")
@options.as_json
@options.home
def list_(as_json: bool) -> None:
    """Show the backups, newest first."""
    found = Memory().backups()
    if as_json:
        output.envelope({"backups": [{"id": b.id, "size": b.size, "path": str(b.path), "problem": b.problem}
                                     for b in found]})
        return
    for backup in found:
        reason = backup.manifest.reason if backup.manifest else ""
        output.line(f"{backup.id}  {output.megabytes(backup.size):>9}  {backup.problem or reason}")
    if not found:
        output.line("No backups yet.")


@command.command()
@click.argument("backup_id", metavar="ID")
@options.yes
@options.as_json
@options.home
def restore(backup_id: str, yes: bool, as_json: bool) -> None:
    """Put a backup (an id, the start of one, or `latest`) in the place of what is there, which is saved first."""
    if not yes and not options.confirm(f"Replace the present memory by backup {backup_id}? It is saved first."):
        output.line("Nothing was changed. Say --yes to restore without being asked.")
        return
    report = Memory().backup_restore(backup_id)
    if as_json:
        output.envelope(output.plain(report))
        return
    output.line(f"restored {output.counted(report.nodes, 'node')}"
                + (f"; what was there before is backup {report.safety}" if report.safety else ""))
