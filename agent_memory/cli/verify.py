"""``verify``: check journal, graph and search file against each other."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output


@click.command()
@options.as_json
@options.home
def command(as_json: bool) -> int:
    """Compare what is stored with what was journaled, and name each damage with one next step. Changes nothing."""
    report = Memory().verify()
    if as_json:
        output.envelope({"ok": report.ok, "position": report.position, "engine": report.engine,
                         "findings": output.plain(report.findings)})
        return 0 if report.ok else 1
    for finding in report.findings:
        output.line(f"  {'·' if finding.harmless else '✗'} {finding.code}: {finding.what}")
        output.line(f"    next: {finding.next_step}")
    output.line(f"Everything is in order at position {report.position} ({report.engine})." if not report.findings else
                "Nothing is lost or wrong." if report.ok else "Damage was found.")
    return 0 if report.ok else 1
