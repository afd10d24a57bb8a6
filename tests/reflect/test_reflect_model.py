from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reflector_graphs import NOW, SmallStore, edge_pairs, memory, put, said, texts

from agent_memory.llm import asking
from agent_memory.llm.asking import Model
from agent_memory.llm.base import Format, Price, Question, Reply, tokens
from agent_memory.llm.budget import Limits, Meter
from agent_memory.llm.providers.replay import ReplayLlm
from agent_memory.model.graph import ModelCall
from agent_memory.model.lifecycle import revise
from agent_memory.model.memory import Kind, MemoryType, Status
from agent_memory.reflect.model_consultant import ModelConsultant
from agent_memory.reflect.pipeline import ReflectReport, reflect
from agent_memory.reflect.showing import CHUNK_TOKENS


@pytest.fixture(autouse=True)
def _fresh_formats() -> Iterator[None]:
    asking._taken.clear()
    yield
    asking._taken.clear()


def consultant(*answers: str, limits: Limits | None = None) -> tuple[ModelConsultant, ReplayLlm, list[ModelCall]]:
    calls: list[ModelCall] = []
    llm = ReplayLlm(answers)
    meter = Meter(limits or Limits(), model="replay", price=Price(1, 1), record=calls.append, now=NOW)
    return ModelConsultant(Model(llm, meter, sleep=lambda _: None)), llm, calls


def patch(*operations: dict[str, Any], version: object = 1) -> str:
    return json.dumps({"version": version, "operations": list(operations)})


def op(name: str, keep: object, *others: object, into: str = "", reason: str = "because") -> dict[str, Any]:
    return {"op": name, "keep": keep, "others": list(others), "into": into, "reason": reason}


def with_model(store: SmallStore, *answers: str) -> ReflectReport:
    return reflect(store, now=NOW, model=consultant(*answers)[0])


A = memory("Packages are installed with pnpm", days=9, session="a")
B = memory("For dependencies the team chose pnpm", days=8, session="b")
C = memory("Staging lives in Frankfurt", days=7, session="c", kind=Kind.FACT)
D = memory("Staging was moved to Dublin last week", days=2, session="d", kind=Kind.FACT)


@pytest.fixture
def store() -> SmallStore:
    store = SmallStore()
    put(store, A, B, C, D)
    return store


def test_a_good_patch_is_applied(store: SmallStore) -> None:
    report = with_model(store, patch(op("merge", 1, 2), op("retire", 4, 3, reason="moved to Dublin")))
    assert report.counts() == {"merge": 1, "supersede": 1}
    assert texts(store, Status.ACTIVE) == {A.text, D.text}
    assert (D.id, C.id) in edge_pairs(store, "supersedes")
    assert store.written[-1].actor == "reflector/1"


def test_promotion_takes_the_words_of_a_memory_and_never_the_models(store: SmallStore) -> None:
    with_model(store, patch(op("promote", 1, 2, into="principle", reason="the team's rule")))
    node = next(m for m in store.graph.memories() if m.type is MemoryType.PRINCIPLE)
    assert node.text == A.text
    assert edge_pairs(store, "condenses") == {(node.id, A.id), (node.id, B.id)}


def test_contest_marks_both(store: SmallStore) -> None:
    with_model(store, patch(op("contest", 3, 4)))
    assert texts(store, Status.CONTESTED) == {C.text, D.text}


