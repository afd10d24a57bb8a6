"""``store``: save a typed note."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from agent_memory.app import Memory
from agent_memory.cli import notes_text, options, output
from agent_memory.errors import UsageError


def content_of(words: tuple[str, ...], file: str | None = None) -> str:
    """The text of a note: the arguments, a file, or stdin for ``-``.

    Raises:
        UsageError: there is none, or the file cannot be read.
    """
    if file and file != "-":
        try:
            with open(file, encoding="utf-8", errors="replace") as source:
                return source.read()
        except OSError as problem:
            raise UsageError(f"cannot read {file}: {problem.strerror}", hint="Nothing was stored.") from problem
    if file == "-" or words == ("-",):
        return sys.stdin.read()
    return " ".join(words)


def where(project: str | None, personal: bool = False) -> dict[str, Any]:
    """Arguments of the Python API for the project that is meant: the named one, else the present folder's."""
    if personal:
        return {}
    return {"project": project} if project else {"cwd": os.getcwd()}


@click.command()
@click.argument("content", nargs=-1)
@click.option("--kind", default="note", show_default=True, help="decision, preference, lesson (error), fact, context, "
              "pattern, architecture, summary or note.")
@click.option("--topic-key", default="", help="What it is about; the next note under the same key takes its place.")
@click.option("--scope", default="project", show_default=True, help="project, personal or global.")
@click.option("--tag", "tags", multiple=True, help="A word to find it by; may be repeated.")
@click.option("--priority", default="", help="red, yellow or green (default: by kind).")
@click.option("--review-after", help="When to look at it again: a date, or a length such as 90d.")
@click.option("--valid-from", help="Since when it holds.")
@click.option("--valid-until", help="Until when it holds.")
@click.option("--expires-at", help="When it is not shown any more.")
@click.option("--ttl", default="", help="The same as a length of time.")
@click.option("--operation-id", default="", help="The same id stores once and gives the same answer again.")
@click.option("--session", default="", help="Id of the session it comes from.")
@click.option("--project", metavar="NAME", help="A project's name, id or folder (default: the present folder's).")
@options.as_json
@options.home
def command(content: tuple[str, ...], project: str | None, as_json: bool, **fields: Any) -> None:
    """Save one note; - reads it from stdin. A text that is known already is counted, not doubled."""
    done = Memory().store_note(content_of(content), **where(project), **fields)
    if as_json:
        output.envelope(output.plain(done))
    else:
        notes_text.stored(done)
