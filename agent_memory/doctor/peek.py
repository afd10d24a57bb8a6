"""What the graph says of itself, read by a process of its own: a damaged file can crash or hang whoever opens it.

``python -m agent_memory.doctor.peek HOME ENGINE NOW`` opens the graph read-only, as it is, and prints one JSON object;
nothing is caught up and nothing that was said is in it.
"""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from agent_memory import clock
from agent_memory.errors import AgentMemoryError, GraphDamaged, SchemaNewer, SchemaOlder, StoreError
from agent_memory.model.graph import ModelCall
from agent_memory.model.memory import Status
from agent_memory.model.transcript import Cursor
from agent_memory.paths import Home
from agent_memory.store import aside, asking
from agent_memory.store.base import GraphStore
from agent_memory.store.engines import registry
from agent_memory.store.journal import Journal
from agent_memory.store.lease import lease

LIMIT: Final = 60.0
"""Seconds that a look may take."""
_CALLS = timedelta(days=30)
_SESSIONS = 50


class EngineMissing(StoreError):
    """The engine's library cannot be imported."""

    code = "engine-missing"


@dataclass(frozen=True, slots=True)
class Peek:
    """The state of a graph. ``unobserved`` counts recent sessions with records that were not learned from yet.

    ``last`` is agent → time of its last captured message, ``landed`` agent → time of its last observation.
    """

    position: int
    cursors: tuple[Cursor, ...]
    calls: tuple[ModelCall, ...]
    last: dict[str, datetime]
    landed: dict[str, datetime]
    memories: int = 0
    contested: int = 0
    unobserved: int = 0


NOTHING = Peek(0, (), (), {}, {})
"""A home without a graph."""


def peek(home: Home, engine: str, *, now: datetime, wait: float, limit: float = LIMIT) -> Peek:
    """Look at a home's graph.

    Raises:
        LeaseTimeout: another process holds it for longer than ``wait`` seconds.
        StoreError: it does not open, ends or hangs the engine, or the engine is missing.
    """
    if registry.is_persistent(engine) and not home.graph.exists():
        return NOTHING
    with lease(home.lease, exclusive=False, wait=wait):
        return _from_json(asking.ask(
            "agent_memory.doctor.peek", [str(home.root.absolute()), engine, clock.text(now)], graph=home.graph.name,
            limit=limit, hint="run rebuild to make the graph from the journal", errors=_ERRORS))


_ERRORS = {cls.code: cls for cls in (EngineMissing, GraphDamaged, SchemaNewer, SchemaOlder)}


def _from_json(answer: dict[str, Any]) -> Peek:
    def times(found: dict[str, str]) -> dict[str, datetime]:
        return {agent: clock.parse(at) for agent, at in found.items()}

    return Peek(answer["position"], tuple(Cursor(**{**c, "seen": ()}) for c in answer["cursors"]),
                tuple(ModelCall(**{**c, "at": clock.parse(c["at"])}) for c in answer["calls"]),
                times(answer["last"]), times(answer["landed"]), answer["memories"], answer["contested"],
                answer["unobserved"])


def cannot_import(engine: str) -> str:
    """Why an engine cannot be imported, "" if it can. Tried in a process of its own."""
    try:
        done = subprocess.run([sys.executable, "-c", f"import {engine}"], capture_output=True, check=False,
                              timeout=LIMIT, stdin=subprocess.DEVNULL, env=asking.environment())
    except subprocess.TimeoutExpired:
        return f"nothing happened for {LIMIT:g} s"
    if done.returncode == 0:
        return ""
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else f"it ended with code {done.returncode}"


def look(graph: GraphStore, now: datetime) -> dict[str, Any]:
    """The state of an open graph as JSON data."""
    last: dict[str, datetime] = {}
    sessions = graph.sessions()
    for session in sessions:
        if session.last_at is not None and session.last_at > last.get(session.agent, session.last_at - timedelta(1)):
            last[session.agent] = session.last_at
    landed: dict[str, datetime] = {}
    memories = graph.memories()
    for memory in memories:
        if memory.agent and memory.recorded_at > landed.get(memory.agent, now - timedelta(36_500)):
            landed[memory.agent] = memory.recorded_at
    recent = sorted((s for s in sessions if s.messages), key=lambda s: (s.last_at or now - timedelta(36_500), s.id))
    return {"position": graph.position(),
            "cursors": [dataclasses.asdict(c) | {"seen": [], "state": c.state} for c in graph.cursors()],
            "calls": [dataclasses.asdict(c) | {"at": clock.text(c.at)} for c in graph.model_calls(now - _CALLS)],
            "last": {agent: clock.text(at) for agent, at in last.items()},
            "landed": {agent: clock.text(at) for agent, at in landed.items()},
            "memories": len(memories), "contested": sum(m.status is Status.CONTESTED for m in memories),
            "unobserved": sum(bool(graph.messages(s.id, graph.observed(s.id))) for s in recent[-_SESSIONS:])}


def main(arguments: list[str]) -> int:
    """Entry of the process of its own."""
    root, engine, now = arguments
    home = Home(Path(root))
    try:
        graph = registry.open_graph(engine, home.graph, read_only=True)
        if not registry.is_persistent(engine):
            graph.load(aside.without(home, Journal(home.journal).batches()))
        answer = look(graph, clock.parse(now))
        graph.close()
    except ImportError as problem:
        answer = {"error": f"the engine {engine} cannot be imported: {problem}", "code": EngineMissing.code,
                  "hint": "install agent-utilities-memory again; what is stored is safe"}
    except AgentMemoryError as problem:
        missing = "is not installed" in problem.message
        answer = {"error": problem.message, "code": EngineMissing.code if missing else problem.code,
                  "hint": problem.hint}
    except (RuntimeError, ValueError, OSError) as problem:  # bytes that decode to nonsense
        answer = {"error": f"the graph holds what cannot be read ({type(problem).__name__})",
                  "code": GraphDamaged.code, "hint": "run rebuild to make the graph from the journal"}
    sys.stdout.write(json.dumps(answer))
    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
