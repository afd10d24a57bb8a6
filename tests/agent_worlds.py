"""Invented transcripts of every agent in place: fixture files, and databases built from their SQL."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path
from typing import Any

from agent_memory.capture.registry import agent
from agent_memory.clock import parse
from agent_memory.model.transcript import Cursor, Message, Role, Session, Skipped, ToolEvent

NOW = parse("2026-11-30T12:00:00Z")
FIXTURES = Path(__file__).parent / "fixtures"
LINES = {
    "grok": "updates.jsonl",
    "gemini": "session-2026-11-20T10-00-5f1d2c3b.jsonl",
    "antigravity": "brain/7c2f0000-1111-4222-8333-444455556666/.system_generated/logs/transcript_full.jsonl",
    "windsurf": "tr-1234abcd.jsonl",
    "cowork": "local_9a/audit.jsonl",
}
DATABASES = {
    "opencode": ("opencode.sql", ".local/share/opencode/opencode.db"),
    "hermes": ("state.sql", ".hermes/state.db"),
    "agent_terminal_ui": ("agent_terminal_ui.sql", ".local/share/agent-utilities/agent_terminal_ui.db"),
    "devin": ("sessions.sql", ".local/share/devin/cli/sessions.db"),
}


def transcript(name: str) -> Path:
    """The fixture of an agent that writes lines."""
    return FIXTURES / name / LINES[name]


def copied(name: str, folder: Path) -> Path:
    """A copy of it that a test may change, with what stands beside it."""
    target = folder / name
    shutil.copytree(FIXTURES / name, target)
    return target / LINES[name]


def database(name: str, home: Path) -> Path:
    """The database of an agent below a user's home, as its host keeps it: with a write-ahead log."""
    source, place = DATABASES[name]
    path = home / place
    path.parent.mkdir(parents=True)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA journal_mode = wal")
        connection.executescript((FIXTURES / name / source).read_text(encoding="utf-8"))
    connection.close()
    return path


def read(name: str, path: Path, after: Cursor | None = None) -> tuple[list[Any], Cursor | None]:
    """All records but cursors, and the last cursor."""
    found: list[Any] = []
    for record in agent(name).read(path, after, now=NOW):
        if isinstance(record, Cursor):
            after = record
        else:
            found.append(record)
    return found, after


def said(records: list[Any]) -> list[tuple[str, str, str]]:
    """What people and agents said: role, way, text."""
    return [(m.role.value, m.via.value, m.text) for m in records if isinstance(m, Message) and m.role is not Role.HARNESS]


def harness(records: list[Any]) -> list[str]:
    """The ways in which the host spoke."""
    return [m.via.value for m in records if isinstance(m, Message) and m.role is Role.HARNESS]


def tools(records: list[Any]) -> list[tuple[str, str, str, str, int | None]]:
    """Tool events: name, input, output, status, exit code."""
    return [(t.name, t.input, t.output, t.status, t.exit_code) for t in records if isinstance(t, ToolEvent)]


def skipped(records: list[Any]) -> list[str]:
    """Why lines were not used."""
    return [s.reason for s in records if isinstance(s, Skipped)]


def session(records: list[Any]) -> Session:
    """The session that was announced first."""
    assert isinstance(records[0], Session)
    return records[0]
