"""Options that several commands share, said once."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar

import click

from agent_memory import clock

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


class Moment(click.ParamType):
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
