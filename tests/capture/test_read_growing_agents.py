"""Whatever an agent's transcript looks like and wherever reading stops: nothing is lost, doubled or taken apart."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from pathlib import Path
from typing import Any

import pytest
from agent_worlds import DATABASES, LINES, NOW, copied, database, read, transcript
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.capture.registry import agent, transcripts
from agent_memory.model.transcript import Cursor, Message, Role, Session, ToolEvent

JSON = st.recursive(st.one_of(st.none(), st.booleans(), st.integers(-5, 2**40), st.text(max_size=8)), lambda inner: st.one_of(
    st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(
        ["type", "content", "text", "role", "params", "update", "sessionUpdate", "_meta", "rawOutput", "toolCalls", "args", "id", "$set", "messages",
         "$rewindTo", "tool_calls", "name", "status", "user_input", "message", "state", "parts", "output", "source", "step_index"]),
        inner, max_size=5)), max_leaves=10)
LAST = {
    "grok": {"timestamp": 1795300000, "params": {"update": {"sessionUpdate": "user_message_chunk", "content": {"text": "the last word"}},
                                                 "_meta": {"agentTimestampMs": 1795300000000}}},
    "gemini": {"id": "z", "type": "user", "content": [{"text": "the last word"}], "timestamp": "2026-11-25T00:00:00Z"},
    "antigravity": {"step_index": 99, "source": "USER_EXPLICIT", "type": "USER_INPUT", "content": "the last word"},
    "windsurf": {"type": "user_input", "user_input": {"user_response": "the last word"}},
    "cowork": {"type": "user", "uuid": "zz", "session_id": "s1", "message": {"role": "user", "content": "the last word"}},
}
END = {"grok": {"params": {"update": {"sessionUpdate": "turn_completed"}}}}


def spoken(records: list[Any]) -> list[Message | ToolEvent]:
    return [r for r in records if isinstance(r, Message | ToolEvent)]


@pytest.mark.parametrize("name", [n for n in LINES if n != "windsurf"])
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_growing_transcript_read_in_pieces_equals_one_read(name: str, data: st.DataObject) -> None:
    raw = transcript(name).read_bytes()
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=5)))
    with tempfile.TemporaryDirectory() as folder:
        path = copied(name, Path(folder))
        found: list[Any] = []
        cursor: Cursor | None = None
        for cut in (*cuts, len(raw)):
            with path.open("r+b") as file:
                file.truncate(0)
                file.write(raw[:cut])
            if agent(name).head(path) is not None:
                records, cursor = read(name, path, cursor)
                found += records
        whole, last = read(name, path)
        assert spoken(found) == spoken(whole)
        assert cursor == last


def test_growing_trajectory_without_times_has_the_same_records() -> None:
    raw = transcript("windsurf").read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        path = copied("windsurf", Path(folder))
        found: list[Any] = []
        cursor: Cursor | None = None
        for cut in (*range(0, len(raw), 97), len(raw)):
            path.write_bytes(raw[:cut])
            records, cursor = read("windsurf", path, cursor)
            found += records
        whole, _ = read("windsurf", path)
        assert [(r.id, r.seq) for r in spoken(found)] == [(r.id, r.seq) for r in spoken(whole)]


@pytest.mark.parametrize("name", LINES)
@settings(max_examples=20, deadline=None)
@given(lines=st.lists(st.one_of(JSON, st.dictionaries(st.sampled_from(["type", "params", "message", "content", "toolCalls", "$set"]), JSON)), max_size=6),
       noise=st.binary(max_size=30))
def test_no_line_of_any_agent_stops_the_reading(name: str, lines: list[Any], noise: bytes) -> None:
    first = transcript(name).read_bytes().splitlines(keepends=True)[:4]
    end = json.dumps(END[name]).encode() + b"\n" if name in END else b""
    raw = b"".join(first) + b"".join(json.dumps(x).encode() + b"\n" for x in lines) + noise.replace(b"\n", b"") + b"\n" \
        + json.dumps(LAST[name]).encode() + b"\n" + end
    with tempfile.TemporaryDirectory() as folder:
        path = copied(name, Path(folder))
        path.write_bytes(raw)
        records, cursor = read(name, path)
        people = [r.text for r in spoken(records) if isinstance(r, Message) and r.role is not Role.HARNESS]
        assert people[-1].endswith("the last word")
        assert cursor is not None
        assert cursor.offset == len(raw)
        assert [r.seq for r in spoken(records)] == list(range(len(spoken(records))))


@settings(max_examples=25, deadline=None)
@given(st.binary(max_size=300))
def test_garbage_is_no_session_of_any_agent(raw: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name in LINES:
            path = Path(folder) / "logs" / f"{name}.jsonl"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(raw)
            assert not [r for r in agent(name).read(path, None, now=NOW) if isinstance(r, Session)]


@pytest.mark.parametrize("name", ["hermes", "agent_terminal_ui"])
@settings(max_examples=10, deadline=None)
@given(texts=st.lists(st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=12), min_size=1, max_size=8), stops=st.sets(st.integers(0, 7)))
def test_growing_database_read_in_between_equals_one_read(name: str, texts: list[str], stops: set[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = database(name, Path(folder))
        one = transcripts(name, path)[0]
        found, cursor = read(name, one)
        for number, text in enumerate(texts):
            with sqlite3.connect(path) as connection:
                if name == "hermes":
                    connection.execute("INSERT INTO messages (session_id, role, content, timestamp) VALUES (?, 'user', ?, ?)",
                                       ("20261101_080000_aa", text, 1793530000.0 + number))
                else:
                    connection.execute("INSERT INTO turns VALUES (?, 's-1', ?, 'user', ?, ?, 'completed')",
                                       (f"x{number}", 10 + number, text, 1793700000.0 + number))
            connection.close()
            if number in stops:
                records, cursor = read(name, one, cursor)
                found += records
        records, cursor = read(name, one, cursor)
        whole, last = read(name, one)
        assert spoken(found + records) == spoken(whole)
        assert cursor == last


def test_every_agent_with_a_transcript_of_its_own_is_here() -> None:
    from agent_memory.capture.registry import AGENTS

    assert set(LINES) | set(DATABASES) | {"claude", "codex"} == set(AGENTS)
