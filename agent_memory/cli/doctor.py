"""``doctor``: what is wrong, in plain words, with one next step each."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Final

import click

from agent_memory import clock
from agent_memory.app import Memory
from agent_memory.cli import options, output
from agent_memory.cli.install import surroundings
from agent_memory.doctor.finding import Finding, Report, Status
from agent_memory.doctor.remedies import put_right
from agent_memory.doctor.run import examine
from agent_memory.doctor.subject import Subject

MARKS: Final[dict[Status, tuple[str, str, str]]] = {
    # status: (mark, mark where the terminal lacks it, colour)
    "ok": ("✓", "ok", "green"),
    "warning": ("!", "!", "yellow"),
    "error": ("✗", "x", "red"),
}


@click.command()
@click.option("--fix", is_flag=True, help="Do what is safe, and say what was done.")
@click.option("--full", is_flag=True, help="Compare everything that is stored with the journal; takes longer.")
@options.as_json
@options.home
def command(fix: bool, full: bool, as_json: bool) -> int:
    """Look at hooks, transcripts, capture and everything that is stored.

    Each finding is ok, a warning or an error, has a stable code, and says what to do next. Ends with 1 if there is an
    error. Nothing is changed without --fix.
    """
    place = Memory()
    subject = Subject(place, surroundings(place.home, in_project=False), clock.now(), full)
    report = examine(subject)
    if fix:
        done = put_right(subject, report)
        report = replace(examine(replace(subject)), done=done)
    if as_json:
        output.json_line(report.as_json())
    else:
        tell(report, fixed=fix)
    return 1 if report.status == "error" else 0


def tell(report: Report, *, fixed: bool = False) -> None:
    """Print a report: by topic, each finding on a line, what to do below it."""
    plain = not _can_print("✓✗→")
    for sentence in report.done:
        output.line(f"fixed: {sentence}")
    if fixed and not report.done:
        output.line("fixed: nothing; what is left needs you" if report.status != "ok" else "fixed: nothing was wrong")
    if fixed:
        output.line()
    for section in report.sections:
        output.heading(section.title)
        for finding in section.findings:
            _tell_finding(finding, plain)
    output.line()
    output.line(_summary(report))


def _tell_finding(finding: Finding, plain: bool) -> None:
    mark, fallback, colour = MARKS[finding.status]
    code = "" if finding.status == "ok" else click.style(f" [{finding.code}]", dim=True)
    output.line(f"  {click.style(f'{fallback if plain else mark:<2}', fg=colour)} {finding.what}{code}")
    if finding.fix:
        output.line(f"     {'->' if plain else '→'} {finding.fix}")


def _summary(report: Report) -> str:
    errors = sum(f.status == "error" for f in report.findings)
    warnings = sum(f.status == "warning" for f in report.findings)
    if not errors and not warnings:
        return f"All is well ({output.counted(len(report.findings), 'thing')} looked at)."
    return f"{output.counted(errors, 'error')}, {output.counted(warnings, 'warning')}."


def _can_print(text: str) -> bool:
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
