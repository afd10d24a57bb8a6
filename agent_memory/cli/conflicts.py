"""``conflicts``: how memories relate: list, scan, compare, judge, ignore."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import notes_text, options, output
from agent_memory.cli.store import where
from agent_memory.model.graph import RELATIONS
from agent_memory.notes.relations import Relation


@click.group("conflicts")
def command() -> None:
    """List, find and decide contradictions between memories."""


def _tell(found: Relation, as_json: bool) -> None:
    if as_json:
        output.envelope({"conflict": output.plain(found)})
    else:
        notes_text.relation(found)


@command.command("list")
@click.option("--status", default="pending", show_default=True, help="pending, judged, ignored or all.")
@click.option("--project", metavar="NAME", help="Only this project.")
@options.as_json
@options.home
def list_(status: str, project: str | None, as_json: bool) -> None:
    """What was said about pairs of memories, newest first."""
    found = Memory().conflicts(status=status, project=project)
    if as_json:
        output.envelope({"conflicts": output.plain(found)})
        return
    for one in found:
        notes_text.relation(one)
    if not found:
        output.line("No conflict.")


@command.command()
@click.option("--project", metavar="NAME", help="Only this project.")
@options.dry_run
@options.as_json
@options.home
def scan(project: str | None, dry_run: bool, as_json: bool) -> None:
    """Propose pairs that contradict each other. A pair is proposed once for ever.

    Words are compared; with a model in the settings it is asked too, within its budget. It only proposes.
    """
    report = Memory().scan_conflicts(project=project, dry_run=dry_run)
    if as_json:
        output.envelope(output.plain(report))
        return
    for text in report.notes:
        output.note(text)
    for one in report.proposed:
        notes_text.relation(one)
    output.line(f"{output.counted(len(report.proposed), 'pair')} {'would be ' if dry_run else ''}proposed of "
                f"{output.counted(report.compared, 'memory', 'memories')}")


@command.command()
@click.argument("a")
@click.argument("b")
@click.argument("relation", type=click.Choice(RELATIONS))
@click.option("--confidence", type=float, default=0.7, show_default=True, help="0 to 1.")
@click.option("--reason", default="", help="Why.")
@options.as_json
@options.home
def compare(a: str, b: str, relation: str, confidence: float, reason: str, as_json: bool) -> None:
    """Propose how A relates to B (ids, their first characters, or topic keys); pending until judged."""
    _tell(Memory().compare(a, b, relation, confidence=confidence, reason=reason, **where(None)), as_json)


@command.command()
@click.argument("conflict_id", metavar="ID")
@click.option("--relation", default="", help=f"What holds (default: what was proposed): {', '.join(RELATIONS)}.")
@click.option("--winner", default="", help="For supersedes: the memory that stays (default: A).")
@click.option("--reason", default="", help="Why; kept in the history.")
@options.as_json
@options.home
def judge(conflict_id: str, relation: str, winner: str, reason: str, as_json: bool) -> None:
    """Decide a conflict. supersedes retires the memory that loses, everywhere."""
    _tell(Memory().judge(conflict_id, relation=relation, winner=winner, reason=reason), as_json)


@command.command()
@click.argument("conflict_id", metavar="ID")
@click.option("--reason", default="", help="Why; kept in the history.")
@options.as_json
@options.home
def ignore(conflict_id: str, reason: str, as_json: bool) -> None:
    """Leave a proposal aside for good."""
    _tell(Memory().ignore_conflict(conflict_id, reason=reason), as_json)
