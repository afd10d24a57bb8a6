"""Over random graphs: a second run changes nothing, nothing is lost, equal graphs give equal changes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from reflector_graphs import NOW, SmallStore, memory, put, said

from agent_memory.model.memory import Kind, MemoryNode, MemoryType, Priority, Scope, Status
from agent_memory.model.transcript import Role
from agent_memory.reflect.pipeline import reflect

_TEXTS = st.sampled_from([
    "Use npm", "Use pnpm", "Do not use npm", "use npm.", "We switched from npm to pnpm", "Use pnpm instead of npm",
    "We no longer use npm", "Always run the tests before a commit", "Run tests before commits", "Never run the tests",
    "The API listens on port 5432", "The API listens on port 5433", "API listens on the port 5432.",
    "テストはpytestで実行する", "テストはpytestで実行します", "テストはpytestで実行しない", "npmではなくpnpmを使う",
    "我们用pnpm安装依赖", "请用pnpm安装依赖", "不再使用npm", "Deploys happen on Friday", "Deploys happen on Monday",
    "Wir nutzen npm nicht mehr", "I prefer small commits", "I prefer small commits, always"])
_FIELDS = st.fixed_dictionaries({
    "days": st.sampled_from([0.5, 1, 1, 2, 9, 61, 95, 300]), "n": st.integers(0, 3), "kind": st.sampled_from(list(Kind)),
    "session": st.sampled_from(["", "a", "b", "c"]), "sessions": st.integers(1, 4), "pinned": st.booleans(),
    "priority": st.sampled_from(list(Priority)), "project": st.sampled_from(["", "p1", "p2"]),
    "scope": st.sampled_from([Scope.PROJECT, Scope.PROJECT, Scope.PERSONAL]), "topic_key": st.sampled_from(["", "t"]),
    "observer": st.sampled_from(["rules/1", "rules/1", "person", "api"]),
    "status": st.sampled_from([Status.ACTIVE] * 5 + [Status.STALE, Status.RETIRED, Status.CONTESTED])})
_MEMORY = st.tuples(_TEXTS, _FIELDS, st.sampled_from([None, Role.PERSON, Role.AGENT, "plain", "plain"]))


def build(told: list[tuple[str, dict[str, Any], Any]]) -> SmallStore:
    store = SmallStore()
    for text, fields, role in told:
        node = memory(text, **fields)
        if store.graph.memory(node.id) is None:
            if role == "plain":
                put(store, node)
            else:
                said(store, node, role)
    return store


def rule(node: MemoryNode) -> bool:
    return node.type in (MemoryType.PREFERENCE, MemoryType.PRINCIPLE)


def heard_in_tools(n: int, sessions: int) -> tuple[str, dict[str, Any], Any]:
    """A memory that rests on tool output."""
    return "Use npm", {"days": 0.5, "n": n, "kind": Kind.LESSON, "session": "", "sessions": sessions, "project": "", "scope": Scope.PERSONAL}, None


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example([heard_in_tools(0, 2), heard_in_tools(1, 1)])  # only the merge makes it often enough for a rule
@given(st.lists(_MEMORY, max_size=14))
def test_a_second_run_changes_nothing_and_nothing_is_lost(told: list[tuple[str, dict[str, Any], Any]]) -> None:
    store, other = build(told), build(told)
    before = {m.id: m for m in store.graph.memories()}
    first = reflect(store, now=NOW)
    assert reflect(other, now=NOW) == first
    assert other.written == store.written
    assert first.outdated == ()
    after = {m.id: m for m in store.graph.memories()}
    for key, node in before.items():
        assert after[key].text == node.text
        if node.pinned or node.observer == "person":
            assert after[key].status in (node.status, Status.ACTIVE, Status.CONTESTED)
    again = reflect(store, now=NOW)
    assert [s.why for s in again.steps] == []
    tools = {m.id for m in before.values() if m.observer != "person" and any(e.target_table == "ToolEvent" for e in store.graph.edges(("derived_from",), [m.key]))}
    made = [m for m in after.values() if m.id not in before and rule(m)]
    sources = {e.source.split("@")[0]: e.target.split("@")[0] for e in store.graph.edges(("condenses",))}
    assert not {sources[m.id] for m in made} & tools


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(_MEMORY, max_size=10), st.integers(1, 500))
def test_time_alone_only_sinks_and_archives(told: list[tuple[str, dict[str, Any], Any]], days: int) -> None:
    store = build(told)
    reflect(store, now=NOW)
    later = NOW + timedelta(days=days)
    assert set(reflect(store, now=later).counts()) <= {"demote", "archive", "settle"}
    assert reflect(store, now=later).steps == ()
