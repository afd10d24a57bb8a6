"""``subagents``: search in what subagents did."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import options
from agent_memory.cli.sessions import LIMIT, tell_hits
from agent_memory.cli.store import where


@click.group("subagents")
def command() -> None:
    """What subagents did."""


@command.command()
@click.argument("words", nargs=-1, required=True)
@LIMIT
@options.project
@options.as_json
@options.home
def search(words: tuple[str, ...], limit: int, project: str | None, all_projects: bool, as_json: bool) -> None:
    """Subagent sessions in which something was said or learned that fits, best first."""
    tell_hits(Memory().search_sessions(" ".join(words), subagents=True, limit=limit,
                                       **where(project, personal=all_projects)), as_json)