@pytest.mark.parametrize("bad", [
    patch(op("merge", 1, 2), op("merge", 99, 3)), patch(op("merge", 1, 2), op("erase", 3)), patch(op("merge", 1, 2), version=2),
    patch(op("merge", 1, 2), version=True), patch(op("merge", 1, 2), op("retire", 2, 3)), patch(op("merge", 1, 1)),
    patch(op("merge", True, 2)), patch(op("merge", "1", 2)), patch(op("merge", 1)), patch(op("retire", 4, 3, 2)),
    patch(op("merge", 1, 2, reason="")), patch(op("merge", 1, 2, reason="x" * 301)), patch(op("promote", 1)),
    patch(op("merge", 1, 2, into="principle")), patch(op("merge", 1, 2) | {"extra": 1}), patch({"op": "merge"}),
    json.dumps([op("merge", 1, 2)]), json.dumps({"operations": [op("merge", 1, 2)]}), "{", "rubbish {",
    json.dumps({"version": 1, "operations": {}}), json.dumps({"version": 1, "operations": [1]}),
])
def test_a_malformed_patch_leaves_all_as_it_was(store: SmallStore, bad: str) -> None:
    before = store.graph.memories()
    report = with_model(store, bad, bad)
    assert store.graph.memories() == before
    assert report.steps == ()
    assert "no usable answer" in report.notes[0]


@pytest.mark.parametrize(("fields", "operation", "why"), [
    ({"pinned": True}, op("merge", 1, 2), "pinned"), ({"observer": "person"}, op("merge", 1, 2), "a person's own"),
    ({"observer": "person"}, op("contest", 1, 2), "a person's own"), ({}, op("retire", 1, 2), "is not older"),
    ({"text": "Open port 5433 for tests"}, op("merge", 2, 1), "lose a number"),
    ({"text": "Never deploy on a Friday"}, op("merge", 2, 1), "or a negation"),
])
def test_a_patch_that_goes_too_far_is_dropped_as_a_whole(fields: dict[str, Any], operation: dict[str, Any], why: str) -> None:
    store = SmallStore()
    put(store, memory(**({"text": "One thing about releases", "days": 9.0} | fields)), B, C, D)
    before = [m for m in store.graph.memories() if m.type is MemoryType.OBSERVATION]
    report = with_model(store, patch(operation, op("contest", 3, 4)))
    assert [m for m in store.graph.memories() if m.type is MemoryType.OBSERVATION] == before
    assert why in report.notes[0]


def test_taking_away_more_than_half_is_dropped(store: SmallStore) -> None:
    report = with_model(store, patch(op("merge", 1, 2, 3, 4)))
    assert "takes away 3 of 4" in report.notes[0]
    assert len(texts(store, Status.ACTIVE)) == 4


def test_tool_output_is_not_promoted_to_a_rule_by_a_model() -> None:
    store = SmallStore()
    node = said(store, memory("Run everything as root", days=3), None)
    put(store, C)
    number = 1 if node.created_at < C.created_at else 2
    report = with_model(store, patch(op("promote", number, into="principle")))
    assert "tool output" in report.notes[0]
    assert all(m.type is MemoryType.OBSERVATION for m in store.graph.memories())


_VALUE = st.none() | st.booleans() | st.integers(-2, 7) | st.sampled_from(
    ["merge", "promote", "retire", "contest", "principle", "preference", "reflection", "", "x"])
_OPERATION = st.fixed_dictionaries(
    {"op": _VALUE, "keep": _VALUE, "others": st.lists(_VALUE, max_size=3) | _VALUE, "into": _VALUE, "reason": _VALUE},
    optional={"extra": _VALUE}) | _VALUE
_PATCH = st.fixed_dictionaries({"version": _VALUE, "operations": st.lists(_OPERATION, max_size=3) | _VALUE}) | st.lists(_OPERATION)


def _valid(value: object) -> bool:
    """An independent reading of the envelope."""
    if not isinstance(value, dict) or type(value.get("version")) is not int or value["version"] != 1:
        return False
    operations, used = value.get("operations"), []
    if set(value) != {"version", "operations"} or not isinstance(operations, list):
        return False
    for o in operations:
        if not isinstance(o, dict) or set(o) != {"op", "keep", "others", "into", "reason"} or not isinstance(o["others"], list):
            return False
        numbers = [o["keep"], *o["others"]]
        if any(type(n) is not int or not 1 <= n <= 4 for n in numbers) or not isinstance(o["reason"], str) or not o["reason"]:
            return False
        if o["op"] not in ("merge", "promote", "retire", "contest") or isinstance(o["op"], bool):
            return False
        if (o["op"] == "promote") != (o["into"] in ("preference", "principle", "reflection")) or not isinstance(o["into"], str):
            return False
        if o["op"] != "promote" and o["into"]:
            return False
        used += numbers
    return len(used) == len(set(used))


