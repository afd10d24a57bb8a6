"""LiteLLM against a real server on loopback; the library is imported once for this file."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from openai_server import Act, cuts, fails, hangs, not_json, rubbish, says, serving, wants_no_schema

from agent_memory.errors import BudgetExhausted, ModelError
from agent_memory.llm import asking
from agent_memory.llm.asking import Answer, Model, Unusable
from agent_memory.llm.base import Question, Turn
from agent_memory.llm.budget import Limits, Meter
from agent_memory.llm.open import open_llm
from agent_memory.model.graph import ModelCall

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SCHEMA = {"type": "object", "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
          "required": ["facts"], "additionalProperties": False}
QUESTION = Question((Turn("system", "Extract."), Turn("user", "We use pnpm.")), SCHEMA, "facts", 200)
DEFAULT = Limits()
GOOD = '{"facts": ["Use pnpm"]}'


@pytest.fixture(autouse=True)
def _fresh_formats() -> Iterator[None]:
    asking._taken.clear()
    yield
    asking._taken.clear()


def facts(value: object) -> list[str]:
    if not isinstance(value, dict) or not isinstance(value.get("facts"), list):
        raise Unusable("facts is missing")
    return [str(v) for v in value["facts"]]


class Outcome:
    def __init__(self) -> None:
        self.calls: list[ModelCall] = []
        self.pauses: list[float] = []
        self.bodies: list[dict[str, object]] = []
        self.answer: Answer[list[str]] | None = None
        self.error: ModelError | None = None


def ask(*script: Act, limits: Limits = DEFAULT, timeout: float = 5.0, seconds: float = 30.0,
        model: str = "openai/some-model") -> Outcome:
    found = Outcome()
    with serving(*script) as server:
        llm = open_llm(model, api_base=server.base)
        meter = Meter(limits, model=model, price=None, record=found.calls.append, now=NOW)
        asker = Model(llm, meter, timeout=timeout, seconds=seconds, sleep=found.pauses.append)
        try:
            found.answer = asker.ask(QUESTION, facts, purpose="observe", session="s1")
        except ModelError as error:
            found.error = error
        found.bodies = list(server.bodies)
    return found


@pytest.mark.parametrize("text", [
    GOOD, f"Here are the facts:\n```json\n{GOOD}\n```\nHope this helps!", f"```\n{GOOD}\n```",
    f"I noted [one] thing. {GOOD} That is all."])
def test_good_answers_are_read_however_they_are_wrapped(text: str) -> None:
    found = ask(says(text))
    assert found.answer == Answer(["Use pnpm"])
    assert [(c.tokens_in, c.tokens_out, c.cost_microusd, c.outcome) for c in found.calls] == [(100, 20, 1200, "ok")]
    assert found.bodies[0]["response_format"]["type"] == "json_schema"  # type: ignore[index]


@pytest.mark.parametrize("text", ["", "No observations to record.", "```json\n[]\n```"])
def test_nothing_to_note_is_an_answer(text: str) -> None:
    if text.startswith("```"):
        assert ask(says(text), says('{"facts": []}')).answer == Answer([], repaired=True)
    else:
        assert ask(says(text)).answer == Answer(None)


def test_wrong_schema_is_repaired_once() -> None:
    found = ask(says('{"things": 1}'), says(GOOD))
    assert found.answer == Answer(["Use pnpm"], repaired=True)
    assert [c.outcome for c in found.calls] == ["invalid", "repaired"]
    assert "facts is missing" in json.dumps(found.bodies[1])


def test_wrong_twice_is_an_error_and_both_are_metered() -> None:
    found = ask(says("blah {"), says("still blah {"))
    assert found.error is not None
    assert "no usable answer" in found.error.message
    assert [c.outcome for c in found.calls] == ["invalid", "invalid"]


def test_a_refusal_is_told_and_not_asked_again() -> None:
    found = ask(says("I'm sorry, but I can't help with that."))
    assert found.error is not None
    assert (found.error.message, len(found.bodies)) == ("openai/some-model refused to answer", 1)


def test_an_answer_that_was_cut_off_is_asked_for_again() -> None:
    assert ask(says('{"facts": ["Use pn', finish="length"), says(GOOD)).answer == Answer(["Use pnpm"], repaired=True)


def test_rate_limit_is_waited_for_then_failures_are_retried() -> None:
    found = ask(fails(429, retry_after="7"), fails(500), says(GOOD))
    assert found.answer == Answer(["Use pnpm"])
    assert found.pauses == [7.0, 2.0]
    assert sum(c.outcome == "ok" for c in found.calls) == 1


def test_retry_after_beyond_the_time_left_gives_up_at_once() -> None:
    found = ask(fails(429, retry_after="3600"))
    assert found.error is not None
    assert (found.pauses, len(found.bodies)) == ([], 1)


def test_a_server_without_response_formats_is_asked_in_plain_text_and_remembered() -> None:
    found = ask(wants_no_schema(says(GOOD)))
    assert found.answer == Answer(["Use pnpm"])
    assert [b.get("response_format", {}).get("type") for b in found.bodies] == ["json_schema", "json_object", None]  # type: ignore[attr-defined]
    assert "response_format" not in ask(wants_no_schema(says(GOOD))).bodies[0]


@pytest.mark.parametrize("act", [hangs, rubbish])
def test_what_never_ends_is_left_behind_in_time(act: Act) -> None:
    found = ask(act, timeout=0.3, seconds=0.5)
    assert found.error is not None
    assert {c.outcome for c in found.calls} <= {"timeout", "error"}
    assert found.calls[0].tokens_in > 0


@pytest.mark.parametrize("act", [cuts, not_json])
def test_cut_connections_and_foreign_answers_are_retried(act: Act) -> None:
    assert ask(act, says(GOOD)).answer == Answer(["Use pnpm"])


def test_a_wrong_key_is_not_retried() -> None:
    found = ask(fails(401, "bad key"))
    assert found.error is not None
    assert len(found.bodies) == 1


@pytest.mark.parametrize("limits", [
    Limits(tokens_per_day=0), Limits(tokens_per_session=0), Limits(usd_per_day=0), Limits(usd_per_session=0),
    Limits(tokens_per_session=100), Limits(usd_per_session=0.0001)])
def test_without_room_in_a_budget_nothing_is_sent(limits: Limits) -> None:
    found = ask(says(GOOD), limits=limits)
    assert isinstance(found.error, BudgetExhausted)
    assert (found.bodies, found.calls) == ([], [])


def test_nothing_beyond_loopback_is_contacted_by_import_price_or_request() -> None:
    script = """
