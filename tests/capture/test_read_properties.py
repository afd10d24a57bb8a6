"""Whatever a transcript looks like and wherever reading stops: nothing is lost, doubled or taken apart differently."""

from __future__ import annotations

import json
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from transcript_lines import CLAUDE_DAY, CODEX_DAY, CODEX_LEGACY, SESSION, claude, codex, text_of

from agent_memory.capture.registry import agent
from agent_memory.clock import parse
from agent_memory.model.transcript import Cursor, Message, Session, ToolEvent

NOW = parse("2026-11-30T12:00:00Z")
DAYS = {"claude": text_of(CLAUDE_DAY), "codex": text_of(CODEX_DAY), "codex-legacy": text_of(CODEX_LEGACY)}
JSON = st.recursive(st.one_of(st.none(), st.booleans(), st.integers(-5, 2**40), st.text(max_size=10), st.sampled_from(
    ["user", "assistant", "message", "tool_result", "text", "<private>", "response_item", "function_call"])), lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(
            ["type", "message", "content", "text", "role", "payload", "uuid", "timestamp", "tool_use_id", "output", "arguments", "origin", "kind", "name",
             "input", "id", "call_id", "toolUseResult", "permissionDecision", "isSidechain", "item", "sessionId"]), inner, max_size=5)), max_leaves=10)


def everything(name: str, path: Path, after: Cursor | None, now: datetime = NOW) -> tuple[list[Any], Cursor | None]:
    found: list[Any] = []
    cursor = after
    for record in agent(name.split("-")[0]).read(path, after, now=now):
        if isinstance(record, Cursor):
            cursor = record
        elif isinstance(record, Message | ToolEvent):
            found.append(record)
    return found, cursor


@pytest.mark.parametrize("name", DAYS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_growing_file_read_in_pieces_equals_one_read(name: str, data: st.DataObject) -> None:
    raw = DAYS[name]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=5)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{SESSION}.jsonl"
        found: list[Any] = []
        cursor = None
        for cut in (*cuts, len(raw)):
            path.write_bytes(raw[:cut])
            if agent(name.split("-")[0]).head(path) is not None:
                records, cursor = everything(name, path, cursor)
                found += records
        whole, last = everything(name, path, None)
        assert found == whole
        assert cursor == last


@pytest.mark.parametrize("name", ["claude", "codex"])
@settings(max_examples=120, deadline=None)
@given(lines=st.lists(st.one_of(JSON, st.fixed_dictionaries({"type": st.sampled_from(["user", "assistant", "response_item", "event_msg"]), "message": JSON, "payload": JSON})),
                      max_size=6), noise=st.binary(max_size=30))
def test_no_line_stops_the_reading(name: str, lines: list[Any], noise: bytes) -> None:
    first = claude(1, "user", "first") if name == "claude" else CODEX_DAY[0]
    last = claude(99, "user", "the last word") if name == "claude" else codex(99, "response_item", {
        "type": "message", "id": "m99", "role": "user", "content": [{"type": "input_text", "text": "the last word"}]})
    raw = text_of([first]) + b"".join(json.dumps(x).encode() + b"\n" for x in lines) + noise.replace(b"\n", b"") + b"\n" + text_of([last])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        path.write_bytes(raw)
        found, cursor = everything(name, path, None)
        assert found[-1].text == "the last word"
        assert cursor is not None
        assert cursor.offset == len(raw)
        assert [r.seq for r in found] == list(range(len(found)))
        for record in found:
            json.dumps([getattr(record, f) for f in ("text", "name", "input", "output") if hasattr(record, f)], ensure_ascii=False).encode()


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=400))
def test_garbage_is_never_a_session(raw: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        path.write_bytes(raw)
        for name in ("claude", "codex"):
            assert not [r for r in agent(name).read(path, None, now=NOW) if isinstance(r, Session)]
