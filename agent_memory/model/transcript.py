"""What was said and done in a session: values that parsers yield and the graph stores."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Role(StrEnum):
    """Who speaks. Only a person's and an agent's words count as said."""

    PERSON = "person"
    AGENT = "agent"
    HARNESS = "harness"  # the host itself: environment, reminders, compaction summaries, injected context


class Via(StrEnum):
    """The way in which words reached the transcript."""

    PROMPT = "prompt"  # a person typed it
    ANSWER = "answer"  # an agent's visible text
    REFUSAL = "refusal"  # a person refused a tool call with these words
    CHOICE = "choice"  # a person answered an agent's question; text is "question → answer"
    PLAN = "plan"  # an agent's plan that a person approved (role agent), or edited (role person)
    TASK = "task"  # an agent's instruction to a subagent
    SUMMARY = "summary"  # compaction summary: repeats, says nothing new
    INJECTED = "injected"  # context put in by a hook or the host
    REWIND = "rewind"  # the host took records back; which ones stands in the text (`model.rewind`)


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation of one agent. A subagent's is a child of its parent's."""

    id: str
    agent: str
    host_id: str  # the id that the host uses
    project: str  # id of the Project node, "" where unknown
    parent: str  # id of the parent Session, "" for a main one
    cwd: str
    branch: str
    remote: str  # normalised, without user or password
    title: str
    file: str  # transcript as first seen
    started_at: datetime | None
    last_at: datetime | None = None  # state
    ended_at: datetime | None = None  # state
    messages: int = 0  # state


@dataclass(frozen=True, slots=True)
class Message:
    """Words of a person, an agent or the host, with the place they stand at.

    ``line`` and ``line_end`` count from 1; ``sha256`` is the hash of the raw line(s) including the line feed,
    so the source can be re-checked. ``seq`` orders a session and grows by one a message or tool event.
    """

    id: str
    session: str  # id of the Session node
    agent: str
    project: str
    record: str  # the host's id of the record, unique in the session
    seq: int
    role: Role
    via: Via
    text: str
    at: datetime | None
    file: str
    line: int
    line_end: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ToolEvent:
    """One use of a tool: its name, what went in, a bounded preview of what came out, and how it ended.

    ``status`` is ``ok``, ``error``, ``refused`` (by a person), ``open`` (no result yet) or ``unknown``.
    ``output`` belongs to nobody: it is never a person's or an agent's word.
    """

    id: str
    session: str
    agent: str
    project: str
    record: str
    seq: int
    name: str
    input: str  # compact JSON or the command line, bounded
    output: str  # head and tail, bounded
    status: str
    exit_code: int | None
    at: datetime | None
    file: str
    line: int
    line_end: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that was not used though it should have been readable; counted and shown, never silent."""

    file: str
    line: int
    reason: str  # stable, short: "half-line", "not-json", "too-long", "unknown-type:…", "bad-field:…"


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a transcript was read.

    ``identity`` names the file beyond its path, ``offset`` is the byte after the last consumed line, ``tail`` the
    SHA-256 of the up to 4,096 bytes before it (a mismatch means the file was rewritten), ``lines`` the lines before
    it, ``seq`` the next sequence number, ``seen`` a digest-sized memory of record ids for files that repeat records.
    ``state`` is the parser's own (JSON), such as open tool calls.
    """

    agent: str
    file: str
    session: str
    identity: str = ""
    offset: int = 0
    tail: str = ""
    lines: int = 0
    seq: int = 0
    state: str = "{}"
    seen: tuple[str, ...] = field(default=())