import socket, sys
real = socket.socket.connect
def connect(self, address):
    if self.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1", "localhost"):
        print("CONTACT", address); raise OSError("blocked")
    return real(self, address)
socket.socket.connect = connect
look = socket.getaddrinfo
def getaddrinfo(host, *a, **k):
    if host not in ("127.0.0.1", "::1", "localhost", None):
        print("LOOKUP", host); raise OSError("blocked")
    return look(host, *a, **k)
socket.getaddrinfo = getaddrinfo
sys.path.insert(0, sys.argv[1])
from openai_server import serving, says
from agent_memory.llm.base import Format, Question, Turn
from agent_memory.llm.open import open_llm
with serving(says("{}")) as server:
    llm = open_llm("openai/gpt-4o-mini", api_base=server.base)
    print(llm.price() is not None, open_llm("openai/unheard-of").price(),
          llm.complete(Question((Turn("user", "x"),), {}, "x"), Format.TEXT, timeout=20).text)
"""
    done = subprocess.run([sys.executable, "-c", script, os.path.dirname(os.path.dirname(__file__))], capture_output=True, text=True,
                          check=True, timeout=120)
    assert done.stdout.strip() == "True None {}"
    assert "CONTACT" not in done.stderr


def test_opening_a_model_imports_no_library() -> None:
    code = "import sys; from agent_memory.llm.open import open_llm; open_llm('a/b'); print('litellm' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_an_unreachable_server_is_a_plain_error() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    llm = open_llm("openai/some-model", api_base=f"http://127.0.0.1:{port}/v1")
    calls: list[ModelCall] = []
    asker = Model(llm, Meter(Limits(), model="m", price=None, record=calls.append, now=NOW), attempts=2,
                  sleep=lambda _: None)
    with pytest.raises(ModelError, match="did not answer after 2 tries"):
        asker.ask(QUESTION, facts, purpose="observe")
