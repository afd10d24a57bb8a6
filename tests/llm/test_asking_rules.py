from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.capture import hook
from agent_memory.errors import BudgetExhausted, ModelError, UsageError
from agent_memory.llm import asking
from agent_memory.llm.asking import Model, Unusable
from agent_memory.llm.base import INSIDE, CallFailed, Failure, Format, Price, Question, Reply, Turn
from agent_memory.llm.budget import Limits, Meter
from agent_memory.llm.open import open_llm
from agent_memory.llm.parse import Said, parse
from agent_memory.llm.providers.replay import ReplayLlm
from agent_memory.llm.usage import usage
from agent_memory.model.graph import ModelCall
from agent_memory.text.marker import OWN_CALL

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
ASK = Question((Turn("system", "s"), Turn("user", "u")), {"type": "object"}, "x", 100)


@pytest.fixture(autouse=True)
def _fresh_formats() -> Iterator[None]:
    asking._taken.clear()
    yield
    asking._taken.clear()


def call(at: datetime = NOW, **fields: object) -> ModelCall:
    return replace(ModelCall(f"c{at}{fields}", at, "m", "observe", "s1", 100, 50, 900, "ok"), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "value"), [
    ('{"a": 1}', {"a": 1}), ('```json\n{"a": 1}\n```', {"a": 1}), ("[]", []),
    ('Sure! ```{"facts":["Use ```json fences``` in docs"]}``` bye', {"facts": ["Use ```json fences``` in docs"]}),
    ('<think>{"a": 0}</think>{"a": 1}', {"a": 1}), ('see [1] and {x} then {"a": {"b": [1, 2]}}', {"a": {"b": [1, 2]}}),
])
def test_json_is_found_anywhere(text: str, value: object) -> None:
    assert parse(text).value == value


@pytest.mark.parametrize("text", ["", "  \n", "No observations to record.", "Nothing worth noting.", "None", "没有需要记录的内容。",
                                  "Keine neuen Beobachtungen.", "There are no facts to extract here."])
def test_nothing_in_prose_is_an_answer(text: str) -> None:
    assert parse(text).said is Said.NOTHING


def test_words_about_context_windows_are_no_failure() -> None:
    assert parse('{"text": "prompt is too long; context window exceeded; I cannot help"}').said is Said.JSON


@pytest.mark.parametrize("text", ["I'm sorry, but I can’t assist with that.", "I cannot help with this request."])
def test_refusal_is_told_apart(text: str) -> None:
    assert parse(text).said is Said.REFUSAL


@given(st.one_of(st.text(), st.binary().map(lambda b: b.decode("latin-1")), st.text('{}[]",:0a ')))
def test_any_text_parses_to_something(text: str) -> None:
    assert parse(text).said in Said


def test_deep_nesting_is_invalid_and_not_a_crash() -> None:
    assert parse("[" * 100_000).said is Said.INVALID


def meter(limits: Limits, *spent: ModelCall, price: Price | None = None) -> tuple[Meter, list[ModelCall]]:
    calls: list[ModelCall] = []
    return Meter(limits, model="m", price=price, spent=spent, record=calls.append, now=NOW), calls


def test_what_was_spent_today_counts_and_yesterdays_does_not() -> None:
    limits = Limits(tokens_per_day=400, tokens_per_session=None, usd_per_day=None, usd_per_session=None)
    meter(limits, call(NOW - timedelta(days=1)), call())[0].reserve(100, 100, purpose="observe", session="s2")
    with pytest.raises(BudgetExhausted, match="300 of 400 are used"):
        meter(limits, call(), call(NOW - timedelta(hours=1)))[0].reserve(100, 100, purpose="observe", session="s2")


