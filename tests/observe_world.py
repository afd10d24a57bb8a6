"""Conversations for tests of observers: a few words a line, as records or stored in a home."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from agent_memory import ids
from agent_memory.model.candidate import Observed, SessionView
from agent_memory.model.change import Change, PutEdge, PutNode
from agent_memory.model.graph import Agent, Edge, Project
from agent_memory.model.transcript import Message, Role, Session, ToolEvent, Via
from agent_memory.observe.rules.observer import RulesObserver
from agent_memory.store.open import Store

START = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
PROJECT = "p-00000000000000cc"
WHO = {
    "person": (Role.PERSON, Via.PROMPT), "refuses": (Role.PERSON, Via.REFUSAL), "answers": (Role.PERSON, Via.CHOICE),
    "agent": (Role.AGENT, Via.ANSWER), "plan": (Role.AGENT, Via.PLAN), "task": (Role.AGENT, Via.TASK),
    "summary": (Role.HARNESS, Via.SUMMARY), "injected": (Role.HARNESS, Via.INJECTED),
}
Line = tuple[str, ...]


def session(name: str = "one", project: str = PROJECT, at: datetime = START) -> Session:
    """A session whose id follows from its name."""
    return Session(ids.derive(START, "claude", name), "claude", name, project, "", "/work/cellar", "main", "", "", f"/t/{name}.jsonl", at)


def records(lines: Sequence[Line], name: str = "one", first: int = 0) -> tuple[Message | ToolEvent, ...]:
    """("person", text), ("agent", text) …; ("ok" or "error", command, output) for tool runs."""
    found: list[Message | ToolEvent] = []
    owner = session(name)
    for seq, (who, *rest) in enumerate(lines, first):
        at, line = START + timedelta(seconds=seq), seq + 1
        common = (owner.id, "claude", PROJECT, f"r{seq}", seq)
        place = (at, owner.file, line, line, f"{seq:064d}")
        key = ids.derive(at, name, str(seq))
        if who in ("ok", "error"):
            found.append(ToolEvent(key, *common, "Bash", rest[0], rest[1] if len(rest) > 1 else "", who, int(who == "error"), *place))
        else:
            found.append(Message(key, *common, *WHO[who], rest[0], *place))
    return tuple(found)


def view(*lines: Line, name: str = "one") -> SessionView:
    """A view of a conversation that was never observed."""
    return SessionView(session(name), records(lines, name))


def observed(*lines: Line) -> Observed:
    """What the rules make of a conversation."""
    return RulesObserver().observe(view(*lines))


def texts(*lines: Line) -> list[str]:
    """Texts of the candidates of a conversation, without the session's goal."""
    return [c.text for c in observed(*lines).candidates if c.rule != "goal"]


def store_lines(store: Store, lines: Sequence[Line], name: str = "one", first: int = 0, at: datetime = START) -> str:
    """Put a conversation (or more of it, from record ``first`` on) into a store; gives the session's id."""
    owner = session(name, at=at)
    changes: list[Change] = []
    if first == 0:
        changes = [PutNode(Agent("claude", "Claude Code")), PutNode(Project(PROJECT, "cellar", "/work/cellar", "", ("root:/work/cellar",), START)),
                   PutNode(owner), PutEdge(Edge("in_project", "Session", owner.id, "Project", PROJECT, START))]
    for record in records(lines, name, first):
        changes += [PutNode(record), PutEdge(Edge("in_session", type(record).__name__, record.id, "Session", owner.id, START))]
    store.commit(changes, at=at, actor="test")
    return owner.id
