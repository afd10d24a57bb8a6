"""``context`` in the list of commands. The command itself is dispatched before click is imported."""

from __future__ import annotations

import click


@click.command(add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> int:
    """Print the start payload for an agent: context --for AGENT [--cwd DIR] [--task TEXT] [--budget-chars N] [--json]
    [--home DIR]."""
    from agent_memory.cli.context import main

    return main(arguments)
