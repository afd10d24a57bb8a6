"""Whatever is written, observing ends, says one short thing at a time, cites what it was shown, and says the same again."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from observe_world import Line, records, session

from agent_memory.model.candidate import MAX_TEXT, SessionView
from agent_memory.model.memory import Kind
from agent_memory.model.transcript import Message, Role, ToolEvent
from agent_memory.observe.linking import topic_key
from agent_memory.observe.rules.observer import RulesObserver
from agent_memory.observe.rules.segment import sentences, units

WORDS = ["never", "always", "use", "Redis", "kein", "Redis", "bitte", "nicht", "jamais", "so", "because", "failed", "`npm ci`", "src/app.py", "3.1", "5 s",
         "actually", "scrap", "?", "!", ".", "。", "\n", "- ", "## Decisions\n", "使わないで", "ください", "不要", "用", "原因", "ので", "→", "```", "<private>", "Open:", "no",
         "thanks", "\u200b", "\ud800", "🙂", "e.g.", "1.", "https://x.example/a_b"]
TEXTS = st.one_of(st.text(max_size=300), st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join), st.lists(st.sampled_from(WORDS), max_size=40).map("".join))
SPOKEN = st.tuples(st.sampled_from(["person", "refuses", "answers", "agent", "plan", "task", "summary", "injected"]), TEXTS)
RUNS = st.tuples(st.sampled_from(["ok", "error"]), TEXTS, TEXTS)
TALKS = st.lists(st.one_of(SPOKEN, SPOKEN, RUNS), max_size=12)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(TALKS)
def test_any_conversation_is_observed_within_the_contract(lines: list[Line]) -> None:
    shown = SessionView(session(), records(lines))
    found = RulesObserver().observe(shown)
    assert found == RulesObserver().observe(shown)
    for candidate in found.candidates:
        assert 0 < len(candidate.text) <= MAX_TEXT
        assert candidate.cites
        assert set(candidate.cites) <= set(shown.records)
        if all(isinstance(r, ToolEvent) for r in candidate.cites):
            assert candidate.kind is Kind.LESSON
        for record in candidate.cites:
            assert not (isinstance(record, Message) and record.role is Role.HARNESS)
    assert all(d.reason and len(d.text) <= MAX_TEXT for d in found.dropped)


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_sentences_lose_no_letter(text: str) -> None:
    kept = "".join("".join(sentences(text)).split())
    assert kept == "".join(text.split())


@settings(max_examples=200, deadline=None)
@given(TEXTS)
def test_units_are_numbered_in_order(text: str) -> None:
    found = units(text)
    assert [u.index for u in found] == list(range(len(found)))
    assert all(u.text.strip() for u in found)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(list(Kind)), TEXTS)
def test_topic_keys_are_short_and_stable(kind: Kind, text: str) -> None:
    assert len(topic_key(kind, text)) <= 60
    assert topic_key(kind, text) == topic_key(kind, text)


def test_a_long_session_takes_time_in_proportion() -> None:
    """Work is counted, not timed: the number of look-ups of words grows with the text."""
    calls: list[int] = []
    for size in (40, 80):
        lines: list[Line] = [("person" if i % 2 else "agent", f"Never use tool{i} for job{i}, because it fails with code {i}.") for i in range(size)]
        shown = SessionView(session(), records(lines))
        counter = [0]

        def profile(_frame: object, event: str, _arg: object, counter: list[int] = counter) -> None:
            counter[0] += event in ("call", "c_call")

        import sys

        RulesObserver().observe(shown)
        sys.setprofile(profile)
        try:
            RulesObserver().observe(shown)
        finally:
            sys.setprofile(None)
        calls.append(counter[0])
    assert calls[1] < calls[0] * 2.6
