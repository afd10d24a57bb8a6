"""``lint``: what does not fit together any more."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output
from agent_memory.cli.notes_text import dim


@click.command()
@click.option("--fix", is_flag=True, help="Put right what can be put right safely.")
@options.as_json
@options.home
def command(fix: bool, as_json: bool) -> int:
    """Look for what does not fit together any more. Exit 1 if any of it is left.

    Links to files that are gone, sessions never closed, memories of projects or sessions that are not stored,
    vectors of another model, and plain notes without kind, topic or tags. --fix puts all but the last right; no
    memory is changed.
    """
    report = Memory().lint(fix=fix)
    left = len(report.findings) - report.fixed
    if as_json:
        output.envelope(output.plain(report))
    else:
        for one in report.findings:
            output.line(f"{one.code:<13} {one.what}")
            dim(f"              {one.subject}{f' · {one.fix}' if one.fix and fix else ''}")
        output.line(f"{output.counted(len(report.findings), 'finding')}, {report.fixed} put right")
    return 1 if left else 0
