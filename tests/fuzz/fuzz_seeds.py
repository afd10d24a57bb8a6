"""What fuzzing begins with: small sound inputs of every kind."""

from __future__ import annotations

import gzip
import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from transcript_lines import CLAUDE_DAY, CODEX_DAY, CODEX_LEGACY, text_of

from agent_memory.model.change import Change, PutNode
from agent_memory.model.graph import Agent
from agent_memory.store.journal import Journal

_NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
_GOLDEN = Path(__file__).resolve().parents[1] / "golden"
_SECRETS = (
    b"password=hunter2hunter2 <private>a <private>b</private> c</private> and ghp_0123456789abcdefghijABCDEFGHIJ012345",
    b"-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----",
    b"https://user:hunter2pw@host.example/x?token=abcdef0123456789 AKIAIOSFODNN7EXAMPLE",
    b"103, 104, 112, 95, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 97, 98, 99, 100, 101, 102")


def _journal() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        one = Journal(Path(folder))
        for number in range(3):
            changes: list[Change] = [PutNode(Agent(f"agent{number}", "Agent"))]
            one.append(changes, at=_NOW, actor="seed")
        return one.segments()[0].path.read_bytes()


def seeds(name: str) -> list[bytes]:
    """Seeds of a target."""
    match name:
        case "transcript":
            return [bytes((kind, 128)) + text_of(day[i:i + 6])
                    for kind, day in ((0, CLAUDE_DAY), (1, CODEX_DAY), (1, CODEX_LEGACY)) for i in range(0, len(day), 6)]
        case "redactor":
            return list(_SECRETS)
        case "journal":
            return [_journal(), gzip.compress(_journal(), mtime=0)]
        case "markdown":
            return [p.read_bytes() for p in sorted(_GOLDEN.glob("*.md"))]
        case "payload":
            return [b'{"session_id": "s", "transcript_path": "/t", "cwd": "/w", "hook_event_name": "Stop"}',
                    b'{"type": "agent-turn-complete", "thread-id": "t", "input-messages": ["a"]}']
        case "exported":
            return [b'{"type": "observation", "id": "x", "text": "t"}\n{"type": "session"}\n', b'{"version": 1, "items": [{}]}']
        case "configuration":
            return [b'j{"hooks": {"Stop": [{"a": 1}]}, // c\n "x": [1,],}', b"t[hooks]\nx = 1\n", b"yhooks:\n  a: 1\n"]
        case _:
            return [b"why did E0382 fail two weeks ago? \xe6\x97\xa5\xe6\x9c\xac src/main.py C++",
                    json.dumps({"observations": [{"text": "a"}]}).encode()]
