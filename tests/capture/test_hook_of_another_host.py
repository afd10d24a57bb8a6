"""Grok, Cursor and Devin run the hooks that stand in Claude Code's settings, under Claude's name."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from agent_memory.capture import failures, hook, inbox
from agent_memory.capture.registry import AGENTS
from agent_memory.paths import Home

CLAUDE = {"session_id": "s1-of-claude", "transcript_path": "/t/s1.jsonl", "cwd": "/w", "hook_event_name": "Stop"}
GROK = {"sessionId": "s2", "session_id": "s2", "hookEventName": "stop", "hook_event_name": "Stop", "cwd": "/w",
        "transcriptPath": "/g/updates.jsonl", "transcript_path": "/g/updates.jsonl"}
DEVIN = {"hook_event_name": "Stop", "session_id": "brave-otter"}
CURSOR = {"conversation_id": "c", "hook_event_name": "stop", "transcript_path": "/c.jsonl"}


@pytest.mark.parametrize(("payload", "env", "host"), [
    (CLAUDE, {}, "claude"), (GROK, {}, "grok"), (CURSOR, {}, "cursor"), (DEVIN, {"DEVIN_PROJECT_DIR": "/w"}, "devin"),
    (DEVIN, {}, "claude"), (CLAUDE, {"DEVIN_PROJECT_DIR": "/w"}, "claude"), ({}, {}, "claude"),
])
def test_the_payload_tells_who_fired(payload: dict[str, Any], env: dict[str, str], host: str) -> None:
    assert hook.host_of("claude", payload, env) == host
    assert hook.host_of("codex", payload, env) == "codex"


@pytest.mark.parametrize("event", ["session-start", "checkpoint"])
@pytest.mark.skipif("grok" in AGENTS, reason="Grok's own sessions are read")
def test_an_event_of_a_host_we_cannot_read_is_left_out_without_a_word(home: Home, event: str) -> None:
    done = subprocess.run([sys.executable, "-m", "agent_memory", "hook", event, "--agent", "claude"],
                          input=json.dumps(GROK).encode(), capture_output=True, check=False,
                          env={"PATH": os.environ["PATH"], "AGENT_MEMORY_HOME": str(home.root), "HOME": str(home.root)})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert not inbox.waiting(home)
    assert failures.recent(home) == []


