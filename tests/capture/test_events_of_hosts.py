"""What each host sends becomes an event with allow-listed fields, and it gets the answer that it understands."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_memory.capture.registry import AGENTS, agent
from agent_memory.model.event import HookEvent

PAYLOADS: dict[str, tuple[dict[str, Any], tuple[str, str, str]]] = {
    "grok": ({"hookEventName": "stop", "hook_event_name": "Stop", "sessionId": "g1", "cwd": "/w",
              "transcriptPath": "/g/s/chat_history.jsonl"}, ("g1", "/g/s/updates.jsonl", "/w")),
    "gemini": ({"session_id": "s1", "transcript_path": "/t/chats/s.jsonl", "cwd": "/w", "source": "startup"},
               ("s1", "/t/chats/s.jsonl", "/w")),
    "antigravity": ({"conversationId": "c1", "transcriptPath": "/b/transcript.jsonl", "workspacePaths": ["/w", "/v"]},
                    ("c1", "/b/transcript.jsonl", "/w")),
    "windsurf": ({"trajectory_id": "t1", "agent_action_name": "post_run_command",
                  "tool_info": {"transcript_path": "/t/t1.jsonl", "cwd": "/w", "user_prompt": "secret words"}},
                 ("t1", "/t/t1.jsonl", "/w")),
    "opencode": ({"hook_event_name": "checkpoint", "session_id": "ses_1", "cwd": "/w"}, ("ses_1", "", "/w")),
    "hermes": ({"session_id": "h1", "cwd": "/w", "extra": {"token": "t"}}, ("h1", "", "/w")),
    "cowork": ({"session_id": "w1", "cwd": "/w"}, ("w1", "", "/w")),
}


@pytest.mark.parametrize("name", PAYLOADS)
def test_payload_becomes_an_event_of_named_fields(name: str) -> None:
    payload, expected = PAYLOADS[name]
    event = agent(name).event("checkpoint", {**payload, "env": {"TOKEN": "secret"}}, at="2026-11-30T12:00:00Z")
    assert (event.session, event.transcript, event.cwd) == expected
    assert "secret" not in repr(event)


def test_devin_and_agent_terminal_ui_say_the_rest_in_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEVIN_PROJECT_DIR", "/w")
    monkeypatch.setenv("HOOK_SESSION_ID", "a1")
    assert agent("devin").event("checkpoint", {"session_id": "brave-otter"}, at="x").cwd == "/w"
    assert agent("agent_terminal_ui").event("session-end", {}, at="x").session == "a1"


def start(name: str, **payload: Any) -> HookEvent:
    return agent(name).event("session-start", payload, at="x")


@pytest.mark.parametrize("name", ["gemini", "devin"])
def test_context_reaches_these_hosts_as_additional_context(name: str) -> None:
    answer = json.loads(agent(name).reply("known", start(name)))
    assert answer == {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "known"}}


@pytest.mark.parametrize("name", ["opencode", "hermes"])
def test_plugins_of_ours_get_the_context_as_it_is(name: str) -> None:
    assert agent(name).reply("known", start(name)) == "known"


@pytest.mark.parametrize("name", ["grok", "windsurf", "cowork", "agent_terminal_ui"])
def test_hosts_that_cannot_inject_get_nothing(name: str) -> None:
    assert agent(name).reply("known", start(name)) == ""


def test_antigravity_gets_the_context_at_the_first_model_call_only() -> None:
    module = agent("antigravity")
    answer = json.loads(module.reply("known", start("antigravity", invocationNum=0)))
    assert answer == {"injectSteps": [{"systemMessage": {"systemMessage": "known"}}]}
    assert module.reply("known", start("antigravity", invocationNum=3)) == ""


@pytest.mark.parametrize("name", AGENTS)
def test_no_host_gets_an_answer_to_other_events_or_without_context(name: str) -> None:
    module = agent(name)
    assert module.reply("known", module.event("checkpoint", {}, at="x")) == ""
    assert module.reply("", start(name)) == ""
