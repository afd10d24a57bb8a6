"""Sessions in databases: read-only, in order, once; what still changes waits, what is taken back is told."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pytest
from agent_worlds import DATABASES, FIXTURES, NOW, database, harness, read, said, session, skipped, tools

from agent_memory.capture.ingest import ingest_file
from agent_memory.capture.registry import agent, transcripts
from agent_memory.errors import TranscriptError
from agent_memory.model.rewind import standing
from agent_memory.model.transcript import Message, ToolEvent
from agent_memory.paths import Home
from agent_memory.store.open import Store


def paths(name: str, home: Path) -> dict[str, Path]:
    """The sessions that an agent's own search finds, by name."""
    database(name, home)
    return {p.name: p for p in agent(name).find({}, home)}


def change(path: Path, *statements: str) -> None:
    with sqlite3.connect(path.parent if path.parent.is_file() else path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def test_opencode_tells_people_from_the_host_and_main_sessions_from_subagents(tmp_path: Path) -> None:
    found = paths("opencode", tmp_path)
    assert set(found) == {"ses_main", "ses_main+ses_kid"}
    records, _ = read("opencode", found["ses_main"])
    assert said(records) == [
        ("person", "prompt", "Timetables are kept in UTC. See @a.md"),
        ("agent", "answer", "I run the tests."),
        ("person", "refusal", "no edits on main"),
        ("person", "prompt", "Use [redacted:private] 24 hour clock."),
    ]
    assert harness(records) == ["summary", "injected", "injected"]
    assert tools(records) == [("bash", "bun test", "1 fail", "error", 1), ("edit", '{"filePath":"a.ts"}', "", "refused", None)]
    child, _ = read("opencode", found["ses_main+ses_kid"])
    assert said(child) == [("agent", "task", "Which file?"), ("agent", "answer", "a.ts")]
    assert session(child).parent == session(records).id


def test_hermes_leaves_out_what_was_taken_back_and_keeps_what_was_archived(tmp_path: Path) -> None:
    found = paths("hermes", tmp_path)
    a, b, c, d = "20261101_080000_aa", "20261101_090000_bb", "20261101_083000_cc", "20261102_000000_dd"
    assert set(found) == {a, f"{a}+{b}", f"{a}+{b}+{c}", d}
    first, _ = read("hermes", found[a])
    assert said(first) == [("person", "prompt", "Water at six, never at noon."), ("agent", "answer", "I look."),
                           ("person", "prompt", "as on the photo")]
    assert tools(first) == [("terminal", "crontab -l", "no crontab", "error", 1)]
    second, _ = read("hermes", found[f"{a}+{b}"])
    assert [text for _, _, text in said(second)] == ["Could it mail me?", "Yes.", "Litres, not gallons."]
    assert harness(second) == ["summary"]
    assert session(second).parent == ""  # it goes on, it is no subagent
    child, _ = read("hermes", found[f"{a}+{b}+{c}"])
    assert said(child)[0] == ("agent", "task", "Find the pump's manual.")
    unattended, _ = read("hermes", found[d])
    assert said(unattended) == []


def test_agent_terminal_ui_reads_turns_and_nothing_that_was_never_sent(tmp_path: Path) -> None:
    found = paths("agent_terminal_ui", tmp_path)
    assert set(found) == {"s-1"}
    records, _ = read("agent_terminal_ui", found["s-1"])
    assert [text for _, _, text in said(records)] == ["Names are the key, without case.", "I use casefold().", "ISO dates everywhere."]
    assert "never sent" not in str(records)


def test_devin_keeps_the_last_form_of_a_message(tmp_path: Path) -> None:
    path = database("devin", tmp_path)
    os.utime(path, (1_790_000_000, 1_790_000_000))
    for log in path.parent.glob("sessions.db-*"):
        os.utime(log, (1_790_000_000, 1_790_000_000))
    records, _ = read("devin", path / "brave-otter")
    assert said(records) == [("person", "prompt", "Labels are 40 mm wide."), ("agent", "answer", "I measure."),
                             ("person", "prompt", "Good.")]
    assert tools(records) == [("exec", "ls", "a b", "unknown", None)]
    assert skipped(records) == ["unknown-type:alien"]
    assert session(records).cwd == "/home/noor/shelf"


def test_devin_document_is_read_where_the_database_has_no_such_session(tmp_path: Path) -> None:
    path = database("devin", tmp_path)
    folder = path.parent / "transcripts"
    folder.mkdir()
    for name in ("calm-heron", "brave-otter"):
        (folder / f"{name}.json").write_bytes((FIXTURES / "devin" / "calm-heron.json").read_bytes())
    found = list(agent("devin").find({}, tmp_path))
    assert [p.name for p in found] == ["brave-otter", "calm-heron.json"]
    records, cursor = read("devin", found[1])
    assert [text for _, _, text in said(records)] == ["Prices are net.", "I look."]
    assert tools(records) == [("read", '{"path":"a.py"}', "x = 1", "unknown", None)]
    assert read("devin", found[1], cursor)[1] == cursor


@pytest.mark.parametrize("name", DATABASES)
def test_reading_changes_no_byte_of_the_database_and_reading_twice_gives_nothing_new(name: str, tmp_path: Path) -> None:
    path = database(name, tmp_path)
    before = path.read_bytes()
    for one in transcripts(name, path):
        _, cursor = read(name, one)
        again, same = read(name, one, cursor)
        assert len(again) == 1
        assert same == cursor
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", DATABASES)
def test_sessions_are_read_while_the_host_holds_a_write(name: str, tmp_path: Path) -> None:
    path = database(name, tmp_path)
    writer = sqlite3.connect(path)
    try:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("CREATE TABLE unseen (x)")
        assert all(said(read(name, one)[0]) is not None for one in transcripts(name, path))
    finally:
        writer.rollback()
        writer.close()


def test_answer_that_still_streams_waits_and_is_read_whole(tmp_path: Path) -> None:
    path = paths("opencode", tmp_path)["ses_main"]
    _, cursor = read("opencode", path)
    at = int(NOW.timestamp() * 1000)
    row = f"INSERT INTO message VALUES ('msg_020', 'ses_main', {at}, {at}, '{{\"role\":\"assistant\",\"time\":{{\"created\":{at}}}}}')"
    part = f"INSERT INTO part VALUES ('prt_0200', 'msg_020', 'ses_main', {at}, {at}, '{json.dumps({'type': 'text', 'text': 'It is'})}')"
    change(path, row, part)
    records, same = read("opencode", path, cursor)
    assert said(records) == []
    assert same == cursor
    change(path, f"UPDATE part SET data = '{json.dumps({'type': 'text', 'text': 'It is done.'})}' WHERE id = 'prt_0200'",
           f"UPDATE message SET data = '{{\"role\":\"assistant\",\"time\":{{\"created\":{at},\"completed\":{at}}}}}' WHERE id = 'msg_020'")
    records, cursor = read("opencode", path, cursor)
    assert said(records) == [("agent", "answer", "It is done.")]
    assert said(read("opencode", path, cursor)[0]) == []


def test_messages_that_a_host_deletes_are_taken_back(tmp_path: Path) -> None:
    path = paths("opencode", tmp_path)["ses_main"]
    records, cursor = read("opencode", path)
    change(path, "UPDATE session SET revert = '{\"messageID\":\"msg_008\"}' WHERE id = 'ses_main'")
    hidden, cursor = read("opencode", path, cursor)
    assert len(hidden) == 1  # they may be shown again
    change(path, "UPDATE session SET revert = NULL WHERE id = 'ses_main'", "DELETE FROM message WHERE id >= 'msg_008' AND session_id = 'ses_main'")
    more, cursor = read("opencode", path, cursor)
    kept, gone = standing([r for r in records + more if isinstance(r, Message | ToolEvent)])
    assert [m.text for m in records if isinstance(m, Message) and m.id in gone] == [
        "Use [redacted:private] 24 hour clock.", "Writing it and st"]
    assert said(kept)[-1] == ("person", "refusal", "no edits on main")
    assert len(read("opencode", path, cursor)[0]) == 1


def test_hermes_undo_after_reading_takes_back_what_was_stored(tmp_path: Path) -> None:
    path = paths("hermes", tmp_path)["20261101_080000_aa"]
    records, cursor = read("hermes", path)
    change(path, "UPDATE messages SET active = 0 WHERE id = 5")
    more, _ = read("hermes", path, cursor)
    _, gone = standing([r for r in records + more if isinstance(r, Message | ToolEvent)])
    assert [m.text for m in records if isinstance(m, Message) and m.id in gone] == ["as on the photo"]


def test_database_put_in_place_of_another_loses_and_doubles_nothing(tmp_path: Path, home: Home) -> None:
    path = database("hermes", tmp_path)
    store = Store(home, engine="memory")
    one = transcripts("hermes", path)[0]
    first = ingest_file(store, "hermes", one, now=NOW)
    copy = path.with_suffix(".new")
    copy.write_bytes(path.read_bytes())
    with sqlite3.connect(copy) as connection:
        connection.execute("INSERT INTO messages (session_id, role, content, timestamp) VALUES ('20261101_080000_aa', 'user', "
                           "'Mulch in May.', 1793520100.0)")
    connection.close()
    os.replace(copy, path)
    for log in path.parent.glob("state.db-*"):
        log.unlink()
    second = ingest_file(store, "hermes", one, now=NOW)
    assert (first.messages, second.messages) == (3, 1)
    assert ingest_file(store, "hermes", one, now=NOW).outcome == "unchanged"


@pytest.mark.parametrize("name", DATABASES)
def test_file_that_is_no_database_is_told_and_left(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(b"SQLite format 3\x00" + b"\xff" * 200)
    with pytest.raises(TranscriptError, match=r"x\.db"):
        transcripts(name, path)
    with pytest.raises(TranscriptError):
        agent(name).head(path / "s")
    assert path.read_bytes().endswith(b"\xff" * 200)


def test_odd_session_ids_make_no_other_path(tmp_path: Path) -> None:
    path = database("agent_terminal_ui", tmp_path)
    change(path, "UPDATE turns SET session_id = '../a+b/ü'", "UPDATE sessions SET id = '../a+b/ü' WHERE id = 's-1'")
    (one,) = transcripts("agent_terminal_ui", path)
    assert one.parent == path
    assert session(read("agent_terminal_ui", one)[0]).host_id == "../a+b/ü"


def test_unfinished_database_has_no_sessions(tmp_path: Path) -> None:
    for name in DATABASES:
        assert list(agent(name).find({}, tmp_path / "nobody")) == []
