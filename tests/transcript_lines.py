"""Lines of invented transcripts, in the formats of the two agents. Used by capture and service tests."""

from __future__ import annotations

import json
from typing import Any

SESSION = "7d0f6c1e-2a4b-4f3e-9c55-0b8de1a7f001"
THREAD = "01a1b2c3-0000-7000-8000-00000000abcd"


def uuid(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


def stamp(number: int) -> str:
    return f"2026-11-20T09:{number // 60:02d}:{number % 60:02d}.000Z"


def claude(number: int, kind: str, content: Any, **more: Any) -> dict[str, Any]:
    """A user or assistant record of Claude Code."""
    message: dict[str, Any] = {"role": kind, "content": content}
    if kind == "assistant":
        message |= {"id": f"msg_{number}", "type": "message", "model": "claude-opus-5-5"}
    return {"parentUuid": uuid(number - 1) if number > 1 else None, "isSidechain": False, "type": kind, "message": message,
            "uuid": uuid(number), "timestamp": stamp(number), "cwd": "/home/noor/bakery", "sessionId": SESSION,
            "version": "2.1.332", "gitBranch": "main"} | more


def person(number: int, text: str, **more: Any) -> dict[str, Any]:
    return claude(number, "user", text, origin={"kind": "human"}, promptSource="typed", **more)


def answer(number: int, text: str, **more: Any) -> dict[str, Any]:
    return claude(number, "assistant", [{"type": "text", "text": text}], **more)


def call(number: int, name: str, given: dict[str, Any], **more: Any) -> dict[str, Any]:
    return claude(number, "assistant", [{"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": given}], **more)


def result(number: int, of: int, content: Any, *, error: bool = False, **more: Any) -> dict[str, Any]:
    block = {"tool_use_id": f"toolu_{of}", "type": "tool_result", "content": content, "is_error": error}
    return claude(number, "user", [block], **more)


def codex(number: int, kind: str, payload: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A line of a Codex rollout."""
    return {"timestamp": stamp(number), "ordinal": number, "type": kind, "payload": payload} | more


def codex_meta(**more: Any) -> dict[str, Any]:
    return codex(0, "session_meta", {"session_id": THREAD, "id": THREAD, "timestamp": stamp(0), "cwd": "/home/noor/bakery",
                                     "originator": "codex-tui", "cli_version": "0.171.0", "source": "cli",
                                     "git": {"branch": "oven", "repository_url": "https://noor:tok3n@git.example/noor/bakery.git"}} | more)


def codex_said(number: int, role: str, text: str, *, kinds: list[str] | None = None, **more: Any) -> dict[str, Any]:
    content = [{"type": "output_text" if role == "assistant" else "input_text", "text": text}]
    payload: dict[str, Any] = {"type": "message", "id": f"msg_{number}", "role": role, "content": content}
    if kinds is not None:
        payload["internal_chat_message_metadata_passthrough"] = {"content_item_kinds": kinds}
    return codex(number, "response_item", payload, **more)


def text_of(records: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(r, ensure_ascii=False).encode() + b"\n" for r in records)


CLAUDE_DAY: list[dict[str, Any]] = [
    {"type": "mode", "mode": "normal", "sessionId": SESSION},
    {"parentUuid": None, "isSidechain": False, "type": "attachment", "uuid": uuid(900), "timestamp": stamp(0), "sessionId": SESSION,
     "attachment": {"type": "hook_additional_context", "content": ["- Noor likes rye"]}, "cwd": "/home/noor/bakery"},
    claude(1, "user", [{"type": "text", "text": "<ide_opened_file>The user opened oven.py</ide_opened_file>"},
                       {"type": "text", "text": "The proofing timer rings twice. Times are stored in seconds, never minutes."}],
           origin={"kind": "human"}),
    {"type": "api-request-blob", "sessionId": SESSION, "message": {"role": "user", "content": [{"type": "text", "text": "The proofing timer"}]}},
    claude(2, "assistant", [{"type": "thinking", "thinking": "hm", "signature": "x"}]),
    answer(3, "I will look at the timer first."),
    call(4, "Bash", {"command": "pytest -q tests/timer", "description": "tests"}),
    result(5, 4, "Exit code 1\nE   assert 2 == 1\n1 failed", error=True, toolUseResult="Error: Exit code 1"),
    call(6, "Bash", {"command": "git commit -am wip"}),
    result(7, 6, "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the "
                 "new_string was NOT written to the file). To tell you how to proceed, the user said:\nno commits without a ticket",
           error=True, toolUseResult="User rejected tool use", permissionDecision={"decision": "reject", "source": "user"}),
    call(8, "AskUserQuestion", {"questions": [{"question": "Which flour?", "options": [{"label": "Rye"}, {"label": "Wheat"}]}]}),
    result(9, 8, 'User has answered your questions: "Which flour?"="Rye".', toolUseResult={"answers": {"Which flour?": "Rye"}}),
    call(10, "ExitPlanMode", {"plan": "1. One timer a batch.\n2. Ring once."}),
    result(11, 10, "User has approved your plan.\n\n## Approved Plan:\n1. One timer a batch.\n2. Ring once.",
           toolUseResult={"plan": "1. One timer a batch.\n2. Ring once."}),
    call(12, "ExitPlanMode", {"plan": "Use cron."}),
    result(13, 12, "User has approved your plan.", toolUseResult={"plan": "Use a systemd timer, not cron."}),
    claude(14, "user", "<task-notification>\n<result>done</result>\n</task-notification>", origin={"kind": "task-notification"}),
    claude(15, "user", "[Image: source: /x/1.png]", isMeta=True),
    claude(16, "assistant", [{"type": "text", "text": "API Error: 529"}], isApiErrorMessage=True),
    {"parentUuid": None, "isSidechain": False, "type": "system", "subtype": "compact_boundary", "uuid": uuid(901),
     "timestamp": stamp(40), "sessionId": SESSION},
    claude(17, "user", "This session is being continued from a previous conversation.\nSummary: timer.", isCompactSummary=True),
    claude(18, "user", "<command-name>/compact</command-name>\n<command-args></command-args>"),
    {"type": "ai-title", "aiTitle": "Proofing timer rings twice", "sessionId": SESSION},
    person(19, "Merke: der Ofen heißt Berta. <private>Der Mieter zieht aus.</private> Bitte immer erst die Tests."),
    {"type": "brand-new-kind", "sessionId": SESSION, "payload": 1},
    answer(20, "Noted: tests first."),
]
CODEX_DAY: list[dict[str, Any]] = [
    codex_meta(),
    codex_said(1, "developer", "<permissions instructions> read only", kinds=["permissions.instructions"]),
    codex_said(2, "user", "<environment_context>\n<cwd>/x</cwd>\n</environment_context>", kinds=["environments.environment_context"]),
    codex(3, "turn_context", {"cwd": "/home/noor/bakery", "model": "gpt-6"}),
    codex_said(4, "user", "Label every loaf with its batch number.", kinds=["user.text"]),
    codex(5, "event_msg", {"type": "item_completed", "item": {"type": "UserMessage", "id": "u", "content": [
        {"type": "text", "text": "Label every loaf with its batch number."}]}}),
    codex(6, "response_item", {"type": "reasoning", "summary": [], "encrypted_content": "gAAAA"}),
    codex(7, "response_item", {"type": "function_call", "id": "fc_7", "name": "exec_command", "call_id": "call_7",
                               "arguments": json.dumps({"cmd": "npm test"})}),
    codex(8, "response_item", {"type": "function_call_output", "call_id": "call_7",
                               "output": "Chunk ID: 1\nWall time: 1 seconds\nProcess exited with code 2\nOutput:\n2 failed\n"}),
    codex(9, "response_item", {"type": "custom_tool_call", "name": "apply_patch", "call_id": "call_9", "input": "*** Begin Patch\n*** End Patch"}),
    codex(10, "response_item", {"type": "custom_tool_call_output", "call_id": "call_9",
                                "output": json.dumps({"output": "Success", "metadata": {"exit_code": 0}})}),
    codex_said(11, "assistant", "Every loaf has a batch label now.", metadata={"client_authored": False}),
    codex_said(12, "assistant", "Goal: labels. Decisions: batch numbers.", metadata={"compaction_output": True}),
    codex(13, "compacted", {"message": "Another language model started to solve this problem", "replacement_history": []}),
    codex_said(14, "user", "Use UTC on the labels.", kinds=["user.text"]),
]
CODEX_LEGACY: list[dict[str, Any]] = [
    {"timestamp": stamp(0), "type": "session_meta", "payload": {"id": THREAD, "timestamp": stamp(0), "cwd": "C:\\bakery", "cli_version": "0.42.0"}},
    {"timestamp": stamp(1), "type": "response_item", "payload": {"type": "message", "role": "user", "content": [
        {"type": "input_text", "text": "<user_instructions>\nBe brief\n</user_instructions>"}]}},
    {"timestamp": stamp(2), "type": "response_item", "payload": {"type": "message", "role": "user", "content": [
        {"type": "input_text", "text": "# Context from my IDE setup:\n\n## Active file: a.rs\n\n## My request for Codex:\nKeep the API of Oven."}]}},
    {"timestamp": stamp(2), "type": "event_msg", "payload": {"type": "user_message", "message": "Keep the API of Oven."}},
    {"timestamp": stamp(3), "type": "response_item", "payload": {"type": "function_call", "name": "shell", "call_id": "c1",
                                                                "arguments": json.dumps({"command": ["bash", "-lc", "cargo test"]})}},
    {"timestamp": stamp(4), "type": "response_item", "payload": {"type": "function_call_output", "call_id": "c1",
                                                                "output": json.dumps({"output": "ok", "metadata": {"exit_code": 0}})}},
    {"timestamp": stamp(5), "type": "event_msg", "payload": {"type": "agent_message", "message": "API kept."}},
    {"timestamp": stamp(5), "type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [
        {"type": "output_text", "text": "API kept."}]}},
]
