"""``hook`` in the list of commands. The command itself is dispatched before click is imported."""

from __future__ import annotations

import click


@click.command(add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> int:
    """What agents call: hook EVENT --agent AGENT, with the host's JSON on stdin. Always ends with 0."""
    from agent_memory.cli.hook import main

    return main(arguments)
