"""Which session a caller means: our id, the host's id, or the start of either."""

from __future__ import annotations

from agent_memory.errors import AmbiguousError, NotFoundError, UsageError
from agent_memory.model.transcript import Session
from agent_memory.store.base import GraphStore

_SHOWN = 8


def named(graph: GraphStore, given: str) -> Session:
    """The session that ``given`` names; of a session and its subagents whose ids start alike, the session.

    Raises:
        UsageError, NotFoundError, AmbiguousError: the hint lists candidates.
    """
    wanted = given.strip().casefold()
    if len(wanted) < 4:
        raise UsageError(f"{given!r} is too short for a session", hint="Give at least 4 characters of its id.")
    found = graph.session(wanted)
    if found is not None:
        return found
    every = graph.sessions()
    fits = [s for s in every if s.host_id.casefold() == wanted] or [
        s for s in every if s.id.startswith(wanted) or s.host_id.casefold().startswith(wanted)]
    if len(fits) > 1:  # hosts name subagents after their session: it is meant, not its whole family
        family = {s.id for s in fits}
        fits = [s for s in fits if s.parent not in family]
    if not fits:
        raise NotFoundError(f"no session has the id {given!r}", hint="`sessions list` shows them.")
    if len(fits) > 1:
        shown = "; ".join(f"{s.id} {s.agent} “{s.title[:40]}”" for s in fits[:_SHOWN])
        raise AmbiguousError(f"{given!r} starts the ids of {len(fits)} sessions", hint=f"Candidates: {shown}")
    return fits[0]
