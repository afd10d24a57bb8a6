"""``reflect``: merge, promote, demote and retire memories."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output


@click.command()
@options.dry_run
@options.as_json
@options.home
def command(dry_run: bool, as_json: bool) -> None:
    """Merge what was said twice, promote what came up often, archive what faded, retire what was replaced."""
    report = Memory().reflect(dry_run=dry_run)
    if as_json:
        output.envelope({"dry_run": dry_run, "steps": [{"what": s.what, "why": s.why} for s in report.steps],
                         "outdated": len(report.outdated), "notes": report.notes})
        return
    for text in report.notes:
        output.note(text)
    for step in report.steps:
        output.line(f"  {step.what}: {step.why}")
    what = output.counted(len(report.steps), "step")
    output.line(f"{what} would be taken." if dry_run else f"{what} taken." if report.steps else "Nothing to do.")
