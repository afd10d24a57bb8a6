"""``sessions``: search, list, show and tree."""

from __future__ import annotations

import click

from agent_memory.app import Memory
from agent_memory.cli import notes_text, options, output
from agent_memory.cli.store import where
from agent_memory.sessions.finding import SessionHit

LIMIT = click.option("--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="At most so many.")


@click.group("sessions")
def command() -> None:
    """What happened in sessions."""


def tell_hits(found: list[SessionHit], as_json: bool) -> None:
    """Sessions that answer a question."""
    if as_json:
        output.envelope({"sessions": output.plain(found)})
        return
    for hit in found:
        one = hit.session
        output.line(f"{one.id}  {one.agent}  {notes_text.when(one.started_at)}  {one.title or one.host_id}")
        for passage in hit.passages:
            notes_text.dim(f"  {passage}")
    if not found:
        output.line("Nothing found.")


@command.command()
@click.argument("words", nargs=-1, required=True)
@click.option("--agent", default="", help="Only this agent's.")
@LIMIT
@options.project
@options.as_json
@options.home
def search(words: tuple[str, ...], agent: str, limit: int, project: str | None, all_projects: bool,
           as_json: bool) -> None:
    """Sessions in which something was said or learned that fits, best first."""
    tell_hits(Memory().search_sessions(" ".join(words), agent=agent, limit=limit,
                                       **where(project, personal=all_projects)), as_json)


@command.command("list")
@click.option("--agent", default="", help="Only this agent's.")
@click.option("--subagents", is_flag=True, help="Also those of subagents.")
@LIMIT
@options.project
@options.as_json
@options.home
def list_(agent: str, subagents: bool, limit: int, project: str | None, all_projects: bool, as_json: bool) -> None:
    """Sessions with what was asked, decided, changed, failed and left open, latest first."""
    found = Memory().list_sessions(agent=agent, subagents=subagents, limit=limit,
                                   **where(project, personal=all_projects))
    if as_json:
        output.envelope({"sessions": output.plain(found)})
        return
    for one in found:
        notes_text.summary(one)
    if not found:
        output.line("No session.")


@command.command()
@click.argument("session_id", metavar="ID")
@click.option("--after", type=int, default=-1, help="Records after this sequence number.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=50, show_default=True, help="Records at most.")
@options.as_json
@options.home
def show(session_id: str, after: int, limit: int, as_json: bool) -> None:
    """One session: its summary and records. ID is ours or the host's, or the start of either."""
    found = Memory().show_session(session_id, after=after, limit=limit)
    if as_json:
        output.envelope(output.plain(found))
        return
    notes_text.summary(found.summary)
    notes_text.moments(found.records)
    if found.more:
        output.line(f"… and {found.more} more")


@command.command()
@click.argument("session_id", metavar="ID")
@options.as_json
@options.home
def tree(session_id: str, as_json: bool) -> None:
    """A session's family of subagents, from the root."""
    found = Memory().session_tree(session_id)
    if as_json:
        output.envelope({"tree": output.plain(found)})
    else:
        notes_text.tree(found)
