"""``analyze``: commands that make trouble."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output
from agent_memory.cli.store import where


@click.command()
@click.option("--days", type=click.IntRange(0, 36_500), default=0, help="Only the last so many days (default: ever).")
@click.option("--least", type=click.IntRange(1, 1000), default=2, show_default=True, help="Only commands run so often.")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True, help="Commands at most.")
@options.project
@options.as_json
@options.home
def command(days: int, least: int, limit: int, project: str | None, all_projects: bool, as_json: bool) -> None:
    """Commands that were run again within 90 s (0.4), looked up in their help within 5 min (0.4) or failed (0.2).
    From 0.20 on a command wants attention."""
    found = Memory().analyze(days=days, least=least, **where(project, personal=all_projects))[:limit]
    if as_json:
        output.envelope({"commands": output.plain(found)})
        return
    if not found:
        output.line("No command was run often enough to say something.")
        return
    output.table(("", "score", "command", "runs", "again", "help", "failed", "last error"), [
        ("!" if t.attention else "", f"{t.score:.2f}", t.command, str(t.uses), str(t.retried), str(t.helped),
         str(t.failed), t.error[:60]) for t in found])
