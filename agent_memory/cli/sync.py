"""``sync``: bring edits of the Markdown views back, then write the views."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output
from agent_memory.cli.sync_text import action_item, print_status, print_sync


@click.command()
@click.option("--status", "only_status", is_flag=True, help="Say which views are edited, unreadable or in conflict.")
@click.option("--put-back", is_flag=True, help="Write vanished or emptied views again; forget nothing.")
@options.dry_run
@options.yes
@options.as_json
@options.home
def command(only_status: bool, put_back: bool, dry_run: bool, yes: bool, as_json: bool) -> int:
    """Bring your edits of all views into the graph: changed text, new and deleted bullets, moves, ticks, priorities.

    Where an edit looks like an accident (a view is gone or empty, more than a fifth would be forgotten) nothing happens
    before you say --yes or --put-back.
    """
    memory = Memory()
    if only_status:
        found = memory.sync_status()
        if as_json:
            output.envelope(output.plain(found))
        else:
            print_status(found)
        return 0 if found.clean else 1
    report = memory.sync(yes=yes, put_back=put_back, dry_run=dry_run)
    if as_json:
        output.envelope({"dry_run": dry_run, "actions": [action_item(a) for a in report.actions],
                         "redacted": report.redacted, "unreadable": report.unreadable, "notes": report.notes,
                         "views": output.plain(report.views)})
    else:
        print_sync(report, dry_run=dry_run)
    return 0
