"""``observe``: learn from a transcript, or from everything that waits in the inbox."""

from __future__ import annotations

from pathlib import Path

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output
from agent_memory.cli.learn_text import learned_item, print_drained, print_explained, print_learned
from agent_memory.errors import UsageError


@click.command()
@click.option("--source", metavar="AGENT", help="Which agent wrote the transcript: claude, codex, grok, gemini …")
@click.option("--file", type=click.Path(path_type=Path), help="The transcript.")
@click.option("--explain", is_flag=True, help="Show the rule and lines behind each candidate, and why others were "
              "dropped.")
@options.dry_run
@options.as_json
@options.home
def command(source: str | None, file: Path | None, explain: bool, dry_run: bool, as_json: bool) -> None:
    """Learn from one transcript (--source and --file), or from everything that hooks left in the inbox."""
    memory = Memory()
    if file is None and source is None:
        if dry_run or explain:
            raise UsageError("--dry-run and --explain need a transcript", hint="give --source AGENT and --file PATH")
        drained = memory.drain()
        if as_json:
            output.envelope(output.plain(drained))
        else:
            print_drained(drained)
        return
    if file is None or source is None:
        raise UsageError("a transcript needs both --source AGENT and --file PATH",
                         hint="or give neither to learn from the inbox")
    if dry_run or explain:
        told = memory.explain_file(source, file)
        if as_json:
            output.envelope({"dry_run": True, **output.plain(told)})
        else:
            print_explained(told, reasons=explain)
        if dry_run:
            return
    learned = memory.observe_file(source, file)
    if as_json:
        output.envelope(learned_item(learned))
    else:
        print_learned(learned)