def test_a_session_keeps_its_budget_over_days() -> None:
    limits = Limits(tokens_per_day=None, tokens_per_session=200, usd_per_day=None, usd_per_session=None)
    spent = call(NOW - timedelta(days=2))
    with pytest.raises(BudgetExhausted, match="tokens a session"):
        meter(limits, spent)[0].reserve(60, 0, purpose="observe", session="s1")
    meter(limits, spent)[0].reserve(60, 0, purpose="observe", session="s2")


def test_reserved_room_counts_until_it_is_settled() -> None:
    m, calls = meter(Limits(tokens_per_day=300))
    held = m.reserve(100, 100, purpose="observe", session="a")
    with pytest.raises(BudgetExhausted):
        m.reserve(100, 100, purpose="observe", session="b")
    m.settle(held, tokens_in=50, tokens_out=10, outcome="ok")
    m.reserve(100, 100, purpose="observe", session="b")
    assert [c.tokens_in for c in calls] == [50]


def test_unknown_price_is_assumed_and_known_price_is_used() -> None:
    for price, cost in ((None, 600), (Price(1, 2), 70)):
        m, calls = meter(Limits(), price=price)
        m.settle(m.reserve(100, 100, purpose="observe", session="a"), tokens_in=50, tokens_out=10, outcome="ok")
        assert calls[0].cost_microusd == cost


def test_the_price_is_looked_up_only_for_a_call_that_has_room() -> None:
    looked: list[int] = []

    def price() -> Price | None:
        looked.append(1)
        return Price(1, 1)

    calls: list[ModelCall] = []
    m = Meter(Limits(tokens_per_day=50), model="m", price=price, record=calls.append, now=NOW)
    with pytest.raises(BudgetExhausted):
        m.reserve(100, 100, purpose="observe", session="a")
    assert looked == []
    for _ in range(2):
        m.settle(m.reserve(5, 5, purpose="observe", session="a"), tokens_in=5, tokens_out=5, outcome="ok")
    assert (looked, calls[0].cost_microusd) == ([1], 10)


def test_every_call_has_an_id_of_its_own() -> None:
    m, calls = meter(Limits(), call())
    for _ in range(3):
        m.settle(m.reserve(1, 1, purpose="observe", session="a"), tokens_in=1, tokens_out=1, outcome="ok")
    assert len({c.id for c in calls}) == 3


def test_pauses_grow_and_tries_end() -> None:
    m, calls = meter(Limits())
    pauses: list[float] = []
    llm = ReplayLlm([CallFailed(Failure.CONNECTION, "reset")] * 4)
    with pytest.raises(ModelError, match="did not answer after 4 tries: reset"):
        Model(llm, m, sleep=pauses.append).ask(ASK, lambda v: v, purpose="observe")
    assert pauses == [1.0, 2.0, 4.0]
    assert [c.outcome for c in calls] == ["error"] * 4


def test_the_whole_question_has_a_time_limit() -> None:
    clock = iter(range(0, 1000, 50))
    llm = ReplayLlm([CallFailed(Failure.TIMEOUT, "late")] * 9)
    m, _ = meter(Limits())
    with pytest.raises(ModelError, match="late"):
        Model(llm, m, seconds=180, attempts=9, sleep=lambda _: None, elapsed=lambda: float(next(clock))).ask(
            ASK, lambda v: v, purpose="observe")
    assert len(llm.asked) < 4


def test_a_bug_in_a_check_is_raised_and_still_metered() -> None:
    m, calls = meter(Limits())

    def broken(value: object) -> object:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Model(ReplayLlm(["{}"]), m).ask(ASK, broken, purpose="observe")
    assert len(calls) == 1


def test_the_repair_shows_the_answer_and_the_reason() -> None:
    m, _ = meter(Limits())
    llm = ReplayLlm(['{"a": 1}', '{"b": 2}'])

    def check(value: object) -> object:
        if value != {"b": 2}:
            raise Unusable("b is missing")
        return value

    answer = Model(llm, m).ask(ASK, check, purpose="observe")
    assert (answer.value, answer.repaired) == ({"b": 2}, True)
    assert [t.text for t in llm.asked[1][0].turns if t.role == "assistant"] == ['{"a": 1}']
    assert "b is missing" in llm.asked[1][0].turns[-1].text


