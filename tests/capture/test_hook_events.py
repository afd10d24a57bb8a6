from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_memory.capture import hook
from agent_memory.capture.agents import claude, codex
from agent_memory.model.event import HookEvent

FIXTURES = Path(__file__).parents[1] / "fixtures"
AT = "2026-11-30T12:00:00Z"


def of(event: str, agent: str, payload: dict[str, object]) -> HookEvent:
    return hook.event_of(event, agent, payload, at=AT, cwd="/given", session="given")


@pytest.mark.parametrize(("agent", "name", "event", "transcript", "source"), [
    ("claude", "session-start", "session-start", "/home/noor/.claude/projects/-home-noor-bakery/7d0f6c1e-2a4b-4f3e-9c55-0b8de1a7f001.jsonl", "startup"),
    ("codex", "session-start", "session-start", "", "resume"),
    ("codex", "notify", "notify", "", ""),
])
def test_recorded_payload_becomes_an_event_with_allowed_fields_only(agent: str, name: str, event: str, transcript: str, source: str) -> None:
    payload = json.loads((FIXTURES / agent / f"{name}.json").read_text())
    found = of(event, agent, payload)
    assert (found.agent, found.cwd, found.transcript, found.source) == (agent, "/home/noor/bakery", transcript, source)
    assert found.session in (payload.get("session_id"), payload.get("thread-id"))
    for secret in ("never-kept", "secret words", "more words"):
        assert secret not in repr(found)


def test_options_fill_what_the_payload_lacks() -> None:
    assert (of("checkpoint", "claude", {}).cwd, of("checkpoint", "claude", {}).session) == ("/given", "given")


@pytest.mark.parametrize("value", [None, 5, [], {}, ""])
def test_field_of_another_type_is_empty(value: object) -> None:
    found = of("checkpoint", "claude", {"transcript_path": value, "cwd": value, "session_id": value})
    assert (found.transcript, found.cwd, found.session) == ("", "/given", "given")


def test_session_id_is_bounded_and_has_no_nul() -> None:
    assert len(of("checkpoint", "claude", {"session_id": "x" * 3_000}).session) == 200
    assert of("checkpoint", "claude", {"session_id": "a\x00b\ud800"}).session == "ab?"


@pytest.mark.parametrize("raw", [b"nonsense", b"[]", b"5", b"\xff\xfe", b'{"a": '])
def test_payload_that_is_no_object_is_refused_without_quoting_it(raw: bytes) -> None:
    with pytest.raises(hook.BadPayload) as caught:
        hook.parse(raw)
    assert "nonsense" not in str(caught.value)


def test_payload_with_a_byte_order_mark_is_read() -> None:
    assert hook.parse(b'\xef\xbb\xbf{"cwd": "/x"}') == {"cwd": "/x"}
    assert hook.parse(b"  \n") == {}


def test_unknown_event_or_agent_is_named() -> None:
    with pytest.raises(ValueError, match="unknown event 'nope'"):
        of("nope", "claude", {})
    with pytest.raises(ValueError, match="unknown agent 'nope'"):
        of("checkpoint", "nope", {})


@pytest.mark.parametrize("agent", [claude, codex])
def test_reply_is_one_json_object_at_start_and_nothing_else(agent: object) -> None:
    for event in ("prompt", "checkpoint", "session-end", "notify"):
        assert agent.reply("memory", HookEvent(event, "x", "s", "", "", AT)) == ""  # type: ignore[attr-defined]
    start = HookEvent("session-start", "x", "s", "", "", AT)
    assert agent.reply("", start) == ""  # type: ignore[attr-defined]
    assert agent.reply('a "b" 👍', start) == (  # type: ignore[attr-defined]
        '{"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "a \\"b\\" \\ud83d\\udc4d"}}')
