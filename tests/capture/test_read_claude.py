from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from transcript_lines import CLAUDE_DAY, SESSION, answer, call, claude, person, result, stamp, text_of, uuid

from agent_memory.capture.agents import claude as agent
from agent_memory.capture.recorder import session_id
from agent_memory.model.transcript import Cursor, Message, Role, Session, Skipped, ToolEvent, Via
from agent_memory.text import marker

FIXTURES = Path(__file__).parents[1] / "fixtures" / "claude"


def read(path: Path, now: datetime, after: Cursor | None = None, **more: Any) -> list[Any]:
    return list(agent.read(path, after, now=now, **more))


def messages(path: Path, now: datetime) -> list[Message]:
    return [r for r in read(path, now) if isinstance(r, Message)]


def said(path: Path, now: datetime) -> list[tuple[str, str, str]]:
    return [(m.role, m.via, m.text) for m in messages(path, now) if m.role is not Role.HARNESS]


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def go(records: list[dict[str, Any]], tail: bytes = b"") -> Path:
        path = tmp_path / f"{SESSION}.jsonl"
        path.write_bytes(text_of(records) + tail)
        return path
    return go


def test_people_agents_and_host_are_told_apart(now: datetime) -> None:
    assert said(FIXTURES / f"{SESSION}.jsonl", now) == [
        (Role.PERSON, Via.PROMPT, "The proofing timer rings twice. Times are stored in seconds, never minutes."),
        (Role.AGENT, Via.ANSWER, "I will look at the timer first."),
        (Role.PERSON, Via.REFUSAL, "no commits without a ticket"),
        (Role.PERSON, Via.CHOICE, "Which flour? → Rye"),
        (Role.AGENT, Via.PLAN, "1. One timer a batch.\n2. Ring once."),
        (Role.PERSON, Via.PLAN, "Use a systemd timer, not cron."),
        (Role.PERSON, Via.PROMPT, "Merke: der Ofen heißt Berta. [redacted:private] Bitte immer erst die Tests."),
        (Role.AGENT, Via.ANSWER, "Noted: tests first."),
    ]


def test_harness_text_is_kept_apart_and_summary_is_marked(now: datetime) -> None:
    harness = [(m.via, m.text.split("\n")[0][:30]) for m in messages(FIXTURES / f"{SESSION}.jsonl", now) if m.role is Role.HARNESS]
    assert harness == [(Via.INJECTED, "<task-notification>"), (Via.INJECTED, "[Image: source: /x/1.png]"), (Via.INJECTED, "API Error: 529"),
                       (Via.SUMMARY, "This session is being continue"), (Via.INJECTED, "<command-name>/compact</comman")]


def test_tool_events_carry_input_output_and_how_they_ended(now: datetime) -> None:
    tools = [(t.name, t.status, t.exit_code, t.input, t.output[:11]) for t in read(FIXTURES / f"{SESSION}.jsonl", now) if isinstance(t, ToolEvent)]
    assert tools[:2] == [("Bash", "error", 1, "pytest -q tests/timer", "Exit code 1"), ("Bash", "refused", None, "git commit -am wip", "")]
    assert [t[1] for t in tools] == ["error", "refused", "ok", "ok", "ok"]


def test_unknown_type_and_cut_line_are_counted_and_the_cut_line_waits(now: datetime) -> None:
    path = FIXTURES / f"{SESSION}.jsonl"
    records = read(path, now)
    assert [r.reason for r in records if isinstance(r, Skipped)] == ["unknown-type:brand-new-kind"]
    assert records[-1].offset == path.stat().st_size - len(b'{"parentUuid":"cut')


def test_line_and_hash_lead_back_to_the_source(now: datetime) -> None:
    import hashlib

    path = FIXTURES / f"{SESSION}.jsonl"
    raw = path.read_bytes().splitlines(keepends=True)
    for record in read(path, now):
        if isinstance(record, Message | ToolEvent):
            assert record.sha256 == hashlib.sha256(raw[record.line - 1]).hexdigest()


def test_title_that_comes_later_is_told(now: datetime) -> None:
    assert [s.title for s in read(FIXTURES / f"{SESSION}.jsonl", now) if isinstance(s, Session)] == ["", "Proofing timer rings twice"]


