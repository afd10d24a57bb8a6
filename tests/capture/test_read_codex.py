from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import zstandard
from transcript_lines import CODEX_DAY, THREAD, codex, codex_meta, codex_said, stamp, text_of

from agent_memory.capture.agents import codex as agent
from agent_memory.capture.lines import continues
from agent_memory.capture.recorder import session_id
from agent_memory.errors import TranscriptError
from agent_memory.model.transcript import Cursor, Message, Role, Session, Skipped, ToolEvent, Via
from agent_memory.text import marker

FIXTURES = Path(__file__).parents[1] / "fixtures" / "codex"
DAY = FIXTURES / f"rollout-2026-11-20T09-00-00-{THREAD}.jsonl"


def read(path: Path, now: datetime, after: Cursor | None = None) -> list[Any]:
    return list(agent.read(path, after, now=now))


def said(path: Path, now: datetime) -> list[tuple[str, str, str]]:
    return [(m.role, m.via, m.text) for m in read(path, now) if isinstance(m, Message) and m.role is not Role.HARNESS]


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def go(records: list[dict[str, Any]]) -> Path:
        path = tmp_path / f"rollout-x-{THREAD}.jsonl"
        path.write_bytes(text_of(records))
        return path
    return go


def test_each_text_counts_once_and_people_are_told_from_the_harness(now: datetime) -> None:
    assert said(DAY, now) == [
        (Role.PERSON, Via.PROMPT, "Label every loaf with its batch number."),
        (Role.AGENT, Via.ANSWER, "Every loaf has a batch label now."),
        (Role.PERSON, Via.PROMPT, "Use UTC on the labels."),
    ]
    vias = [m.via for m in read(DAY, now) if isinstance(m, Message) and m.role is Role.HARNESS]
    assert vias == [Via.INJECTED, Via.INJECTED, Via.SUMMARY, Via.SUMMARY]


def test_session_has_branch_and_a_remote_without_credentials(now: datetime) -> None:
    session = read(DAY, now)[0]
    assert isinstance(session, Session)
    assert (session.branch, session.remote, session.cwd) == ("oven", "git.example/noor/bakery", "/home/noor/bakery")


def test_tools_are_read_in_both_forms(now: datetime) -> None:
    tools = [(t.name, t.input[:15], t.output, t.status, t.exit_code) for t in read(DAY, now) if isinstance(t, ToolEvent)]
    assert tools == [("exec_command", "npm test", "2 failed\n", "error", 2), ("apply_patch", "*** Begin Patch", "Success", "ok", 0)]


def test_legacy_rollout_is_read_the_same_way(now: datetime) -> None:
    path = FIXTURES / "rollout-legacy.jsonl"
    assert said(path, now) == [(Role.PERSON, Via.PROMPT, "Keep the API of Oven."), (Role.AGENT, Via.ANSWER, "API kept.")]
    assert [(t.input, t.output) for t in read(path, now) if isinstance(t, ToolEvent)] == [("cargo test", "ok")]


def test_rollout_with_events_only_is_read_from_the_events(write: Any, now: datetime) -> None:
    path = write([codex_meta(), codex(1, "event_msg", {"type": "user_message", "message": "Bake at 220."}),
                  codex(2, "event_msg", {"type": "agent_message", "message": "Set to 220."}),
                  codex(3, "event_msg", {"type": "item_completed", "item": {"type": "CommandExecution", "id": "c", "command": ["sh", "-c", "ls -a"],
                                                                           "exit_code": 1, "aggregated_output": "no"}})])
    assert said(path, now) == [(Role.PERSON, Via.PROMPT, "Bake at 220."), (Role.AGENT, Via.ANSWER, "Set to 220.")]
    assert [(t.input, t.status) for t in read(path, now) if isinstance(t, ToolEvent)] == [("ls -a", "error")]


def test_answered_question_is_a_persons_choice(write: Any, now: datetime) -> None:
    path = write([codex_meta(), codex(1, "response_item", {"type": "function_call", "name": "request_user_input", "call_id": "q", "arguments": json.dumps(
        {"questions": [{"id": "flour", "question": "Which flour?"}]})}),
        codex(2, "response_item", {"type": "function_call_output", "call_id": "q", "output": json.dumps({"answers": {"flour": {"answers": ["Rye"]}}})}),
        codex_said(3, "user", "ok", kinds=["user.text"])])
    assert said(path, now)[0] == (Role.PERSON, Via.CHOICE, "Which flour? → Rye")


