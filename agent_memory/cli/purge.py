"""``purge``: remove memories for good, from every file."""

from __future__ import annotations

from datetime import datetime

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output
from agent_memory.cli.memory_text import memory_item, print_memories


@click.command()
@click.argument("ids", nargs=-1)
@options.selection
@options.dry_run
@options.yes
@options.as_json
@options.home
def command(ids: tuple[str, ...], query: str | None, project: str | None, agent: str | None,
            since: datetime | None, before: datetime | None, dry_run: bool, yes: bool, as_json: bool) -> int:
    """Remove every byte of memories and of the messages they came from. Cannot be undone and makes no backup."""
    memory = Memory()
    preview = memory.plan_purge(options.selected(ids, query, project, agent, since, before))
    if not as_json:
        print_memories(preview.plan.memories)
        nodes = ", ".join(f"{count} {table}" for table, count in preview.nodes.items()) or "nothing"
        looked = output.counted(preview.backups, "backup")
        output.line(f"To be removed for good: {nodes}; {looked} to be looked through.")
        for transcript in preview.plan.transcripts:
            output.note(f"the agent's own transcript {transcript} holds the text too; it is not ours and stays")
    if dry_run or not (yes or (not as_json and options.confirm("Remove it for good? There is no undo."))):
        if as_json:
            output.envelope({"dry_run": True, "memories": [memory_item(m) for m in preview.plan.memories],
                             "nodes": preview.nodes, "transcripts": preview.plan.transcripts})
        else:
            output.line("Nothing was changed. Say --yes to purge without being asked.")
        return 0
    report = memory.purge(preview)
    if as_json:
        output.envelope({"dry_run": False, **output.plain(report)})
        return 1 if report.remaining else 0
    for found in report.remaining:
        output.note(f"still found in {found}")
    output.line("Purged. Every file below the data directory was searched: "
                + ("no byte of it is left." if not report.remaining else "it is still in the files named above."))
    return 1 if report.remaining else 0