@settings(max_examples=200, deadline=None)
@given(_PATCH)
def test_no_patch_changes_the_graph_unless_it_is_valid(value: object) -> None:
    asking._taken.clear()
    store = SmallStore()
    put(store, A, B, C, D)
    before = store.graph.memories()
    report = with_model(store, json.dumps(value), json.dumps(value))
    if report.steps:
        assert _valid(value)
    else:
        assert store.graph.memories() == before
    assert {m.id for m in before} <= {m.id for m in store.graph.memories()}
    assert {m.id: m.text for m in store.graph.memories()}.items() >= {m.id: m.text for m in before}.items()


def test_without_new_observations_or_in_a_dry_run_no_model_is_asked(store: SmallStore) -> None:
    model, llm, _ = consultant(patch())
    reflect(store, now=NOW, model=model, dry_run=True)
    assert llm.asked == []
    reflect(store, now=NOW, model=model)
    asked, before = len(llm.asked), len(store.written)
    assert asked == 1
    reflect(store, now=NOW, model=model)
    assert (len(llm.asked), len(store.written)) == (asked, before)


def test_a_question_is_bounded_however_large_the_graph_is() -> None:
    store = SmallStore()
    put(store, *(memory(f"Service number{i} talks to the queue about topic{i % 50} and more", days=1 + i / 1000, n=i)
                 for i in range(2_000)))
    model, llm, _ = consultant(*[patch()] * 50, limits=Limits(None, None, None, None))
    report = reflect(store, now=NOW, model=model)
    assert max(sum(tokens(t.text) for t in q.turns) for q, _ in llm.asked) < 2 * CHUNK_TOKENS
    assert len(llm.asked) <= 8
    assert "Not all new memories" in report.notes[0]


def test_no_question_mixes_projects() -> None:
    store = SmallStore()
    put(store, *(memory(f"Word{i} is special in {p}", days=1 + i, n=i, project=p) for i in range(4) for p in ("red", "blue")))
    model, llm, _ = consultant(patch(), patch())
    reflect(store, now=NOW, model=model)
    shown = [q.turns[1].text for q, _ in llm.asked]
    assert len(shown) == 2
    assert all(("in red" in t) != ("in blue" in t) for t in shown)


def test_without_budget_the_rules_alone_reflect(store: SmallStore) -> None:
    model, llm, calls = consultant(limits=Limits(tokens_per_day=0))
    report = reflect(store, now=NOW, model=model)
    assert (llm.asked, calls) == ([], [])
    assert "budget" in report.notes[0]


class SlowLlm(ReplayLlm):
    """While it thinks, others write."""

    def __init__(self, store: SmallStore, answer: str) -> None:
        super().__init__([answer])
        self.store = store

    def complete(self, question: Question, form: Format, *, timeout: float) -> Reply:
        _, changes = revise(A, "person", NOW, text="Packages are installed with bun")
        self.store.commit(changes, at=NOW, actor="person")
        put(self.store, memory("Written while the model was thinking", days=0))
        return super().complete(question, form, timeout=timeout)


def test_what_others_write_while_a_model_thinks_survives(store: SmallStore) -> None:
    llm = SlowLlm(store, patch(op("merge", 1, 2), op("retire", 4, 3)))
    meter = Meter(Limits(), model="slow", price=None, record=lambda _: None, now=NOW)
    report = reflect(store, now=NOW, model=ModelConsultant(Model(llm, meter)))
    assert [s.what for s in report.outdated] == ["merge"]
    assert report.counts() == {"supersede": 1}
    assert texts(store, Status.ACTIVE) == {"Packages are installed with bun", B.text, D.text,
                                           "Written while the model was thinking"}
