"""``forget``: hide memories; can be undone."""

from __future__ import annotations

from datetime import datetime

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output
from agent_memory.cli.memory_text import memory_item, print_memories


@click.command()
@click.argument("ids", nargs=-1)
@options.selection
@click.option("--reason", default="forgotten", help="Why; kept in the history.")
@options.dry_run
@options.yes
@options.as_json
@options.home
def command(ids: tuple[str, ...], query: str | None, project: str | None, agent: str | None,
            since: datetime | None, before: datetime | None, reason: str, dry_run: bool, yes: bool,
            as_json: bool) -> None:
    """Hide memories everywhere, by id, words, project, time or agent. Without --yes only full ids are hidden at once;
    everything else is shown first and asked for."""
    memory = Memory()
    selection = options.selected(ids, query, project, agent, since, before)
    certain = yes or (bool(ids) and all(options.is_full_id(i) for i in ids))
    preview = memory.forget(selection, dry_run=True)
    if dry_run or not certain:
        if as_json:
            output.envelope({"dry_run": True, "memories": [memory_item(m) for m in preview.memories]})
            return
        print_memories(preview.memories)
        sentence = output.counted(len(preview.memories), "memory", "memories")
        if dry_run or not options.confirm(f"Hide {sentence}?"):
            output.line(f"{sentence} would be hidden; nothing was changed. Say --yes to hide without being asked.")
            return
    report = memory.forget(selection, dry_run=False, reason=reason)
    if as_json:
        output.envelope({"dry_run": False, "memories": [memory_item(m) for m in report.memories]})
        return
    for one in report.memories:
        output.line(f"  hidden {one.id} {one.text[:80]}")
    output.line(f"{output.counted(len(report.memories), 'memory', 'memories')} hidden. Undo: restore ID")
