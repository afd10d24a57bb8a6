"""``prune``: archive what was not seen for long."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output
from agent_memory.cli.notes_text import dim


@click.command()
@click.option("--older-than", required=True, metavar="LENGTH", help="Such as 90d, 12w or 1y.")
@click.option("--project", metavar="NAME", help="Only this project.")
@options.dry_run
@options.yes
@options.as_json
@options.home
def command(older_than: str, project: str | None, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Archive observations not said, stored or reviewed for so long. Pinned ones, preferences and a person's own words
    stay; `recall --status stale` still finds what was archived. Asks first."""
    memory = Memory()
    report = memory.prune(older_than, project=project, dry_run=True)
    sentence = output.counted(len(report.memories), "memory", "memories")
    if not as_json:
        for one, reason in report.memories[:20]:
            output.line(f"  {one.text[:100]}")
            dim(f"     {reason} · {one.id}")
    if report.memories and not dry_run and (yes or options.confirm(f"Archive {sentence}?")):
        report = memory.prune(older_than, project=project, dry_run=False)
    if as_json:
        output.envelope(output.plain(report))
    elif report.dry_run:
        output.line(f"{sentence} would be archived; nothing was changed.")
    else:
        output.line(f"{sentence} archived.")
