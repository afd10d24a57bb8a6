"""Finds sessions that grew while nothing was captured: the hooks of an agent are gone, not trusted, or never fire.

Transcripts are compared with the capture cursors. A session that is going on is not silent: what is unread must hold an
answer that is complete, and the file must have been quiet for a while.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent_memory import clock
from agent_memory.capture import heard, inbox
from agent_memory.capture.backfill import Found, candidates
from agent_memory.capture.ingest import is_excluded
from agent_memory.capture.lines import continues, plain_name
from agent_memory.capture.recorder import session_id
from agent_memory.capture.registry import AGENTS
from agent_memory.capture.registry import agent as agent_module
from agent_memory.errors import AgentMemoryError
from agent_memory.install import receipt
from agent_memory.model.transcript import Cursor, Message, Role
from agent_memory.paths import Home
from agent_memory.recall.unreported import SILENT, turn_ended
from agent_memory.roster import TITLES
from agent_memory.text.redact import Redactor

if TYPE_CHECKING:
    from agent_memory.flow.place import Place

MOST: Final = 20
"""Newest transcripts of an agent that are looked at."""
_RECORDS: Final = 3_000
_SESSIONS: Final = 500
_SOON = timedelta(seconds=10)
_QUIET = timedelta(seconds=60)
_OVER = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Silent:
    """A transcript with words that no hook reported.

    ``unread`` is in bytes, ``turns`` says how many complete answers are unread (more than one: not only a tail that was
    cut off), ``never`` is True if nothing of it was ever captured.
    """

    agent: str
    path: Path
    at: datetime
    unread: int
    turns: int
    never: bool

    @property
    def serious(self) -> bool:
        """True if a whole session or more than the end of one is missing."""
        return self.never or self.turns > 1


def installed(home: Home) -> dict[str, datetime]:
    """Agents whose hooks were installed for the user, with a time since when they must have been fired.

    Raises:
        InstallError: the receipts cannot be read.
    """
    agents = {entry.agent for entry in receipt.load(home).values()}
    if not agents:
        return {}
    since = datetime.fromtimestamp((receipt.folder(home) / "receipts.json").stat().st_mtime, UTC)
    known = heard.load(home)
    return {agent: min([since, *_times(known.get(agent, {}))]) for agent in sorted(agents & set(AGENTS))}


def _times(kinds: Mapping[str, heard.Heard]) -> list[datetime]:
    """The last time that each kind of event was fired, without starts: those report nothing that was said."""
    found = []
    for kind, one in kinds.items():
        if kind not in (heard.START, heard.BEFORE):
            try:
                found.append(clock.parse(one.at))
            except ValueError:
                continue
    return [max(found)] if found else []


def silent(home: Home, cursors: Iterable[Cursor], *, since: Mapping[str, datetime], env: Mapping[str, str],
           user_home: Path, now: datetime, exclude: Collection[str] = ()) -> list[Silent]:
    """Transcripts that grew unreported, newest first by agent.

    Args:
        home: the data directory; its inbox says what is on the way.
        cursors: how far each transcript was read.
        since: agents to look at, and since when their hooks must have been fired (`installed`).
        env: environment that says where agents keep transcripts.
        user_home: the person's home folder.
        now: the present.
        exclude: folders whose sessions are not captured.
    """
    known = {(c.agent, c.file): c for c in cursors}
    moved = {(c.agent, c.session): c for c in known.values()}
    waiting = {p for item in inbox.pending(home) if item.event is not None
               for p in (item.event.transcript, item.event.session) if p}
    redactor = Redactor()

    def cursor_of(agent: str, path: Path) -> Cursor | None:
        return known.get((agent, redactor.text(plain_name(Path(os.path.abspath(path))))))

    found = []
    for agent, began in since.items():
        try:
            everything = candidates(agent, env=env, user_home=user_home)
        except (AgentMemoryError, OSError):
            continue  # the doctor's check of transcripts tells about those
        if everything and not everything[0].path.is_file():
            everything = _youngest(agent, [one for one in everything if cursor_of(agent, one.path) is None])
        for one in everything[:MOST]:
            if one.at <= began or now - one.at < _SOON:
                continue
            if str(one.path) in waiting or any(one.path.name.find(w) >= 0 for w in waiting if len(w) >= 8):
                continue
            missing = _missing(agent, one, cursor_of(agent, one.path), moved, now, exclude)
            if missing is not None and missing.at > began:
                found.append(missing)
    return found


def _youngest(agent: str, found: list[Found]) -> list[Found]:
    """Sessions of a database, which share its time, by their own beginning, latest first."""
    def began(one: Found) -> datetime:
        try:
            head = agent_module(agent).head(one.path)
        except (AgentMemoryError, OSError, ValueError):
            return one.at
        return (head.started_at if head else None) or datetime.fromtimestamp(0, UTC)

    return sorted(found[:_SESSIONS], key=began, reverse=True)


def _missing(agent: str, one: Found, cursor: Cursor | None, moved: Mapping[tuple[str, str], Cursor], now: datetime,
             exclude: Collection[str]) -> Silent | None:
    if _read_whole(one, cursor):
        return None
    module = agent_module(agent)
    try:
        head = module.head(one.path)
        if head is None or head.own_call or head.parent or is_excluded(head.cwd, tuple(exclude)):
            return None
        other = moved.get((agent, session_id(agent, head.host_id)))
        if cursor is None and other is not None and continues(one.path, other):
            cursor = other  # the file was moved, or its folder renamed
            if _read_whole(one, cursor):
                return None
        said = [r for r in islice(module.read(one.path, cursor, now=now), _RECORDS) if isinstance(r, Message)]
    except (AgentMemoryError, OSError, ValueError):
        return None  # the check of transcripts tells about those
    at = one.at
    if not one.path.is_file():  # a session of a database, whose own time says nothing about this session
        at = max((m.at for m in said if m.at is not None), default=datetime.fromtimestamp(0, UTC))
    turns, last = _turns(said)
    read = cursor.offset if cursor else 0
    sure = last is not Role.AGENT or turn_ended(str(one.path), one.size, read)
    if not said or not (now - at >= _OVER or (turns and now - at >= (_SOON if sure else _QUIET))):
        return None
    return Silent(agent, one.path, at, one.size - read, turns, cursor is None)


def _read_whole(one: Found, cursor: Cursor | None) -> bool:
    """True if nothing can be missing; in a file that is not made of lines an offset says nothing about its end."""
    return cursor is not None and (one.path.suffix != ".jsonl" or cursor.offset >= one.size)


def _turns(said: Iterable[Message]) -> tuple[int, Role]:
    """(complete answers, who spoke last): an answer is complete when a person speaks after it, or at the end."""
    turns = 0
    last = Role.HARNESS
    for message in said:
        if message.role is Role.HARNESS:
            continue
        if message.role is Role.PERSON and last is Role.AGENT:
            turns += 1
        last = message.role
    return turns + (last is Role.AGENT), last


def alarm(found: Collection[Silent]) -> str:
    """One line for the next start; "" if nothing serious was found."""
    serious = [one for one in found if one.serious]
    if not serious:
        return ""
    agents = ", ".join(sorted({TITLES.get(one.agent, one.agent) for one in serious}))
    first = min(one.at for one in serious)
    return (f"{SILENT} {len(serious)} session{'s' if len(serious) > 1 else ''} of {agents} since "
            f"{first:%Y-%m-%d} grew, but no hook reported it. Run: agent-utilities-memory doctor.")


def of_place(place: Place) -> list[Silent]:
    """What is silent in a home, by its graph and the environment of this process."""
    since = installed(place.home)
    if not since:
        return []
    with place.store.read() as graph:
        cursors = graph.cursors()
    return silent(place.home, cursors, since=since, env=os.environ, user_home=Path.home(), now=place.now(),
                  exclude=place.settings.exclude)
