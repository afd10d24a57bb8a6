"""Agents that write lines: whose words are whose, what is dropped, what is joined, what was taken back."""

from __future__ import annotations

import json
from pathlib import Path

from agent_worlds import FIXTURES, copied, harness, read, said, session, skipped, tools, transcript

from agent_memory.capture.agents import antigravity, cowork, gemini, grok, windsurf
from agent_memory.model.rewind import standing
from agent_memory.model.transcript import Message, ToolEvent


def test_grok_joins_chunks_and_drops_what_hooks_put_in() -> None:
    records, _ = read("grok", transcript("grok"))
    assert said(records) == [
        ("person", "prompt", "The kiln log is in Celsius, never Fahrenheit."),
        ("agent", "answer", "I look at the log first."),
        ("agent", "answer", "Two tests fail."),
        ("person", "prompt", "Keep [redacted:private] out. Round to whole degrees."),
        ("agent", "answer", "Rounded."),
    ]
    joined = next(m for m in records if isinstance(m, Message) and m.text.startswith("I look"))
    assert (joined.line, joined.line_end) == (4, 6)
    assert harness(records) == ["injected"]  # /compact
    assert skipped(records) == ["unknown-type:brand_new_update"]


def test_grok_output_of_byte_values_is_text() -> None:
    records, _ = read("grok", transcript("grok"))
    assert tools(records) == [("run_terminal_command", "pytest -q", "2 failed\n", "error", 1)]


def test_grok_session_is_described_by_its_summary() -> None:
    about = grok.head(transcript("grok"))
    assert about is not None
    assert (about.cwd, about.branch, about.title) == ("/home/noor/kiln", "glaze", "Kiln log")


def test_grok_message_without_an_end_is_read_once_the_host_is_gone(tmp_path: Path) -> None:
    import os

    path = copied("grok", tmp_path)
    raw = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(raw[:4]))
    os.utime(path, (1_796_000_000, 1_796_000_000))  # half an hour before the present of these tests
    late = 1_796_040_000 - 60
    os.utime(path, (late, late))
    before, cursor = read("grok", path)
    assert "I look at" not in str(before)
    os.utime(path, (late - 3_600, late - 3_600))
    after, _ = read("grok", path, cursor)
    assert said(after) == [("agent", "answer", "I look at")]


def test_gemini_messages_count_once_and_a_rewind_takes_back() -> None:
    records, _ = read("gemini", transcript("gemini"))
    kept, gone = standing([r for r in records if isinstance(r, Message | ToolEvent)])
    assert said(kept) == [
        ("person", "prompt", "Tide heights are in metres, two decimals."),
        ("agent", "answer", "I run the tests."),
        ("person", "prompt", "Keep it in tide/export.py."),
        ("agent", "answer", "Done there."),
        ("person", "prompt", "Times are UTC."),
    ]
    assert len(gone) == 2
    assert tools(records) == [("run_shell_command", "npm test", "3 failed\nExit Code: 1", "error", 1)]
    assert harness(records) == ["injected", "injected", "rewind", "summary"]
    assert skipped(records) == ["unknown-type:brand-new"]
    assert session(records).cwd == "/home/noor/tide"


def test_gemini_older_document_is_read_again_only_when_it_changed(tmp_path: Path) -> None:
    path = copied("gemini", tmp_path).with_name("session-old.json")
    records, cursor = read("gemini", path)
    assert [text for _, _, text in said(records)] == ["Tide heights are in metres, two decimals.", "I run the tests."]
    again, same = read("gemini", path, cursor)
    assert len(again) == 1
    assert same == cursor
    path.write_bytes(path.read_bytes()[:200])
    half, _ = read("gemini", path, cursor)
    assert skipped(half) == ["no-session"]


def test_gemini_folder_of_an_empty_session_comes_from_the_list_of_projects(tmp_path: Path) -> None:
    chats = tmp_path / ".gemini" / "tmp" / "tide" / "chats"
    chats.mkdir(parents=True)
    (tmp_path / ".gemini" / "projects.json").write_text(json.dumps({"projects": {"/home/noor/tide": "tide"}}))
    (chats / "session-x.jsonl").write_text(json.dumps({"sessionId": "5f1d", "startTime": "2026-11-20T10:00:00Z"}) + "\n")
    found = list(gemini.find({}, tmp_path))
    about = gemini.head(found[0])
    assert about is not None
    assert about.cwd == "/home/noor/tide"


