"""Options that several commands share, said once."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from agent_memory import clock, ids

if TYPE_CHECKING:
    from agent_memory.forget.selection import Selection

F = TypeVar("F", bound=Callable[..., Any])


def _set_home(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    del ctx, param
    if value:
        os.environ["AGENT_MEMORY_HOME"] = value


def home(command: F) -> F:
    """``--home DIR``, also after the command's name."""
    return click.option("--home", type=click.Path(), metavar="DIR", expose_value=False, callback=_set_home,
                        help="Data directory.")(command)


def as_json(command: F) -> F:
    """``--json``: a versioned JSON object instead of text."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def dry_run(command: F) -> F:
    """``--dry-run``: say what would happen, change nothing."""
    return click.option("--dry-run", is_flag=True, help="Say what would happen, change nothing.")(command)


def yes(command: F) -> F:
    """``--yes``: do not ask."""
    return click.option("--yes", is_flag=True, help="Do not ask; for scripts.")(command)


def project(command: F) -> F:
    """``--project`` and ``--all-projects``; without either, the project of the present folder."""
    command = click.option("--all-projects", is_flag=True, help="Look into every project.")(command)
    return click.option("--project", metavar="NAME", help="A project's name, id or folder (default: the present "
                        "folder's project).")(command)


class Moment(click.ParamType):  # type: ignore[type-arg, unused-ignore] # generic only in newer releases
    """An ISO 8601 date or time; without a zone it is the user's local time."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """The aware UTC time that ``value`` names."""
        if isinstance(value, datetime):
            return value
        try:
            when = datetime.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is not a date or time such as 2026-11-30 or 2026-11-30T14:00", param, ctx)
        return clock.parse((when if when.tzinfo else when.astimezone()).isoformat())


def selection(command: F) -> F:
    """Which memories are meant, beside ids."""
    for decorate in (
            click.option("--before", type=Moment(), help="Said before this time."),
            click.option("--since", type=Moment(), help="Said at or after this time."),
            click.option("--agent", help="Learned from this agent's sessions."),
            click.option("--project", metavar="NAME", help="Of this project (name or id)."),
            click.option("--query", help="Whose text holds these words.")):
        command = decorate(command)
    return command


def selected(ids: tuple[str, ...], query: str | None, project: str | None, agent: str | None,
             since: datetime | None, before: datetime | None) -> Selection:
    """The selection that the options of `selection` describe."""
    from agent_memory.forget.selection import Selection

    return Selection(ids=ids, query=query or "", project=project or "", agent=agent or "", since=since, until=before)


def is_full_id(text: str) -> bool:
    """True for an id given in full."""
    return ids.is_id(text.strip().partition("@")[0].lower())


def confirm(question: str) -> bool:
    """Ask a person; False without a terminal to ask on."""
    import sys

    return sys.stdin.isatty() and click.confirm(question, err=True)
