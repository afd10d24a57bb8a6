"""``status``: what is stored and what waits."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options, output


@click.command()
@options.as_json
@options.home
def command(as_json: bool) -> None:
    """Tell where the data is, how much of what is stored, and what waits."""
    report = Memory().status()
    if as_json:
        output.envelope(output.plain(report))
        return
    output.line(f"home        {report.home} ({output.megabytes(report.bytes)})")
    output.line(f"engine      {report.engine}, position {report.position}")
    output.line(f"sessions    {report.sessions}")
    for agent, last in report.last_message.items():
        output.line(f"            {agent}: last message {last:%Y-%m-%d %H:%M} UTC" if last else f"            {agent}")
    for type_, states in report.memories.items():
        told = ", ".join(f"{count} {state}" for state, count in states.items())
        output.line(f"{type_:<12}{told}")
    for name, count in report.projects.items():
        output.line(f"project     {name}: {output.counted(count, 'memory', 'memories')}")
    output.line(f"inbox       {output.counted(report.inbox, 'event')} waiting")
    output.line(f"backups     {report.backups}")
