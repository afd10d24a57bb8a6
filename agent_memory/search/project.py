"""What a journal change means for the search file: rows of ``doc`` and what else is kept beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from agent_memory.model.memory import VISIBLE, MemoryNode, MemoryType, Scope
from agent_memory.model.transcript import Message, Role, Via
from agent_memory.text.normal import without_surrogates

ITEMS: Final = "items"
"""Agent of the sessions that callers of the Python API fill (recall/items.py)."""

SPOKEN = frozenset({Via.PROMPT, Via.ANSWER, Via.REFUSAL, Via.CHOICE, Via.PLAN, Via.TASK})
_ALIVE = frozenset(VISIBLE)

COLUMNS: Final = (
    "key", "id", "revision", "type", "kind", "text", "hash", "topic", "scope", "project", "tags", "agent", "session",
    "speaker", "external", "seq", "ord", "message", "file", "line", "line_end", "sha256", "observer", "operation",
    "created", "recorded", "valid_from", "valid_until", "review_after", "expires", "last_seen", "status", "current",
    "priority", "confidence", "pinned", "done", "seen", "sessions", "tag")
STATE_COLUMNS: Final = {
    "status": "status", "current": "current", "priority": "priority", "confidence": "confidence", "pinned": "pinned",
    "done": "done", "seen": "seen", "sessions": "sessions", "last_seen_at": "last_seen", "valid_until": "valid_until",
    "review_after": "review_after", "expires_at": "expires"}
"""Column of the graph → column here, for what SetState may set."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of ``doc`` without its number, in order of COLUMNS."""

    key: str
    id: str
    revision: int
    type: str
    kind: str
    text: str
    hash: str
    topic: str
    scope: str
    project: str
    tags: str
    agent: str
    session: str
    speaker: str
    external: str
    seq: int
    ord: int
    message: str
    file: str
    line: int
    line_end: int
    sha256: str
    observer: str
    operation: str
    created: float | None
    recorded: float | None
    valid_from: float | None
    valid_until: float | None
    review_after: float | None
    expires: float | None
    last_seen: float | None
    status: int
    current: int
    priority: int
    confidence: float
    pinned: int
    done: int
    seen: int
    sessions: int
    tag: str


def seconds(at: datetime | None) -> float | None:
    """Seconds since 1970, None for no time."""
    return None if at is None else at.timestamp()


def plain(value: Any) -> Any:
    """A state value as SQLite stores it."""
    if isinstance(value, datetime):
        return value.timestamp()
    return float(value) if isinstance(value, float) else None if value is None else int(value)


def wall(scope: str, project: str) -> str:
    """The tag for who may see it: ``g`` for everyone, else ``w`` and the project."""
    return f"w{project}" if scope == Scope.PROJECT and project else "g"


def memory_tag(type_: str, scope: str, project: str, status: int, current: int) -> str:
    """Coarse filters of a memory's passages: wall, and type with life (``live-observation``, ``dead-reflection``)."""
    life = "live" if current and status in _ALIVE else "dead"
    return f"{wall(scope, project)} {life}-{type_}"


def memory_row(node: MemoryNode) -> Row | None:
    """The row of a memory; None for a memento, which marks a place and says nothing."""
    if node.type is MemoryType.MEMENTO:
        return None
    return Row(
        node.key, node.id, node.revision, node.type.value, node.kind.value,
        without_surrogates(node.raw or node.text),
        node.content_hash, node.topic_key, node.scope.value, node.project, " ".join(node.tags), node.agent,
        node.session, "", "", node.line, 0, node.message, node.file, node.line, node.line_end, node.sha256,
        node.observer, node.operation, seconds(node.created_at), seconds(node.recorded_at), seconds(node.valid_from),
        seconds(node.valid_until), seconds(node.review_after), seconds(node.expires_at), seconds(node.last_seen_at),
        int(node.status), int(node.current), int(node.priority), node.confidence, int(node.pinned), int(node.done),
        node.seen, node.sessions,
        memory_tag(node.type.value, node.scope.value, node.project, int(node.status), int(node.current)))


def message_row(node: Message, speaker: str = "") -> Row | None:
    """The row of a message that a person or an agent said; None for the host's words and repeats."""
    if node.role is Role.HARNESS or node.via not in SPOKEN or not node.text.strip():
        return None
    item = node.agent == ITEMS
    type_ = "item" if item else "message"
    at = seconds(node.at)
    name = speaker or (node.role.value if not item else "")
    return Row(
        node.id, node.id, 1, type_, "", without_surrogates(node.text), "", "", Scope.PROJECT.value, node.project, "",
        node.agent, node.session, name, node.record if item else "", node.seq, 0, "", node.file, node.line,
        node.line_end, node.sha256, "", "", at, at, None, None, None, None, None, 1, 1, 1, 1.0, 0, 0, 1, 1,
        f"{wall(Scope.PROJECT, node.project)} live-{type_}")


def state_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Columns of ``doc`` that a SetState of a memory sets."""
    return {STATE_COLUMNS[name]: plain(value) for name, value in values.items() if name in STATE_COLUMNS}
