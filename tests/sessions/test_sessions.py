"""What happened: sessions, tool calls and subagents found by any words, told in order, and judged by their failures."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import partial

import pytest
import transcript_lines as lines
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent_memory import Memory
from agent_memory.errors import AgentMemoryError, UsageError

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SAID = [
    lines.person(1, "Deploy the bakery-api with `--wait`, and never touch \"prod\" on Fridays"),
    lines.call(2, "Bash", {"command": "kubectl apply -f oven.yaml"}),
    lines.result(3, 2, "error: namespace \"bäckerei\" not found", error=True),
    lines.call(4, "Bash", {"command": "kubectl apply -f oven.yaml"}),
    lines.result(5, 4, "deployment.apps/oven created ｋｕｂｅ 本番 100% a_b"),
    lines.call(6, "Bash", {"command": "kubectl get pods"}),
    lines.result(7, 6, "oven-1 Running"),
    lines.call(8, "Bash", {"command": "make glaze"}),
    lines.result(9, 8, "make: *** No rule to make target 'glaze'", error=True),
    lines.answer(10, "The oven is deployed; 本番 will follow on Monday."),
]


@pytest.fixture(scope="module", params=["memory", "kuzu"])
def memory(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Memory:
    root = tmp_path_factory.mktemp(request.param)
    path = root / f"{lines.SESSION}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in SAID), encoding="utf-8")
    side = path.with_suffix("") / "subagents" / "agent-a1.jsonl"
    side.parent.mkdir(parents=True)
    side.write_text("".join(json.dumps(line) + "\n" for line in (
        lines.person(11, "Look up the yeast prices", isSidechain=True, agentId="a1"),
        lines.answer(12, "Yeast costs 3 crowns-per-kilo", isSidechain=True, agentId="a1"))), encoding="utf-8")
    made = Memory(root / "home", engine=request.param, now=lambda: NOW)
    made.observe_file("claude", path)
    made.observe_file("claude", side)
    return made


def test_every_time_a_command_was_run_is_found_newest_first(memory: Memory) -> None:
    found = memory.search_events("kubectl apply", all_projects=True)
    assert [(hit.command, hit.event.status) for hit in found] == [
        ("kubectl apply -f oven.yaml", "ok"), ("kubectl apply -f oven.yaml", "error")]
    assert [h.event.status for h in memory.search_events("kubectl apply", all_projects=True, status="error")] == ["error"]
    assert memory.search_events("kubectl destroy", all_projects=True) == []


@pytest.mark.parametrize("query", ["-f oven.yaml", "bäckerei", "BÄCKEREI", "ｋｕｂｅ", "kubectl 本番", "100%", "a_b", '"bäckerei"',
                                   "deployment.apps/oven"])
def test_punctuation_and_any_script_are_just_text(memory: Memory, query: str) -> None:
    assert memory.search_events(query, all_projects=True)


@pytest.mark.parametrize("query", ["bakery-api", '"prod"', "--wait", "NOT prod", "prod*", "(prod", "本番"])
def test_sessions_are_found_by_what_was_said(memory: Memory, query: str) -> None:
    assert [hit.session.host_id for hit in memory.search_sessions(query, all_projects=True, subagents=False)] == [
        lines.SESSION]


def test_subagents_are_found_by_what_they_said_and_stand_below_their_session(memory: Memory) -> None:
    found = memory.search_sessions("crowns-per-kilo", all_projects=True, subagents=True)
    assert len(found) == 1
    tree = memory.session_tree(found[0].session.id[:12])
    assert tree.session.host_id == lines.SESSION
    assert [child.session.id for child in tree.children] == [found[0].session.id]


def test_a_summary_says_what_was_asked_and_what_failed_to_the_end(memory: Memory) -> None:
    shown = memory.show_session(lines.SESSION[:8])
    assert "Deploy the bakery-api" in str(shown.summary.asked)
    assert "make glaze" in str(shown.summary.failed)
    assert "kubectl apply" not in str(shown.summary.failed)  # it passed when it was tried again
    assert (shown.summary.tools, shown.summary.children) == (4, 1)


def test_a_command_that_failed_and_was_retried_wants_attention(memory: Memory) -> None:
    found = memory.analyze(all_projects=True)
    assert any("kubectl apply" in str(one) for one in found)
    assert not any("kubectl get" in str(one) for one in found)


ANY = st.text(max_size=60) | st.text(alphabet="\"'*():-^~&|{}[]\\%_$#@!?.,; aANDORNOTé本\x00\u202e\ufeff", max_size=40) \
    | st.sampled_from(["\udcff", "a\udc80b", "\x00", "NEAR(", "a OR", '"', "'; DROP TABLE x --", "$p0", "{{", "x" * 5000])


@settings(max_examples=80, deadline=None)
@given(query=ANY)
@example(query="")
@example(query="\udcff kubectl")
def test_any_query_string_gives_an_answer_or_says_what_is_wrong(memory: Memory, query: str) -> None:
    for ask in (memory.search_events, memory.search_sessions, partial(memory.search_sessions, subagents=True)):
        try:
            assert isinstance(ask(query, all_projects=True), list)  # type: ignore[operator]
        except AgentMemoryError as problem:
            assert isinstance(problem, UsageError), problem  # noqa: PT017 either is right; another kind is not


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_every_piece_of_a_tool_call_finds_it(memory: Memory, data: st.DataObject) -> None:
    events = [hit.event for hit in memory.search_events("", all_projects=True)]
    text = data.draw(st.sampled_from([f"{e.name} {e.input} {e.output}" for e in events]))
    start = data.draw(st.integers(0, len(text) - 1))
    piece = text[start:data.draw(st.integers(start + 1, len(text)))]
    assert memory.search_events(piece, all_projects=True), piece
    assert memory.search_events(piece.upper(), all_projects=True), piece


