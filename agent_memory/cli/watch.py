"""``watch``: keep syncing until Ctrl-C."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output
from agent_memory.cli.sync_text import print_sync
from agent_memory.errors import AgentMemoryError
from agent_memory.sync.run import SyncReport


@click.command()
@options.yes
@options.home
def command(yes: bool) -> None:
    """Sync whenever you save a view. Runs in the foreground; Ctrl-C ends it."""
    memory = Memory()
    output.note(f"watching {memory.home.views}; Ctrl-C ends it")

    def told(report: SyncReport | AgentMemoryError) -> None:
        if isinstance(report, AgentMemoryError):
            output.error(report)
        else:
            print_sync(report, dry_run=False)

    memory.watch(told, yes=yes)
