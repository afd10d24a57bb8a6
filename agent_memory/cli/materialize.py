"""``materialize``: write the Markdown views."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output
from agent_memory.cli.views_text import print_views


@click.command()
@options.as_json
@options.home
def command(as_json: bool) -> None:
    """Write the views whose text has changed, after taking in your edits; nothing else is touched."""
    report = Memory().materialize()
    if as_json:
        output.envelope({"written": report.written, "unchanged": report.unchanged, "removed": report.removed,
                         "kept": [{"view": name, "reason": reason} for name, reason in report.kept]})
        return
    print_views(report)