def test_subagent_file_is_a_child_session_with_a_task(now: datetime) -> None:
    records = read(FIXTURES / SESSION / "subagents" / "agent-a1b2.jsonl", now)
    session = records[0]
    assert (session.host_id, session.parent, session.title) == (
        f"{SESSION}/agent-a1b2", session_id("claude", SESSION), "Find callers of ring")
    assert [(m.role, m.via) for m in records if isinstance(m, Message)] == [(Role.AGENT, Via.TASK), (Role.AGENT, Via.ANSWER)]


def test_inline_subagent_of_old_versions_is_a_child_session_too(now: datetime) -> None:
    records = read(FIXTURES / "legacy-inline.jsonl", now)
    main, child = [r for r in records if isinstance(r, Session)]
    assert child.parent == main.id
    assert [(m.via, m.text) for m in records if isinstance(m, Message) and m.session == child.id] == [
        (Via.TASK, "List readers of yeast."), (Via.ANSWER, "mixer.ts reads it.")]
    assert main.cwd == "C:\\bakery"
    assert [m.text for m in records if isinstance(m, Message) and m.role is Role.PERSON] == ["Who reads the yeast table?"]


@pytest.mark.parametrize("content", [None, 5, {"a": 1}, True])
def test_odd_content_is_counted_and_the_rest_is_read(write: Any, now: datetime, content: Any) -> None:
    path = write([person(1, "first"), claude(2, "user", content), claude(3, "assistant", [None, 4, {"type": "text", "text": None}]), person(4, "last")])
    records = read(path, now)
    assert [m.text for m in records if isinstance(m, Message)] == ["first", "last"]
    assert [s.reason for s in records if isinstance(s, Skipped)] == ["bad-field:content"]


def test_broken_lines_are_counted_and_the_rest_is_read(write: Any, now: datetime) -> None:
    path = write([person(1, "first")])
    path.write_bytes(path.read_bytes() + b'{"type":"user", oops\n[1]\n\n\x00\x00\x00' + text_of([person(2, "second")]) + b'\xff\xfe\n'
                     + b'{"type":"user","uuid":"u9","sessionId":"s","message":{"content":"caf\xe9 \\ud83d"}}\n')
    records = read(path, now)
    assert [m.text for m in records if isinstance(m, Message)] == ["first", "second", "caf\ufffd ?"]
    assert [s.reason for s in records if isinstance(s, Skipped)] == ["not-json"] * 3
    json.dumps([m.text for m in records if isinstance(m, Message)]).encode()


def test_line_beyond_the_limit_is_named_and_what_follows_is_read(write: Any, now: datetime) -> None:
    path = write([person(1, "first"), person(2, "x" * 17_000_000), person(3, "last")])
    records = read(path, now)
    assert [m.text for m in records if isinstance(m, Message)] == ["first", "last"]
    assert [(s.line, s.reason) for s in records if isinstance(s, Skipped)] == [(2, "too-long")]
    assert records[-1].offset == path.stat().st_size


def test_missing_and_future_times_do_not_disturb_the_order(write: Any, now: datetime) -> None:
    path = write([person(1, "a"), person(2, "b", timestamp=None), person(3, "c", timestamp="2099-01-01T00:00:00Z"), person(4, "d", timestamp="x"),
                  person(5, "e", timestamp="2020-01-01T00:00:00Z")])
    found = messages(path, now)
    assert [m.text for m in found] == ["a", "b", "c", "d", "e"]
    assert [m.seq for m in found] == [0, 1, 2, 3, 4]
    assert found[1].at == found[0].at
    assert found[2].at == now


def test_own_memory_that_comes_back_is_not_a_persons_word(write: Any, now: datetime) -> None:
    ours = marker.wrap("- always use tabs")
    path = write([claude(1, "user", f"<system-reminder>\n{ours}\n</system-reminder>"), claude(2, "user", ours), person(3, f"{ours}\nplease go on"),
                  call(4, "Bash", {"command": "agent-utilities-memory recall --query tabs"}), result(5, 4, "1. always use tabs"),
                  call(6, "mcp__agent_utilities_memory__recall", {"query": "tabs"}), result(7, 6, "always use tabs"),
                  call(8, "Read", {"file_path": "x"}), result(9, 8, f"log: {ours}")])
    records = read(path, now)
    assert "always use tabs" not in "".join(m.text for m in records if isinstance(m, Message))
    assert "always use tabs" not in "".join(t.output for t in records if isinstance(t, ToolEvent))
    assert said(path, now) == [(Role.PERSON, Via.PROMPT, "please go on")]


