"""Sessions that grow unreported are an error within one session, and the next start says so in one line."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from doctor_world import INSTALLED, NOW, World
from transcript_lines import answer, call, person

from agent_memory import clock
from agent_memory.app import Memory
from agent_memory.capture import failures, heard
from agent_memory.capture.registry import agent
from agent_memory.flow import silence
from agent_memory.flow.silence import Silent
from agent_memory.model.event import HookEvent
from agent_memory.recall.context import build
from agent_memory.recall.unreported import SILENT

OTHER = "11111111-2222-4333-8444-555555555555"
FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
DAY_AGO = NOW - timedelta(days=1)


def found(world: World, *, now: datetime = NOW, **more: object) -> list[Silent]:
    return silence.silent(world.home, (), since=silence.installed(world.home), env={}, user_home=world.user, now=now, **more)  # type: ignore[arg-type]


def ended(number: int) -> list[dict[str, object]]:
    """A session with a finished turn, as the host writes it."""
    done = answer(number + 1, "There are nine.")
    done["message"]["stop_reason"] = "end_turn"
    return [person(number, "Count the sacks."), done]


@pytest.fixture
def claude(world: World) -> World:
    """Claude Code was connected, and its last hook came a day ago."""
    world.install("claude")
    world.heard("checkpoint", at=DAY_AGO)
    return world


def test_session_after_the_last_hook_is_silent(claude: World) -> None:
    path = claude.transcript(OTHER, at=NOW - timedelta(minutes=5))
    (one,) = found(claude)
    assert (one.path, one.never, one.serious) == (path, True, True)


def test_hook_of_the_start_alone_reports_nothing(claude: World) -> None:
    claude.transcript(OTHER, at=NOW - timedelta(hours=1))
    claude.heard("session-start", at=NOW - timedelta(minutes=30), session="another")
    assert found(claude)


def test_old_transcripts_are_the_business_of_backfill(claude: World) -> None:
    claude.transcript(OTHER, at=INSTALLED - timedelta(days=1))
    assert not found(claude)


def test_agent_that_is_not_connected_is_not_missed(world: World) -> None:
    world.transcript(OTHER)
    assert silence.installed(world.home) == {}
    assert not found(world)


def test_event_that_waits_reports_its_session(claude: World) -> None:
    path = claude.transcript(OTHER, at=NOW - timedelta(minutes=5))
    claude.event(at=NOW, transcript=str(path), session=OTHER)
    assert not found(claude)


@pytest.mark.parametrize(("records", "quiet", "silent"), [
    ([person(1, "Count the sacks of flour.")], 120, False),
    ([person(1, "Count the sacks of flour."), call(2, "Bash", {"command": "sleep 300"})], 300, False),
    ([person(1, "Count the sacks."), answer(2, "I will count them.")], 30, False),
    ([person(1, "Count the sacks."), answer(2, "There are nine.")], 90, True),
    (ended(1), 15, True),
    ([person(1, "Count the sacks."), answer(2, "There are nine."), person(3, "And the eggs?")], 15, True),
    ([person(1, "Count the sacks."), answer(2, "There are nine."), person(3, "And the eggs?")], 5, False),
    ([person(1, "Count the sacks of flour.")], 900, True),
    ([{"type": "mode", "mode": "normal", "sessionId": OTHER}], 9_000, False),
], ids=["asked", "long tool", "just answered", "answered", "the host says so", "asked again", "at this moment", "left", "nothing said"])
def test_session_that_is_going_on_is_not_silent(
        claude: World, records: list[dict[str, object]], quiet: int, silent: bool) -> None:
    claude.transcript(OTHER, records, at=NOW - timedelta(seconds=quiet))
    assert bool(found(claude)) is silent


def test_excluded_folders_are_not_missed(claude: World) -> None:
    claude.transcript(OTHER)
    assert not found(claude, exclude=("/home/noor/*",))


def test_moved_transcript_is_known_by_its_session(stored: World) -> None:
    """The fixture is a copy: the cursors name files of the place where it was made."""
    stored.install("claude")
    assert not silence.of_place(Memory(stored.home.root, now=lambda: NOW))
    with stored.subject().store.read() as graph:
        cursors = graph.cursors()
    assert stored.learned().is_file()
    assert not silence.silent(stored.home, cursors, since=silence.installed(stored.home), env={}, user_home=stored.user, now=NOW)
    stored.grow(stored.learned(), turns=1)
    tail, = silence.silent(stored.home, cursors, since=silence.installed(stored.home), env={}, user_home=stored.user, now=NOW)
    assert (tail.never, tail.turns, tail.serious) == (False, 1, False)


@pytest.mark.parametrize(("installed", "silent"), [(20, True), (5, False)], ids=["before it", "after it"])
def test_session_of_a_database_counts_by_its_own_time(world: World, installed: int, silent: bool) -> None:
    """All sessions of a database share the time of its file, which is written all day."""
    folder = world.user / ".local" / "share" / "opencode"
    folder.mkdir(parents=True)
    connection = sqlite3.connect(folder / "opencode.db")
    connection.executescript((FIXTURES / "opencode" / "opencode.sql").read_text(encoding="utf-8"))
    connection.close()
    os.utime(folder / "opencode.db", ((NOW - timedelta(hours=1)).timestamp(),) * 2)
    missed = silence.silent(world.home, (), since={"opencode": NOW - timedelta(days=installed)}, env={}, user_home=world.user,
                            now=NOW)
    assert [one.path.name for one in missed] == (["ses_main"] if silent else [])


def test_damaged_database_of_an_agent_keeps_no_view_from_being_written(stored: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(stored.user))
    (stored.user / ".config" / "opencode").mkdir(parents=True)
    folder = stored.user / ".local" / "share" / "opencode"
    folder.mkdir(parents=True)
    (folder / "opencode.db").write_bytes(b"not a database at all" * 100)
    stored.install("opencode")
    Memory(stored.home.root, now=lambda: NOW).materialize()
    assert "transcript-unreadable" in stored.codes("transcripts")
    monkeypatch.setattr(silence, "of_place", lambda place: 1 / 0)
    Memory(stored.home.root, now=lambda: NOW).materialize()
    assert failures.recent(stored.home)[-1]["where"] == "silence"


# what the next start says


def start(world: World, session: str, at: datetime, transcript: Path | str) -> str:
    """A session starts: the hook is noted as the command does it, and the payload is made."""
    fired = HookEvent("session-start", "claude", session, str(transcript), "/home/noor/bakery", clock.text(at))
    heard.note(world.home, fired)
    return build(world.home, agent="claude", cwd="/home/noor/bakery", now=at).text


def test_next_start_says_that_the_session_before_was_not_reported(world: World) -> None:
    first = world.user / ".claude" / "projects" / "-home-noor-bakery" / f"{OTHER}.jsonl"
    assert start(world, OTHER, NOW, first) == ""
    later = NOW + timedelta(minutes=10)
    world.transcript(OTHER, [*ended(1)], at=later)
    text = start(world, "next", later + timedelta(seconds=1), "/next.jsonl")
    assert [line for line in text.splitlines() if SILENT in line] == [
        f"⚠ {SILENT} the last session of Claude Code (2026-11-30) grew, but no hook reported it. "
        "Run: agent-utilities-memory doctor."]
    again = build(world.home, agent="claude", cwd="/home/noor/bakery", now=later + timedelta(seconds=1)).text
    assert again == text


@pytest.mark.parametrize("event", ["checkpoint", "session-end", "prompt", "notify"])
def test_start_is_quiet_if_any_hook_reported(world: World, event: str) -> None:
    start(world, OTHER, NOW, path := world.transcript(OTHER, ended(1), at=NOW + timedelta(minutes=5)))
    world.heard(event, at=NOW + timedelta(minutes=5), session=OTHER)
    assert path.is_file()
    assert start(world, "next", NOW + timedelta(minutes=6), "/next.jsonl") == ""


def test_start_is_quiet_beside_a_session_in_its_first_turn(world: World) -> None:
    at = NOW + timedelta(minutes=5)
    path = world.transcript(OTHER, [person(1, "Count the sacks."), call(2, "Bash", {"command": "sleep 300"})], at=at)
    start(world, OTHER, NOW, path)
    assert start(world, "next", at + timedelta(minutes=3), "/next.jsonl") == ""


def test_start_is_quiet_about_a_session_that_said_nothing(world: World) -> None:
    start(world, OTHER, NOW, "/never/written.jsonl")
    assert start(world, "next", NOW + timedelta(hours=1), "/next.jsonl") == ""


def test_compaction_in_the_same_session_is_no_other_session(world: World) -> None:
    path = world.transcript(OTHER, ended(1), at=NOW + timedelta(minutes=5))
    start(world, OTHER, NOW, path)
    assert start(world, OTHER, NOW + timedelta(minutes=6), path) == ""


def test_start_is_quiet_once_the_transcript_was_read(world: World) -> None:
    path = world.transcript(OTHER, ended(1), at=NOW + timedelta(minutes=5))
    start(world, OTHER, NOW, path)
    Memory(world.home.root, now=lambda: NOW + timedelta(minutes=5)).observe_file("claude", path)
    assert SILENT not in start(world, "next", NOW + timedelta(minutes=6), "/next.jsonl")


def test_start_says_that_events_wait_and_no_worker_came(world: World) -> None:
    world.event(at=NOW - timedelta(minutes=30))
    text = build(world.home, agent="codex", cwd="/home/noor", now=NOW).text
    assert "Hook events have waited since 2026-11-30 11:30 UTC" in text
    assert build(world.home, agent="codex", cwd="/home/noor", now=NOW - timedelta(minutes=25)).text == ""


def test_views_carry_the_line_to_the_starts_of_other_agents(stored: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(stored.user))
    stored.install("claude")
    stored.transcript(OTHER, at=NOW - timedelta(hours=1))
    Memory(stored.home.root, now=lambda: NOW).materialize()
    text = build(stored.home, agent="codex", cwd="/home/noor", now=NOW).text
    assert text.count(SILENT) == 1
    assert "1 session of Claude Code since 2026-11-30 grew" in text
    memory = Memory(stored.home.root, now=lambda: NOW)
    memory.backfill("claude")
    memory.materialize()
    assert SILENT not in build(stored.home, agent="codex", cwd="/home/noor", now=NOW).text


def test_hook_of_a_start_stays_light(world: World) -> None:
    payload = {"session_id": OTHER, "transcript_path": str(world.transcript(OTHER, ended(1))), "cwd": str(world.user),
               "hook_event_name": "SessionStart", "source": "startup"}
    code = ("import sys; sys.argv = ['x', 'hook', 'session-start', '--agent', 'claude']; "
            "import agent_memory.service.control as c; c.start = lambda home: True; "
            "from agent_memory.__main__ import main; code = main(); "
            "print(code, sorted({'click', 'pydantic', 'kuzu', 'subprocess', 'detect_secrets', 'agent_memory.settings', "
            "'agent_memory.store', 'agent_memory.app', 'agent_memory.flow'} & set(sys.modules)))")
    done = subprocess.run([sys.executable, "-c", code], input=json.dumps(payload).encode(), capture_output=True, check=False,
                          timeout=60, env={**os.environ, "AGENT_MEMORY_HOME": str(world.home.root)})
    assert done.stdout.splitlines()[-1] == b"0 []", done.stdout + done.stderr
    kept = heard.load(world.home)["claude"]["session-start"]
    assert (kept.session, kept.transcript) == (OTHER, payload["transcript_path"])
    for path in (world.home.root, *world.home.root.rglob("*")):
        assert path.stat().st_mode & 0o077 == 0, path


def test_note_that_cannot_be_written_or_read_harms_nobody(world: World) -> None:
    world.heard("checkpoint")
    (heard.folder(world.home) / "claude.checkpoint").write_text("?")
    assert heard.load(world.home) == {}
    heard.folder(world.home).rename(world.home.log / "away")
    heard.folder(world.home).write_text("a file")
    assert not heard.note(world.home, HookEvent("checkpoint", "claude", "s", "", "", clock.text(NOW)))
    assert agent("claude")
