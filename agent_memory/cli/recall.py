"""``recall``: search the memory, or expand a handle. Imports neither the engine nor, without need, the settings."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import datetime

import click

from agent_memory import clock
from agent_memory.cli import behind, options, output
from agent_memory.errors import UsageError
from agent_memory.model.memory import VISIBLE, MemoryType, Priority, Scope, Status
from agent_memory.paths import Home
from agent_memory.recall.filters import DEFAULT_TYPES
from agent_memory.recall.hit import Hit

DEFAULT_LIMIT = 10


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the options ask for."""

    project: str | None
    all_projects: bool
    limit: int | None
    as_of: datetime | None
    kinds: tuple[str, ...]
    types: tuple[str, ...]
    agents: tuple[str, ...]
    sessions: tuple[str, ...]
    scopes: tuple[str, ...]
    statuses: tuple[str, ...]
    priorities: tuple[str, ...]
    why: bool


@click.command()
@click.argument("words", nargs=-1)
@click.option("--query", help="What to look for (or give the words as arguments).")
@click.option("--handle", help="Expand what `context` left out, such as startup:profile:preferences.")
@options.project
@click.option("--limit", type=click.IntRange(1, 1000), help=f"Hits at most (default: {DEFAULT_LIMIT}).")
@click.option("--as-of", type=options.Moment(), help="What was known and held at that time.")
@click.option("--kind", "kinds", multiple=True, help="Only this kind; may be repeated.")
@click.option("--type", "types", multiple=True, type=click.Choice([*MemoryType, "message", "item"]),
              help="Only this type; `message` looks into what was said.")
@click.option("--agent", "agents", multiple=True, help="Only what this agent's sessions taught.")
@click.option("--session", "sessions", multiple=True, help="Only this session (our id).")
@click.option("--scope", "scopes", multiple=True, type=click.Choice(list(Scope)), help="Only this scope.")
@click.option("--status", "statuses", multiple=True, type=click.Choice([s.word for s in Status]),
              help="Only this status, such as superseded or retired (default: active, contested).")
@click.option("--priority", "priorities", multiple=True, type=click.Choice([p.word for p in Priority]),
              help="Only this priority.")
@click.option("--why", is_flag=True, help="Tell per hit which words, links and factors brought it there.")
@options.as_json
@options.home
def command(words: tuple[str, ...], query: str | None, handle: str | None, as_json: bool, **given: object) -> None:
    """Search what was learned in the present folder's project, and what holds everywhere."""
    home, now = Home.open(), clock.now()
    wanted = Wanted(**given)  # type: ignore[arg-type]
    question = query if query is not None else " ".join(words)
    if handle:
        _expand(home, handle, wanted, now, as_json=as_json)
        return
    if not question.strip():
        raise UsageError("nothing to look for", hint="give some words, --query TEXT or --handle NAME")
    hits = _search(home, question, wanted, now)
    late = behind.remark(home)
    if late:
        output.note(late)
    if as_json:
        output.envelope({"hits": [hit.as_json() for hit in hits]})
        return
    for number, hit in enumerate(hits, 1):
        _print(number, hit, wanted)
    if not hits:
        output.line("Nothing found.")


def _search(home: Home, question: str, wanted: Wanted, now: datetime) -> list[Hit]:
    from agent_memory.recall.search import recall
    from agent_memory.recall.where import project_around, project_named

    project = project_named(home, wanted.project) if wanted.project else project_around(home, os.getcwd())
    limit, least = _chosen(home)
    hits = recall(home, question, now=now, project=project, all_projects=wanted.all_projects,
                  limit=wanted.limit or limit, as_of=wanted.as_of, kinds=wanted.kinds,
                  types=wanted.types or DEFAULT_TYPES, agents=wanted.agents, sessions=wanted.sessions,
                  scopes=wanted.scopes, why=wanted.why,
                  statuses=[Status[s.upper()] for s in wanted.statuses] or tuple(sorted(VISIBLE)),
                  priorities=[int(Priority[p.upper()]) for p in wanted.priorities])
    return [hit for hit in hits if hit.score >= least] if least else hits


def _chosen(home: Home) -> tuple[int, float]:
    """(most hits, least score) that a person set, else the defaults; settings are only loaded where there are any."""
    if not any(name.startswith("AGENT_MEMORY_RECALL_") for name in os.environ) and not home.config.exists():
        return DEFAULT_LIMIT, 0.0
    from agent_memory import settings

    chosen = settings.load(home)
    return chosen.recall_limit, chosen.recall_threshold


def _print(number: int, hit: Hit, wanted: Wanted) -> None:
    marks = "".join(f" [{mark}]" for mark in hit.marks)
    head = f"{number:>2}. {Priority(hit.priority).emoji} {hit.text}{marks}"
    output.line(head)
    source = f"{hit.source.agent or 'api'}"
    if hit.source.file:
        source += f" {os.path.basename(hit.source.file)}:{hit.source.lines[0]}"
    age = "" if hit.age_days is None else f" · {_age(hit.age_days)}"
    again = f" · {hit.duplicates} more like it" if hit.duplicates else ""
    output.line(click.style(f"    {hit.kind} · {source}{age} · score {hit.score:.2f}{again} · {hit.id}", dim=True))
    if wanted.why:
        for reason in hit.why:
            output.line(click.style(f"      {reason}", dim=True))


def _age(days: float) -> str:
    """An age for people.

    >>> _age(0.2), _age(3.4), _age(70)
    ('today', '3 days ago', '2 months ago')
    """
    if days < 1:
        return "today"
    if days < 60:
        return f"{output.counted(round(days), 'day')} ago"
    return f"{output.counted(round(days / 30.4), 'month')} ago" if days < 720 else f"{round(days / 365)} years ago"


def _expand(home: Home, handle: str, wanted: Wanted, now: datetime, *, as_json: bool) -> None:
    from agent_memory.recall.handles import expand

    chunks = expand(home, handle, cwd=wanted.project or os.getcwd(), now=now)
    if as_json:
        output.envelope({"handle": handle, "chunks": [{"id": c.bullet.id, "text": c.bullet.text} for c in chunks]})
        return
    for chunk in chunks:
        output.line(f"- {chunk.bullet.mark} {chunk.bullet.text}".replace("  ", " "))
