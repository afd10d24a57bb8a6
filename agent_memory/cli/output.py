"""The only place that knows how results look: text for people, JSON with a version for programs, colour.

Data goes to stdout, all else to stderr. Colour only on a terminal, never with ``NO_COLOR``.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any

import click

from agent_memory import clock
from agent_memory.errors import AgentMemoryError

if TYPE_CHECKING:
    from rich.console import Console

VERSION = 1
"""Version of the JSON envelope."""


def prepare_streams() -> None:
    """Let every character be printed: what the terminal's encoding lacks becomes a question mark."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def plain(value: Any) -> Any:
    """``value`` as plain JSON data: dataclasses as objects, times as ISO text, priorities and states as words."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, datetime):
        return clock.text(value)
    if isinstance(value, Enum):
        return getattr(value, "word", value.value)
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(v) for v in value]
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return str(value)


def json_line(value: Any) -> None:
    """Print one JSON value; not-ASCII is escaped where the stream is not UTF-8."""
    unicode_out = (getattr(sys.stdout, "encoding", "") or "").lower().replace("-", "").startswith("utf")
    click.echo(json.dumps(plain(value), ensure_ascii=not unicode_out))


def envelope(data: Mapping[str, Any]) -> None:
    """Print ``data`` with the version of the envelope in front."""
    json_line({"version": VERSION, **data})


def error(problem: AgentMemoryError, *, as_json: bool = False) -> None:
    """Tell an error: what happened on one line, what to do next on another."""
    if as_json:
        envelope({"error": {"code": problem.code, "message": problem.message, "hint": problem.hint}})
    click.echo(click.style("error: ", fg="red", bold=True) + problem.message, err=True)
    if problem.hint:
        click.echo(click.style("hint: ", fg="cyan") + problem.hint, err=True)


def note(text: str) -> None:
    """A remark for the person, on stderr."""
    click.echo(click.style("note: ", fg="yellow") + text, err=True)


def line(text: str = "") -> None:
    """One line of text on stdout."""
    click.echo(text)


def heading(text: str) -> None:
    """A heading on stdout."""
    click.echo(click.style(text, bold=True))


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "memory", "memories"), counted(3, "file")
    ('1 memory', '3 files')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def megabytes(size: int) -> str:
    """Bytes for people.

    >>> megabytes(999), megabytes(1_500_000)
    ('999 B', '1.5 MB')
    """
    if size < 1000:
        return f"{size} B"
    return f"{size / 1000:.1f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table on stdout."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        grid.add_column(column)
    for row in rows:
        grid.add_row(*(Text(cell) for cell in row))
    console().print(grid)


def console() -> Console:
    """A console on stdout that takes text as it is."""
    from rich.console import Console

    return Console(markup=False, highlight=False, emoji=False)
