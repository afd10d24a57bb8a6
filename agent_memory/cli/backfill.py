"""``backfill``: find old transcripts of an agent and learn from them."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output
from agent_memory.cli.learn_text import learned_item


@click.command()
@click.option("--source", metavar="AGENT", required=True, help="Which agent: claude, codex, grok, gemini …")
@click.option("--limit", type=click.IntRange(1), help="At most so many transcripts, the newest ones.")
@options.dry_run
@options.as_json
@options.home
def command(source: str, limit: int | None, dry_run: bool, as_json: bool) -> int:
    """Learn from transcripts that were written before hooks were installed, newest first."""
    memory = Memory()
    with click.progressbar(length=1, label=f"reading {source}", file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:
        def progress(number: int, total: int, path: Path) -> None:
            bar.length = total
            bar.update(number - bar.pos)
            bar.label = f"reading {path.name[:30]}"

        report = memory.backfill(source, limit=limit, dry_run=dry_run, progress=progress)
    if as_json:
        output.envelope({"dry_run": dry_run, "found": [{"file": str(f.path), "size": f.size, "at": f.at}
                                                       for f in report.found],
                         "learned": [learned_item(one) for one in report.learned],
                         "failed": [{"file": name, "reason": why} for name, why in report.failed]})
        return 1 if report.failed else 0
    if dry_run:
        for found in report.found:
            output.line(f"  {found.at:%Y-%m-%d %H:%M}  {output.megabytes(found.size):>9}  {found.path}")
    for name, why in report.failed:
        output.note(f"{name}: {why}")
    new = sum(len(s.stored) for one in report.learned for s in one.sessions)
    output.line(f"{output.counted(len(report.found), 'transcript')} found"
                + ("." if dry_run else f", {output.counted(len(report.learned), 'transcript')} read, "
                   f"{output.counted(new, 'new observation')}."))
    return 1 if report.failed else 0