def test_unclosed_private_span_hides_the_rest_of_the_message_over_blocks(write: Any, now: datetime) -> None:
    path = write([claude(1, "user", [{"type": "text", "text": "ok <private>our client"}, {"type": "text", "text": "is Acme"}])])
    assert [m.text for m in messages(path, now)] == ["ok [redacted:private]"]


def test_private_in_the_middle_of_a_long_output_does_not_leak_at_the_cut(write: Any, now: datetime) -> None:
    output = "start " * 200 + "<private>" + "customer Acme " * 2000 + "</private> end"
    path = write([call(1, "Bash", {"command": "cat"}), result(2, 1, output), call(3, "Write", {"content": output}), result(4, 3, "ok")])
    assert "Acme" not in "".join(t.output + t.input for t in read(path, now) if isinstance(t, ToolEvent))


def test_call_without_result_is_carried_over_to_the_next_read(write: Any, now: datetime) -> None:
    path = write([person(1, "a"), call(2, "Bash", {"command": "make"})])
    cursor = read(path, now)[-1]
    with path.open("ab") as file:
        file.write(text_of([result(3, 2, "done")]))
    after = [r for r in read(path, now, cursor) if isinstance(r, ToolEvent)]
    assert [(t.name, t.input, t.output, t.seq) for t in after] == [("Bash", "make", "done", 1)]


def test_nothing_new_gives_no_cursor(now: datetime) -> None:
    path = FIXTURES / f"{SESSION}.jsonl"
    assert [type(r) for r in read(path, now, read(path, now)[-1])] == [Session]


def test_rewritten_file_is_read_again_without_known_records(write: Any, now: datetime) -> None:
    path = write([person(1, "one"), answer(2, "two"), person(3, "three")])
    cursor = read(path, now)[-1]
    path.write_bytes(text_of([person(3, "three"), person(4, "four")]))
    again = read(path, now, cursor, seen={uuid(1), uuid(2), uuid(3)})
    assert [(m.text, m.seq) for m in again if isinstance(m, Message)] == [("four", 3)]


def test_fork_names_where_it_came_from(tmp_path: Path, now: datetime) -> None:
    path = tmp_path / f"{uuid(77)}.jsonl"
    path.write_bytes(text_of([person(1, "one")]))
    head = agent.head(path)
    assert head is not None
    assert (head.host_id, head.origin) == (uuid(77), SESSION)


def test_session_that_we_started_ourselves_is_recognised(write: Any) -> None:
    head = agent.head(write([person(1, f"{marker.OWN_CALL}\nSummarise")]))
    assert head is not None
    assert head.own_call


def test_words_typed_while_the_agent_works_count_once(write: Any, now: datetime) -> None:
    def queued(number: int, prompt: Any, **more: Any) -> dict[str, Any]:
        return {"type": "attachment", "uuid": uuid(number), "timestamp": stamp(number), "sessionId": SESSION,
                "attachment": {"type": "queued_command", "prompt": prompt, "commandMode": "prompt"} | more}

    path = write([person(1, "start"), queued(2, "also lint the docs"), queued(3, [{"type": "text", "text": "and the tests"}]),
                  queued(4, "<task-notification>done</task-notification>"), queued(5, "/clear", commandMode="command"),
                  person(6, "also lint the docs"), person(7, "also lint the docs")])
    assert [m.text for m in messages(path, now)] == ["start", "also lint the docs", "and the tests", "also lint the docs"]


def test_empty_file_holds_no_session(tmp_path: Path, now: datetime) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_bytes(b"")
    assert agent.head(path) is None
    assert [r.reason for r in read(path, now)] == ["no-session"]


def test_transcripts_are_found_where_the_person_moved_them(tmp_path: Path) -> None:
    folder = tmp_path / "conf" / "projects" / "-home-x"
    (folder / SESSION / "subagents").mkdir(parents=True)
    main, sub = folder / f"{SESSION}.jsonl", folder / SESSION / "subagents" / "agent-1.jsonl"
    main.touch()
    sub.touch()
    assert list(agent.find({"CLAUDE_CONFIG_DIR": str(tmp_path / "conf")}, tmp_path)) == [main, sub]
    assert list(agent.find({}, tmp_path)) == []


def test_records_in_the_day_are_all_accounted_for(now: datetime) -> None:
    assert stamp(61) == "2026-11-20T09:01:01.000Z"
    assert len(CLAUDE_DAY) == 26