def command(code: str) -> str:
    return f"command:{shlex.quote(sys.executable)} -c {shlex.quote(code)}"


def test_a_command_can_be_the_model_and_is_marked() -> None:
    code = "import os,sys,json; t=sys.stdin.read(); print(json.dumps([os.environ['AGENT_MEMORY_INSIDE'], t.splitlines()[0], os.listdir()]))"
    m, calls = meter(Limits())
    answer = Model(open_llm(command(code)), m).ask(ASK, lambda v: v, purpose="observe")
    assert answer.value == ["1", OWN_CALL, []]
    assert calls[-1].outcome == "ok"
    assert "AGENT_MEMORY_INSIDE" not in os.environ


def test_hooks_know_the_mark_of_our_own_commands() -> None:
    assert hook.INSIDE == INSIDE


@pytest.mark.skipif(os.name == "nt", reason="process groups are POSIX")
def test_a_hanging_command_ends_with_all_it_started(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    code = (f"import subprocess,sys,time; p=subprocess.Popen([sys.executable,'-c','import time; time.sleep(60)']); "
            f"open({str(note)!r},'w').write(str(p.pid)); time.sleep(60)")
    with pytest.raises(CallFailed) as failed:
        open_llm(command(code)).complete(ASK, Format.TEXT, timeout=1.5)
    assert failed.value.kind is Failure.TIMEOUT
    psutil.wait_procs([p for p in [_process(int(note.read_text()))] if p], timeout=5)
    left = _process(int(note.read_text()))
    assert left is None or left.status() == psutil.STATUS_ZOMBIE


def _process(pid: int) -> psutil.Process | None:
    try:
        return psutil.Process(pid)
    except psutil.NoSuchProcess:
        return None


@pytest.mark.parametrize(("model", "kind"), [
    (command("raise SystemExit(3)"), Failure.SERVER), ("command:/no/such/program", Failure.FATAL)])
def test_a_failing_command_says_why(model: str, kind: Failure) -> None:
    with pytest.raises(CallFailed) as failed:
        open_llm(model).complete(ASK, Format.TEXT, timeout=20)
    assert failed.value.kind is kind


@pytest.mark.parametrize("model", ["", "command:", 'command:"open'])
def test_a_model_that_cannot_be_named_is_a_usage_error(model: str) -> None:
    with pytest.raises(UsageError):
        open_llm(model)


def test_usage_sums_by_span_model_and_purpose() -> None:
    class Graph:
        def model_calls(self, since: datetime | None = None) -> list[ModelCall]:
            return [call(NOW - timedelta(days=40)), call(NOW - timedelta(days=3), outcome="timeout"), call(),
                    call(purpose="reflect", session="")]

    report = usage(Graph(), NOW)
    assert [(x.span, x.purpose, x.calls, x.failed) for x in report.lines] == [
        ("today", "observe", 1, 0), ("today", "reflect", 1, 0), ("7 days", "observe", 2, 1), ("7 days", "reflect", 1, 0),
        ("30 days", "observe", 2, 1), ("30 days", "reflect", 1, 0), ("all", "observe", 3, 1), ("all", "reflect", 1, 0)]
    assert report.total("all").microusd == 3600
    assert report.sessions == (("s1", 450),)
    assert (report.last_ok, report.last_failed) == (NOW, NOW - timedelta(days=3))


def test_a_provider_that_counts_is_believed_and_one_that_does_not_is_estimated() -> None:
    m, calls = meter(Limits())
    asker = Model(ReplayLlm([Reply("{}", 7, 3), Reply("{}")]), m)
    for _ in range(2):
        asker.ask(ASK, lambda v: v, purpose="observe")
    assert (calls[0].tokens_in, calls[0].tokens_out) == (7, 3)
    assert calls[1].tokens_in > 0