def test_antigravity_tools_are_joined_to_their_calls_by_name() -> None:
    records, _ = read("antigravity", transcript("antigravity"))
    assert said(records) == [
        ("person", "prompt", "Loom patterns are stored as text, no images."),
        ("agent", "answer", "I search."),
        ("agent", "answer", "No images are left."),
        ("person", "prompt", "Good. [redacted:private] Warp counts start at one."),
    ]
    assert [(name, given, status) for name, given, _, status, _ in tools(records)] == [
        ("run_command", "npm test", "error"), ("grep_search", '{"SearchPath":"/home/noor/loom","Query":"png"}', "ok")]
    assert (session(records).host_id, session(records).cwd) == ("7c2f0000-1111-4222-8333-444455556666", "/home/noor/loom")
    assert "rye" not in str(records)


def test_windsurf_takes_every_unknown_line_for_a_tool() -> None:
    records, _ = read("windsurf", transcript("windsurf"))
    assert [text for _, _, text in said(records)] == [
        "Use the native dialog, no library.", "I look at it.", "It is native now.", "yes", "yes"]
    assert [(name, status) for name, _, _, status, _ in tools(records)] == [
        ("view_file", "ok"), ("run_command", "ok"), ("code_action", "refused"), ("never_seen_before", "ok")]
    assert (session(records).host_id, session(records).cwd) == ("tr-1234abcd", "/home/noor/app")
    assert skipped(records) == []


def test_cowork_is_read_like_claude_code_with_its_subagents() -> None:
    records, _ = read("cowork", transcript("cowork"))
    assert said(records) == [
        ("person", "prompt", "Invoices are sorted by date, newest first."),
        ("agent", "answer", "I ask a helper."),
        ("agent", "task", "Count the invoices."),
        ("agent", "answer", "There are 12."),
        ("agent", "answer", "Twelve, sorted."),
    ]
    mine = session(records).id
    assert [m.session == mine for m in records if isinstance(m, Message)] == [True, True, False, False, True]
    assert {m.agent for m in records if isinstance(m, Message)} == {"cowork"}
    assert cowork.head(transcript("cowork")) is not None


def test_each_agent_finds_its_own_transcripts(tmp_path: Path) -> None:
    places = {
        "grok": ".grok/sessions/%2Fhome%2Fnoor%2Fkiln/01b2/updates.jsonl",
        "antigravity": ".gemini/antigravity-ide/brain/7c2f/.system_generated/logs/transcript.jsonl",
        "windsurf": ".windsurf/transcripts/tr-1.jsonl",
        "cowork": "Library/Application Support/Claude/local-agent-mode-sessions/o/u/local_9a/audit.jsonl",
    }
    for name, place in places.items():
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_bytes(transcript(name).read_bytes())
    for module in (grok, antigravity, windsurf, cowork):
        assert [p.relative_to(tmp_path).as_posix() for p in module.find({}, tmp_path)] == [places[module.NAME]]
    moved = tmp_path / "moved" / "sessions" / "x" / "y"
    moved.mkdir(parents=True)
    (moved / "updates.jsonl").touch()
    assert list(grok.find({"GROK_HOME": str(tmp_path / "moved")}, tmp_path)) == [moved / "updates.jsonl"]


def test_full_transcript_is_preferred_to_the_shortened_one(tmp_path: Path) -> None:
    logs = tmp_path / ".gemini/antigravity/brain/7c2f/.system_generated/logs"
    logs.mkdir(parents=True)
    for name in ("transcript.jsonl", "transcript_full.jsonl"):
        (logs / name).touch()
    assert [p.name for p in antigravity.find({}, tmp_path)] == ["transcript_full.jsonl"]
    event = antigravity.event("checkpoint", {"conversationId": "7c2f", "transcriptPath": str(logs / "transcript.jsonl")}, at="x")
    assert event.transcript == str(logs / "transcript_full.jsonl")


def test_fixtures_hold_every_agent() -> None:
    assert {p.name for p in FIXTURES.iterdir()} >= {"grok", "gemini", "antigravity", "windsurf", "cowork"}
