"""What every engine must do, run over all of them. The test never asks which engine it has."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from store_samples import T0, Chaos, at, base, batch, memory, message, project, session, tool_event

from agent_memory.model import lifecycle
from agent_memory.model.change import Purge, PutEdge, PutNode, SetCursor, SetObserved, SetState
from agent_memory.model.graph import (
    EDGES,
    TABLES,
    Agent,
    Edge,
    File,
    Happening,
    ModelCall,
    ProjectInfo,
    Symbol,
    Tombstone,
)
from agent_memory.model.memory import MemoryType, Status
from agent_memory.model.transcript import Cursor
from agent_memory.store.base import GraphStore, MemoryFilter
from agent_memory.store.engines.memory import MemoryGraph


@pytest.fixture(params=["memory", "kuzu", "ladybug"])
def graph(request: pytest.FixtureRequest, tmp_path: Path, remote: Callable[[str], Any],
          empty: Callable[[str, Path], Path]) -> Iterator[Any]:
    """An empty graph of each engine; those with a file run in a process of their own."""
    if request.param == "memory":
        yield MemoryGraph()
        return
    opened = remote(request.param)
    opened.open(str(empty(request.param, tmp_path / "graph.db")))
    yield opened
    opened.close()


def dump(graph: Any) -> dict[str, Any]:
    """Everything a graph says."""
    return {
        "position": graph.position(), "counts": graph.counts(), "nodes": list(graph.nodes()),
        "edges": list(graph.all_edges()), "cursors": graph.cursors(), "observed": graph.observed_all(),
        "projects": graph.projects(), "memories": graph.memories(), "happenings": graph.happenings(),
        "sessions": graph.sessions(), "calls": graph.model_calls(),
    }


def test_every_method_of_the_protocol_is_there(graph: Any) -> None:
    names = [n for n, _ in inspect.getmembers(GraphStore, inspect.isfunction) if not n.startswith("_")]
    assert len(names) > 20
    from agent_memory.store.engines.cypher import CypherGraph
    for cls in (MemoryGraph, CypherGraph):
        for name in names:
            assert inspect.signature(getattr(cls, name)) == inspect.signature(getattr(GraphStore, name)), (cls, name)


TOOL_TEXTS = ('kubectl apply -f "prod.yaml"', "KUBECTL delete pod", "grep -e 100% a_b\\c 'x'", "Übergröße СТАВКА ΟΔΟΣ",
              "本番へ デプロイ", "", "line one\nline two\ttab", "$w0 $ {} [a]* (b) \U0001f600", "it's `quoted`", "x" * 5000 + " end")


TOOL_QUESTIONS: tuple[tuple[tuple[str, ...], set[int]], ...] = (
    (("kubectl",), {0, 1}), (("kubectl", "apply"), {0}), (("kubectl", "absent"), set()), (('"prod.yaml"',), {0}),
    (("100%",), {2}), (("a_b\\c",), {2}), (("a%c",), set()), (("übergröße",), {3}), (("ставка",), {3}),
    (("デプロイ",), {4}), (("one\nline",), {6}), (("$w0",), {7}), (("[a]*",), {7}), (("\U0001f600",), {7}),
    (("it's",), {8}), (("`quoted`",), {8}), (("end",), {9}), ((), set(range(10))), (("bash",), set(range(10))),
    (("bash", "bash"), set(range(10))), (("",), set(range(10))))


def test_tool_events_are_found_by_all_words_of_their_texts(graph: Any) -> None:
    events = [replace(tool_event(n), input=text if n % 2 else "", output="" if n % 2 else text)
              for n, text in enumerate(TOOL_TEXTS)]
    graph.apply([batch(1, *[PutNode(e) for e in events])])
    for words, found in TOOL_QUESTIONS:
        assert graph.tool_events_with(words) == [events[n] for n in sorted(found)], words


def test_an_empty_graph_answers_with_nothing(graph: Any) -> None:
    assert graph.position() == 0
    assert graph.counts() == dict.fromkeys([*TABLES, *EDGES], 0)
    assert graph.memory("x") is None
    assert graph.session("x") is None
    assert graph.find_session("claude", "x") is None
    assert graph.cursor("claude", "/x") is None
    assert graph.observed("x") == -1
    assert graph.tombstoned(["x"]) == set()
    for found in (graph.revisions("x"), graph.memories(), graph.memory_ids(""), graph.happenings(), graph.edges(),
                  graph.projects(), graph.agents(), graph.symbols(), graph.files(), graph.sessions(),
                  graph.messages("x"), graph.tool_events("x"), graph.cursors(), graph.model_calls(),
                  list(graph.nodes()), list(graph.all_edges())):
        assert found == []


def test_a_node_comes_back_as_it_was_put(graph: Any) -> None:
    nodes = [Agent("claude", "Claude"), project(), session(title="with 'quotes' \"and\"\nlines \\ 你好"), message(1),
             message(3), tool_event(1), tool_event(3), Symbol("y1", "parse", "p1"), File("f1", "a b.py", "p1"),
             Happening("h1", "m1", "status", "retired", "because", "person", at(1)),
             ModelCall("c1", at(2), "m", "observe", "s1", 1, 2, 3, "ok"), Tombstone("z1", at(3)),
             memory("m1", "plain", tags=("a", "b"), sources=("x:1", "y:2"), valid_from=at(5), expires_at=at(6)),
             memory("m2", "nul \x00 and 🧠", type=MemoryType.REFLECTION, status=Status.STALE, pinned=True),
             memory("m3", "p", type=MemoryType.PREFERENCE), memory("m4", "q", type=MemoryType.PRINCIPLE),
             memory("m5", "", type=MemoryType.MEMENTO)]
    graph.apply([batch(1, *map(PutNode, nodes))])
    assert sorted(graph.nodes(), key=repr) == sorted(nodes, key=repr)
    assert graph.session("s1") == nodes[2]
    assert graph.find_session("claude", "host-s1") == nodes[2]
    assert graph.memory("m1") == nodes[12]


def test_a_key_that_is_there_stays_as_it_is(graph: Any) -> None:
    graph.apply([batch(1, PutNode(memory("m1", "first")))])
    graph.apply([batch(2, PutNode(memory("m1", "second")), PutNode(memory("m2", "a")), PutNode(memory("m2", "b")))])
    assert graph.memory("m1").text == "first"
    assert graph.memory("m2").text == "a"


def test_a_batch_at_or_before_the_position_is_skipped(graph: Any) -> None:
    graph.apply([batch(1, *base()), batch(2, PutNode(memory("m1")))])
    graph.apply([batch(1, PutNode(memory("m9"))), batch(2, PutNode(memory("m9")))])
    assert graph.memory("m9") is None
    assert graph.position() == 2


def test_an_empty_batch_moves_the_position(graph: Any) -> None:
    graph.apply([batch(1)])
    graph.apply([batch(2, Purge((("Observation", "m1@1"),)))])
    assert graph.position() == 2


def test_positions_may_skip(graph: Any) -> None:
    graph.apply([batch(7, PutNode(memory("m1")))])
    assert graph.position() == 7


def test_state_is_set_and_can_be_emptied(graph: Any) -> None:
    graph.apply([batch(1, *base(), PutNode(memory("m1")))])
    graph.apply([batch(2, SetState("Observation", "m1@1", {"status": Status.RETIRED, "seen": 7, "expires_at": at(9),
                                                           "confidence": 1.0, "pinned": True}),
                       SetState("Session", "s1", {"last_at": at(3), "messages": 12}))])
    found = graph.memory("m1")
    assert (found.status, found.seen, found.expires_at, found.confidence, found.pinned) == (
        Status.RETIRED, 7, at(9), 1.0, True)
    assert (graph.session("s1").last_at, graph.session("s1").messages) == (at(3), 12)
    graph.apply([batch(3, SetState("Observation", "m1@1", {"expires_at": None}))])
    assert graph.memory("m1") == replace(found, expires_at=None)


def test_state_within_the_batch_that_puts_the_node_counts(graph: Any) -> None:
    graph.apply([batch(1, SetState("Observation", "m1@1", {"seen": 3}), PutNode(memory("m1")),
                       SetState("Observation", "m1@1", {"seen": 4}), SetState("Observation", "m1@1", {"pinned": True}))])
    assert (graph.memory("m1").seen, graph.memory("m1").pinned) == (4, True)


def test_state_of_a_missing_node_is_ignored(graph: Any) -> None:
    graph.apply([batch(1, SetState("Observation", "m1@1", {"seen": 3}))])
    assert graph.memory("m1") is None


def test_revisions_are_a_lineage(graph: Any) -> None:
    first = memory("m1", "one")
    second, changes = lifecycle.revise(first, "person", at(1), text="two")
    third, more = lifecycle.revise(second, "person", at(2), text="three")
    graph.apply([batch(1, *base(), *lifecycle.learn(first, (("Message", "s1-m0"),)))])
    graph.apply([batch(2, *changes), batch(3, *more)])
    assert graph.memory("m1") == third
    assert graph.revisions("m1") == [replace(first, current=False), replace(second, current=False), third]
    assert graph.memories() == [third]
    assert len(graph.memories(MemoryFilter(all_revisions=True))) == 3
    assert [(e.source, e.target) for e in graph.edges(["revises"])] == [("m1@2", "m1@1"), ("m1@3", "m1@2")]
    assert graph.memory_ids("m") == ["m1"]


def test_memories_are_filtered_and_ordered(graph: Any) -> None:
    graph.apply([batch(1, *(PutNode(memory(f"m{n}", f"t{n}", project=f"p{n % 2}", session=f"s{n % 3}",
                                           type=MemoryType.REFLECTION if n % 2 else MemoryType.OBSERVATION))
                            for n in range(9, 0, -1)))])
    ids = lambda **f: [m.id for m in graph.memories(MemoryFilter(**f))]  # noqa: E731
    assert ids() == [f"m{n}" for n in range(1, 10)]
    assert ids(projects=("p1",)) == ["m1", "m3", "m5", "m7", "m9"]
    assert ids(projects=("p0", "p1"), sessions=("s0",)) == ["m3", "m6", "m9"]
    assert ids(types=(MemoryType.REFLECTION,), sessions=("s1", "s2")) == ["m1", "m5", "m7"]


def test_ids_are_found_by_prefix(graph: Any) -> None:
    graph.apply([batch(1, *(PutNode(memory(f"ab{n:02d}")) for n in range(30)), PutNode(memory("b")))])
    assert graph.memory_ids("ab0") == [f"ab{n:02d}" for n in range(10)]
    assert len(graph.memory_ids("ab")) == 20
    assert graph.memory_ids("", limit=50)[-1] == "b"
    assert graph.memory_ids("c") == []


def test_edge_joins_a_pair_once_and_needs_both_ends(graph: Any) -> None:
    edge = Edge("in_session", "Observation", "m1@1", "Session", "s1", at(1), reason="first")
    graph.apply([batch(1, PutEdge(edge))])
    assert graph.edges() == []
    graph.apply([batch(2, *base(), PutNode(memory("m1")), PutEdge(edge), PutEdge(replace(edge, reason="again")))])
    graph.apply([batch(3, PutEdge(replace(edge, reason="later")))])
    assert graph.edges(touching=["m1@1"]) == [edge]
    assert graph.counts()["in_session"] == 5


def test_decision_replaces_another_status_and_pending_replaces_nothing(graph: Any) -> None:
    def edge(minute: int, status: str, reason: str) -> PutEdge:
        return PutEdge(Edge("conflicts_with", "Observation", "m1@1", "Reflection", "m2@1", at(minute), status, 0.5, reason))

    def stands() -> list[tuple[str, str]]:
        assert graph.counts()["conflicts_with"] == 1
        assert graph.edges(touching=["m2@1"]) == graph.edges(["conflicts_with"]) == list(graph.all_edges())
        return [(e.status, e.reason) for e in graph.edges(["conflicts_with"], ["m1@1"])]

    graph.apply([batch(1, PutNode(memory("m1")), PutNode(memory("m2", type=MemoryType.REFLECTION)), edge(1, "pending", "a"))])
    assert stands() == [("pending", "a")]
    graph.apply([batch(2, edge(2, "pending", "b"))])
    assert stands() == [("pending", "a")]
    graph.apply([batch(3, edge(3, "judged", "c"))])
    assert stands() == [("judged", "c")]
    graph.apply([batch(4, edge(4, "pending", "d"), edge(4, "judged", "e"))])
    assert stands() == [("judged", "c")]
    graph.apply([batch(5, edge(5, "ignored", "f")), batch(6, edge(6, "judged", "g"))])
    assert stands() == [("judged", "g")]


def test_pending_and_judged_in_one_batch_leave_the_judged(graph: Any) -> None:
    ends = ("related", "Observation", "m1@1", "Observation", "m2@1")
    graph.apply([batch(1, PutNode(memory("m1")), PutNode(memory("m2")), PutEdge(Edge(*ends, at(1), "pending")),
                       PutEdge(Edge(*ends, at(1), "judged")))])
    assert [e.status for e in graph.edges()] == ["judged"]


def test_many_edges_of_a_kind_in_one_batch(graph: Any) -> None:
    changes = [c for n in range(700) for c in (PutNode(message(n + 10)), PutEdge(
        Edge("in_session", "Message", f"s1-m{n + 10}", "Session", "s1", at(n))))]
    graph.apply([batch(1, *base()), batch(2, *changes)])
    assert len(graph.messages("s1")) == 704
    assert graph.counts()["in_session"] == 704
    assert len(graph.edges(touching=["s1"])) == 706
    assert len(graph.edges(["in_session"], [f"s1-m{n}" for n in range(100)])) == 94


def test_edges_are_found_from_both_ends_and_by_kind(graph: Any) -> None:
    graph.apply([batch(1, *base(), PutNode(Symbol("y1", "f", "p1")), PutNode(memory("m1")),
                       PutEdge(Edge("mentions", "Observation", "m1@1", "Symbol", "y1", T0)),
                       PutEdge(Edge("derived_from", "Observation", "m1@1", "Message", "s1-m2", T0)))])
    assert [e.kind for e in graph.edges(touching=["m1@1"])] == ["derived_from", "mentions"]
    assert [e.kind for e in graph.edges(touching=["s1-m2"])] == ["derived_from", "in_session"]
    assert [e.kind for e in graph.edges(["mentions", "in_session"], ["y1", "s1-m2"])] == ["in_session", "mentions"]
    assert graph.edges(touching=["nothing"]) == []


def test_a_node_that_points_to_itself_has_one_edge(graph: Any) -> None:
    graph.apply([batch(1, PutNode(memory("m1")), PutEdge(Edge("related", "Observation", "m1@1", "Observation", "m1@1", T0)))])
    assert len(graph.edges(touching=["m1@1"])) == 1


def test_projects_carry_aliases_in_the_order_they_became_known(graph: Any) -> None:
    graph.apply([batch(1, PutNode(project("p2")), PutNode(project("p1")), *(
        PutNode(Happening(f"h{n}", "p1", "alias", alias, "", "capture", at(n)))
        for n, alias in ((3, "c"), (1, "b"), (2, "b"), (4, "a"))), PutNode(Happening("h9", "p2", "title", "t", "", "x", T0)))])
    assert graph.projects() == [ProjectInfo(project("p1"), ("b", "c", "a")), ProjectInfo(project("p2"), ())]


def test_sessions_messages_and_tool_events_are_ordered(graph: Any) -> None:
    graph.apply([batch(1, PutNode(session("s2", started_at=at(1))), PutNode(session("s3", "p2", started_at=None)),
                       PutNode(session("s1", started_at=at(2))), *(PutNode(message(n)) for n in (3, 1, 2)),
                       *(PutNode(tool_event(n)) for n in (5, 4)))])
    assert [s.id for s in graph.sessions()] == ["s3", "s2", "s1"]
    assert [s.id for s in graph.sessions("p2")] == ["s3"]
    assert [m.seq for m in graph.messages("s1")] == [1, 2, 3]
    assert [m.seq for m in graph.messages("s1", 1)] == [2, 3]
    assert [t.seq for t in graph.tool_events("s1", 4)] == [5]


def test_cursor_is_where_it_was_moved_last(graph: Any) -> None:
    first = Cursor("claude", "/t/a", "s1", "dev:1", 100, "ab", 3, 4, '{"a": 1}', ("x", "y"))
    other = Cursor("claude", "/t/b", "s2")
    graph.apply([batch(1, SetCursor(other), SetCursor(first))])
    graph.apply([batch(n, SetCursor(replace(first, offset=n, seen=()))) for n in range(2, 6)])
    assert graph.cursor("claude", "/t/a") == replace(first, offset=5, seen=())
    assert graph.cursors() == [replace(first, offset=5, seen=()), other]


def test_observed_is_absolute(graph: Any) -> None:
    graph.apply([batch(1, SetObserved("s1", 9)), batch(2, SetObserved("s1", 4), SetObserved("s2", 0))])
    assert (graph.observed("s1"), graph.observed("s2"), graph.observed_all()) == (4, 0, {"s1": 4, "s2": 0})


def test_model_calls_since_a_time_and_tombstones(graph: Any) -> None:
    calls = [ModelCall(f"c{n}", at(n), "m", "observe", "s1", n, n, n, "ok") for n in range(5)]
    graph.apply([batch(1, *map(PutNode, reversed(calls)), *(PutNode(Tombstone(f"z{n}", T0)) for n in range(50)))])
    assert graph.model_calls() == calls
    assert graph.model_calls(at(3)) == calls[3:]
    assert graph.tombstoned(["z1", "q"]) == {"z1"}
    assert graph.tombstoned([f"z{n}" for n in range(40, 80)]) == {f"z{n}" for n in range(40, 50)}


@pytest.mark.parametrize("seed", [1, 2])
def test_loading_equals_applying(graph: Any, seed: int) -> None:
    batches = list(Chaos(seed).batches(120))
    reference = MemoryGraph()
    reference.apply(batches)
    graph.load(iter(batches))
    assert dump(graph) == dump(reference)
