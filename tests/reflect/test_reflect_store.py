"""The reflector over real stores."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from reflector_graphs import NOW, memory, project

from agent_memory.llm.asking import Model
from agent_memory.llm.base import Format, Question, Reply
from agent_memory.llm.budget import Limits, Meter
from agent_memory.llm.providers.replay import ReplayLlm
from agent_memory.llm.usage import usage
from agent_memory.model.change import PutNode
from agent_memory.model.graph import ModelCall
from agent_memory.model.lifecycle import heard_again, learn
from agent_memory.model.memory import Kind, MemoryNode, MemoryType, Priority, Status
from agent_memory.paths import Home
from agent_memory.reflect.due import due
from agent_memory.reflect.model_consultant import ModelConsultant
from agent_memory.reflect.pipeline import reflect
from agent_memory.store.open import Store


@pytest.fixture(params=["memory", "kuzu"])
def store(request: pytest.FixtureRequest, home: Home) -> Store:
    return Store(home, engine=request.param, actor="test")


def put(store: Store, *nodes: MemoryNode) -> None:
    store.commit([PutNode(project("p1")), *(c for n in nodes for c in learn(n))], at=NOW, actor="test")


def everything(store: Store) -> list[MemoryNode]:
    with store.read() as graph:
        return graph.memories()


def test_all_steps_reach_the_graph_and_a_second_run_writes_nothing(store: Store) -> None:
    put(store,
        memory("We use pnpm in this repository", days=9, project="p1", sessions=2),
        memory("This repo uses pnpm.", days=2, project="p1"),
        memory("We switched from Jest to Vitest", days=3, project="p1"), memory("We use Jest", days=9, project="p1"),
        memory("The API listens on port 5432", days=5, kind=Kind.FACT, project="p1", n=1),
        memory("The API listens on port 5433", days=5, kind=Kind.FACT, project="p1", n=2),
        memory("Old remark about caches", days=100, kind=Kind.FACT, priority=Priority.GREEN, project="p1"))
    report = reflect(store, now=NOW)
    assert report.counts() == {"archive": 1, "contest": 1, "merge": 1, "promote": 1, "supersede": 1}
    assert report.outdated == ()
    after, position = everything(store), store.position()
    assert {m.status for m in after} == {Status.ACTIVE, Status.SUPERSEDED, Status.CONTESTED, Status.STALE}
    assert reflect(store, now=NOW).steps == ()
    assert (everything(store), store.position()) == (after, position)


def test_every_engine_plans_the_same(home: Home, tmp_path_factory: pytest.TempPathFactory) -> None:
    nodes = [memory(f"Fact {i % 5} about module_{i % 9} in general", days=i, n=i, kind=list(Kind)[i % 7],
                    priority=list(Priority)[i % 3], sessions=1 + i % 4, project="p1") for i in range(60)]
    reports = []
    for engine in ("memory", "kuzu"):
        other = Store(Home(tmp_path_factory.mktemp(engine)), engine=engine)
        put(other, *nodes)
        reports.append(reflect(other, now=NOW))
    assert reports[0] == reports[1]


def test_due_after_twenty_observations_or_a_day(store: Store) -> None:
    put(store, memory("The first", days=0.5))
    with store.read() as graph:
        assert not due(graph, NOW)
        assert due(graph, NOW + timedelta(hours=13))
    put(store, *(memory(f"Number {i} of many", days=0.4, n=i) for i in range(19)))
    with store.read() as graph:
        assert due(graph, NOW)
    reflect(store, now=NOW)
    with store.read() as graph:
        assert not due(graph, NOW + timedelta(days=30))
    put(store, memory("After that", days=-1))
    with store.read() as graph:
        assert not due(graph, NOW + timedelta(hours=20))
        assert due(graph, NOW + timedelta(days=2))


class Thinking(ReplayLlm):
    """Answers only when others have written."""

    def __init__(self, answer: str, work: Callable[[], None]) -> None:
        super().__init__([answer])
        self._work = work

    def complete(self, question: Question, form: Format, *, timeout: float) -> Reply:
        threads = [threading.Thread(target=self._work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        assert not any(t.is_alive() for t in threads), "a writer waits while a model thinks"
        return super().complete(question, form, timeout=timeout)


def test_no_lease_is_held_while_a_model_thinks_and_nothing_is_lost(store: Store) -> None:
    a, b = memory("Packages are installed with pnpm", days=9), memory("For dependencies the team chose pnpm", days=8)
    put(store, a, b, memory("Staging lives in Frankfurt", days=7, kind=Kind.FACT))
    added: list[str] = []
    lock = threading.Lock()

    def work() -> None:
        with lock:
            node = memory(f"Written meanwhile, number {len(added)}", days=0.01, n=len(added))
            added.append(node.text)
        put(Store(store.home, actor="other"), node)

    def meter(call: ModelCall) -> None:
        store.append([PutNode(call)], at=NOW, actor="test")

    answer = json.dumps({"version": 1, "operations": [
        {"op": "merge", "keep": 1, "others": [2], "into": "", "reason": "same"}]})
    model = Model(Thinking(answer, work), Meter(Limits(), model="slow", price=None, record=meter, now=NOW))
    report = reflect(store, now=NOW, model=ModelConsultant(model))
    assert report.counts() == {"merge": 1}
    active = {m.text for m in everything(store) if m.status is Status.ACTIVE and m.type is MemoryType.OBSERVATION}
    assert active == {a.text, "Staging lives in Frankfurt", *added}
    with store.read() as graph:
        assert usage(graph, NOW).total("today").calls == 1


def test_heard_again_between_plan_and_apply_is_not_overwritten(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = memory("Use pnpm for packages", days=9), memory("use pnpm for the packages", days=8)
    put(store, a, b)
    from agent_memory.reflect import pipeline

    real = pipeline.plan

    def plan(snapshot):  # type: ignore[no-untyped-def]
        steps = real(snapshot)
        store.commit(heard_again(a, NOW, other_session=True), at=NOW, actor="test")
        return steps

    monkeypatch.setattr(pipeline, "plan", plan)
    report = reflect(store, now=NOW)
    assert [s.what for s in report.outdated] == ["merge"]
    monkeypatch.undo()
    reflect(store, now=NOW)
    assert max(m.seen for m in everything(store)) == 3