def test_refused_call_is_marked(write: Any, now: datetime) -> None:
    path = write([codex_meta(), codex(1, "response_item", {"type": "function_call", "name": "shell", "call_id": "a", "arguments": "{}"}),
                  codex(2, "response_item", {"type": "function_call_output", "call_id": "a", "output": "exec command rejected by user"}),
                  codex_said(3, "user", "not on main", kinds=["user.text"])])
    assert [t.status for t in read(path, now) if isinstance(t, ToolEvent)] == ["refused"]


def test_subagent_thread_is_a_child_and_its_first_message_a_task(write: Any, now: datetime) -> None:
    path = write([codex_meta(id="child-1"), codex_said(1, "user", "Find the callers.", kinds=["user.text"]), codex_said(2, "assistant", "None.")])
    session = read(path, now)[0]
    assert (session.host_id, session.parent) == ("child-1", session_id("codex", THREAD))
    assert [m.via for m in read(path, now) if isinstance(m, Message)] == [Via.TASK, Via.ANSWER]


def test_hook_context_and_own_memory_are_not_said_by_anyone(write: Any, now: datetime) -> None:
    ours = marker.wrap("- always use tabs")
    path = write([codex_meta(), codex_said(1, "developer", ours, kinds=["hooks.additional_context"]), codex_said(2, "user", ours), codex_said(3, "user", "go on")])
    assert said(path, now) == [(Role.PERSON, Via.PROMPT, "go on")]
    assert "tabs" not in "".join(m.text for m in read(path, now) if isinstance(m, Message))


def test_packed_rollout_continues_where_the_plain_one_was_left(write: Any, now: datetime) -> None:
    path = write(CODEX_DAY[:8])
    cursor = read(path, now)[-1]
    packed = path.with_name(path.name + ".zst")
    packed.write_bytes(zstandard.ZstdCompressor().compress(text_of(CODEX_DAY)))
    path.unlink()
    after = read(packed, now, cursor)
    assert [m.text for m in after if isinstance(m, Message) and m.role is Role.PERSON] == ["Use UTC on the labels."]
    assert after[-1].file == str(path)
    assert len(read(packed, now)) > len(after)


@pytest.mark.parametrize("damage", [b"garbage without the magic", zstandard.ZstdCompressor().compress(b"x" * 4000)[:4] + b"\xff" * 60])
def test_a_damaged_packed_rollout_is_told_wherever_the_cursor_stands(write: Any, now: datetime, damage: bytes) -> None:
    path = write(CODEX_DAY[:8])
    cursor = read(path, now)[-1]
    packed = path.with_name(path.name + ".zst")
    packed.write_bytes(damage)
    path.unlink()
    for after in (None, cursor):
        with pytest.raises(TranscriptError, match="cannot read"):
            read(packed, now, after)
    assert not continues(packed, cursor)


def test_plain_rollout_wins_over_the_packed_one_and_archives_are_found(tmp_path: Path) -> None:
    day = tmp_path / ".codex" / "sessions" / "2026" / "11" / "20"
    old = tmp_path / ".codex" / "archived_sessions"
    day.mkdir(parents=True)
    old.mkdir()
    for path in (day / "rollout-a.jsonl", day / "rollout-a.jsonl.zst", day / "rollout-b.jsonl.zst", old / "rollout-c.jsonl", day / "other.jsonl"):
        path.touch()
    assert [p.name for p in agent.find({}, tmp_path)] == ["rollout-a.jsonl", "rollout-b.jsonl.zst", "rollout-c.jsonl"]


@pytest.mark.parametrize("payload", [None, 5, [], {"type": None}, {"type": "message", "role": "user", "content": None}, {"type": "brand-new"}])
def test_odd_payload_is_counted_and_the_rest_is_read(write: Any, now: datetime, payload: Any) -> None:
    path = write([codex_meta(), codex_said(1, "user", "first"), codex(2, "response_item", payload), codex_said(3, "user", "last")])
    records = read(path, now)
    assert [m.text for m in records if isinstance(m, Message)] == ["first", "last"]
    assert len([s for s in records if isinstance(s, Skipped)]) == 1


def test_unknown_line_type_is_counted(write: Any, now: datetime) -> None:
    path = write([codex_meta(), codex(1, "brand_new", {}), codex_said(2, "user", "hi")])
    assert [s.reason for s in read(path, now) if isinstance(s, Skipped)] == ["unknown-type:brand_new"]
    assert stamp(0).endswith("Z")
