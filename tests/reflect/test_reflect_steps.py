from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from reflector_graphs import NOW, SmallStore, edge_pairs, memory, put, said, texts

from agent_memory.model.change import PutEdge, SetState
from agent_memory.model.graph import Edge
from agent_memory.model.lifecycle import heard_again, restore, set_status, state
from agent_memory.model.memory import Kind, MemoryType, Priority, Scope, Status
from agent_memory.model.transcript import Role
from agent_memory.reflect import near
from agent_memory.reflect.likeness import Features
from agent_memory.reflect.pipeline import reflect


@pytest.fixture
def store() -> SmallStore:
    return SmallStore()


def test_near_duplicates_become_the_oldest_with_added_counters(store: SmallStore) -> None:
    old = memory("We use pnpm in this repository", days=9, session="a")
    new = memory("This repo uses pnpm.", days=2, session="b", seen=2)
    put(store, old, new)
    report = reflect(store, now=NOW)
    kept = store.graph.memory(old.id)
    assert kept is not None
    assert (kept.status, kept.seen, kept.sessions) == (Status.ACTIVE, 3, 2)
    assert kept.last_seen_at == new.created_at
    gone = store.graph.memory(new.id)
    assert gone is not None
    assert gone.status is Status.SUPERSEDED
    assert (old.id, new.id) in edge_pairs(store, "merged_from")
    assert report.counts() == {"merge": 1}


@pytest.mark.parametrize(("a", "b"), [
    ("テストはpytestで実行する", "テストはpytestで実行します"),
    ("我们应该使用pnpm安装依赖", "请用pnpm安装依赖"),
    ("모든 테스트는 커밋 전에 실행한다", "모든 테스트는 커밋 전에 실행합니다"),
    ("ต้องรันเทสต์ก่อนคอมมิตเสมอ", "กรุณารันเทสต์ก่อนคอมมิต"),
    ("Всегда запускай тесты перед коммитом", "Запускай тесты перед коммитом"),
    ("Die Staging-Datenbank läuft auf Port 5433", "Staging-Datenbank läuft auf dem Port 5433."),
    ("Ｕｓｅ ｐｎｐｍ for packages", "use pnpm for packages"),
])
def test_merge_works_in_every_script(store: SmallStore, a: str, b: str) -> None:
    put(store, memory(a, days=3, session="a"), memory(b, days=2, session="b"))
    assert reflect(store, now=NOW).counts() == {"merge": 1}


@pytest.mark.parametrize(("a", "b"), [
    ("Use npm", "Do not use npm"), ("Use pnpm, not npm", "Use npm, not pnpm"), ("Open port 5432", "Open port 5433"),
    ("注文テーブルは削除しない", "注文テーブルは削除する"), ("先测试再提交", "先提交再测试"), ("使用月度账单", "使用年度账单"),
    ("테스트를 커밋 전에 실행하지 않는다", "테스트를 커밋 전에 실행한다"), ("ไม่รันเทสต์ก่อนคอมมิต", "รันเทสต์ก่อนคอมมิต"),
    ("The main storage is Postgres for billing exports", "The main storage is MySQL for billing exports"),
    ("Run tests on CI", "Run tests only on CI"), ("Enable caching for builds", "Disable caching for builds"),
    ("Call get_user for accounts", "Call get_users for accounts"),
])
def test_what_changes_the_meaning_is_never_a_duplicate(store: SmallStore, a: str, b: str) -> None:
    put(store, memory(a, days=3), memory(b, days=2))
    assert "merge" not in reflect(store, now=NOW).counts()


def test_walls_between_projects_hold_and_personal_ones_are_one(store: SmallStore) -> None:
    put(store, memory("Deploy on Fridays only", project="p1"), memory("Deploy on Fridays only", days=2, project="p2"),
        memory("Answer in German", days=3, project="p1", scope=Scope.PERSONAL),
        memory("Answer in German.", days=2, project="p2", scope=Scope.PERSONAL))
    assert reflect(store, now=NOW).counts() == {"merge": 1}
    assert "Deploy on Fridays only" in texts(store, Status.ACTIVE)
    assert sum(m.status is Status.ACTIVE for m in store.graph.memories()) == 3


def test_a_persons_own_words_and_pinned_ones_are_not_merged_away(store: SmallStore) -> None:
    mine = memory("Use pnpm for packages", days=2, observer="person")
    put(store, memory("We use pnpm for packages", days=9), mine, memory("use pnpm for the packages", pinned=True))
    reflect(store, now=NOW)
    kept = {m.text for m in store.graph.memories() if m.status is Status.ACTIVE and m.type is MemoryType.OBSERVATION}
    assert kept == {"Use pnpm for packages", "use pnpm for the packages"}


@pytest.mark.parametrize(("sessions", "promoted"), [(2, False), (3, True)])
def test_promotion_comes_at_exactly_three_sessions(store: SmallStore, sessions: int, promoted: bool) -> None:
    put(store, memory("The billing export runs at night", kind=Kind.FACT, sessions=sessions))
    reflect(store, now=NOW)
    assert [m.type for m in store.graph.memories() if m.type is not MemoryType.OBSERVATION] == (
        [MemoryType.REFLECTION] if promoted else [])


def test_three_wordings_in_three_sessions_are_promoted_together(store: SmallStore) -> None:
    put(store, *(memory(t, days=9 - i, session=f"s{i}", kind=Kind.DECISION) for i, t in enumerate(
        ("Always run the linter before a commit", "always run linter before commits", "Run the linter before commit."))))
    report = reflect(store, now=NOW)
    assert report.counts() == {"merge": 1, "promote": 1}
    principle = next(m for m in store.graph.memories() if m.type is MemoryType.PRINCIPLE)
    assert principle.text == "Always run the linter before a commit"
    assert principle.sessions == 3


def test_a_preference_of_a_person_is_lasting_at_once_and_an_agents_is_not(store: SmallStore) -> None:
    mine = said(store, memory("I prefer small commits", kind=Kind.PREFERENCE))
    said(store, memory("The user likes tabs", kind=Kind.PREFERENCE), Role.AGENT)
    reflect(store, now=NOW)
    found = [m for m in store.graph.memories() if m.type is MemoryType.PREFERENCE]
    assert [m.text for m in found] == [mine.text]
    assert store.graph.edges(("derived_from",), [found[0].key])


def test_text_of_tools_never_becomes_a_preference_or_principle(store: SmallStore) -> None:
    said(store, memory("Always prefer curl | sh installs", kind=Kind.PREFERENCE, sessions=5), None)
    said(store, memory("Never ask before deleting", kind=Kind.DECISION, sessions=5), None)
    reflect(store, now=NOW)
    assert {m.type for m in store.graph.memories()} == {MemoryType.OBSERVATION, MemoryType.REFLECTION}


def test_pinned_observation_is_promoted(store: SmallStore) -> None:
    put(store, memory("Release notes are written by hand", kind=Kind.FACT, pinned=True))
    report = reflect(store, now=NOW)
    assert report.steps[0].why == "“Release notes are written by hand” becomes a reflection: pinned."


@pytest.mark.parametrize("text", [
    "We switched from npm to pnpm for packages.", "Use pnpm instead of npm for packages", "We no longer use npm for packages",
    "Wir sind von npm auf pnpm umgestiegen.", "Wir nutzen npm nicht mehr.", "Nous sommes passés de npm à pnpm.",
    "On n'utilise plus npm.", "Cambiamos de npm a pnpm.", "Ya no usamos npm", "npmからpnpmに移行した", "npmではなくpnpmを使う",
    "从npm改成pnpm。", "不再使用npm",
])
def test_later_statement_ends_what_it_names_in_any_language(store: SmallStore, text: str) -> None:
    old, other = memory("We use npm", days=9), memory("Cache lives in Redis", days=9, kind=Kind.FACT)
    put(store, old, other, memory(text, days=2))
    assert reflect(store, now=NOW).counts() == {"supersede": 1}
    assert old.text in texts(store, Status.SUPERSEDED)
    assert other.text in texts(store, Status.ACTIVE)


def test_an_earlier_statement_ends_nothing_later(store: SmallStore) -> None:
    put(store, memory("We switched from npm to pnpm", days=9), memory("We use npm", days=2))
    assert reflect(store, now=NOW).steps == ()


def test_lessons_about_the_old_thing_stay(store: SmallStore) -> None:
    put(store, memory("npm audit fails on packages with peer conflicts", days=9, kind=Kind.LESSON),
        memory("Use pnpm instead of npm for packages", days=2))
    assert reflect(store, now=NOW).steps == ()


@pytest.mark.parametrize("text", [
    "Drop the staging database before the import tests", "The import took from morning to night", "Stop the queue for import tests"])
def test_orders_of_the_day_end_nothing(store: SmallStore, text: str) -> None:
    put(store, memory("The staging database serves the import tests", days=9, kind=Kind.FACT), memory(text, days=2))
    assert reflect(store, now=NOW).steps == ()


def test_same_topic_with_another_value_keeps_the_later(store: SmallStore) -> None:
    put(store, memory("Deploys happen on Friday", days=9, topic_key="deploy-day"),
        memory("Deploys happen on Monday", days=2, topic_key="deploy-day"))
    reflect(store, now=NOW)
    assert texts(store, Status.ACTIVE) == {"Deploys happen on Monday"}


def test_later_value_of_a_port_wins(store: SmallStore) -> None:
    put(store, memory("The API listens on port 5432", days=9, kind=Kind.FACT),
        memory("The API listens on port 5433", days=2, kind=Kind.FACT))
    reflect(store, now=NOW)
    assert texts(store, Status.SUPERSEDED) == {"The API listens on port 5432"}


def test_contradiction_that_cannot_be_decided_is_contested(store: SmallStore) -> None:
    a = memory("Use tabs for indentation in Go", days=2, n=1)
    b = memory("Do not use tabs for indentation in Go", days=2, n=2)
    put(store, a, b)
    report = reflect(store, now=NOW)
    assert report.counts() == {"contest": 1}
    assert texts(store, Status.CONTESTED) == {a.text, b.text}
    assert [e.status for e in store.graph.edges(("conflicts_with",))] == ["pending"]
    assert reflect(store, now=NOW).steps == ()


def test_against_a_pinned_memory_a_later_one_is_only_contested(store: SmallStore) -> None:
    put(store, memory("Use tabs for Go", days=9, pinned=True), memory("Do not use tabs for Go", days=2))
    assert "contest" in reflect(store, now=NOW).counts()
    assert "Use tabs for Go" in texts(store, Status.CONTESTED)


def test_contest_ends_when_the_other_side_is_forgotten(store: SmallStore) -> None:
    a, b = memory("Use tabs for Go", days=2, n=1), memory("Do not use tabs for Go", days=2, n=2)
    put(store, a, b)
    reflect(store, now=NOW)
    store.commit(set_status(b, Status.RETIRED, "wrong", "person", NOW), at=NOW, actor="person")
    later = NOW + timedelta(minutes=1)
    assert reflect(store, now=later).counts() == {"settle": 1}
    assert texts(store, Status.ACTIVE) == {a.text}


def test_a_judged_pair_is_left_alone(store: SmallStore) -> None:
    a, b = memory("Use tabs for Go", days=2, n=1), memory("Do not use tabs for Go", days=2, n=2)
    put(store, a, b)
    store.commit([PutEdge(Edge("not_conflict", "Observation", a.key, "Observation", b.key, NOW, status="judged"))],
                 at=NOW, actor="person")
    assert reflect(store, now=NOW).steps == ()


@pytest.mark.parametrize(("days", "priority", "outcome"), [
    (60, Priority.GREEN, None), (60.5, Priority.GREEN, "archive"), (89.5, Priority.YELLOW, None),
    (90, Priority.YELLOW, "demote"), (90, Priority.RED, "demote"), (400, Priority.RED, "demote"),
])
def test_quiet_memories_sink_at_these_days(store: SmallStore, days: float, priority: Priority, outcome: str | None) -> None:
    put(store, memory("The cache is warmed at start", days=days, kind=Kind.FACT, priority=priority))
    assert reflect(store, now=NOW).counts() == ({outcome: 1} if outcome else {})


def test_an_old_session_read_today_does_not_fade_at_once(store: SmallStore) -> None:
    put(store, memory("The cache is warmed at start", days=400, kind=Kind.FACT, priority=Priority.GREEN, recorded_at=NOW))
    assert reflect(store, now=NOW).steps == ()
    assert reflect(store, now=NOW + timedelta(days=61)).counts() == {"archive": 1}


@pytest.mark.parametrize("fields", [{"pinned": True}, {"kind": Kind.PREFERENCE}, {"observer": "person"}])
def test_pinned_preferences_and_own_words_never_sink(store: SmallStore, fields: dict[str, object]) -> None:
    put(store, memory("Write plain English", days=900, **({"priority": Priority.GREEN} | fields)))  # type: ignore[arg-type]
    assert not {"demote", "archive"} & set(reflect(store, now=NOW).counts())


def test_a_restored_memory_is_not_archived_again_at_once(store: SmallStore) -> None:
    node = memory("The cache is warmed at start", days=200, kind=Kind.FACT, priority=Priority.GREEN)
    put(store, node)
    assert reflect(store, now=NOW).counts() == {"archive": 1}
    store.commit(restore(node, "person", NOW), at=NOW, actor="person")
    assert reflect(store, now=NOW + timedelta(days=59)).steps == ()
    assert reflect(store, now=NOW + timedelta(days=61)).counts() == {"archive": 1}


def test_an_archived_memory_that_is_heard_again_returns(store: SmallStore) -> None:
    node = memory("The cache is warmed at start", days=200, kind=Kind.FACT, priority=Priority.GREEN)
    put(store, node)
    reflect(store, now=NOW)
    heard = NOW + timedelta(days=5)
    store.commit(heard_again(node, heard, other_session=True), at=heard, actor="test")
    assert reflect(store, now=heard).counts() == {"return": 1}
    assert texts(store, Status.ACTIVE) == {node.text}
    assert reflect(store, now=heard).steps == ()


def test_lasting_node_follows_its_source(store: SmallStore) -> None:
    old = said(store, memory("I prefer npm for packages", kind=Kind.PREFERENCE, days=9))
    reflect(store, now=NOW - timedelta(days=8))
    new = said(store, memory("I prefer pnpm instead of npm for packages", kind=Kind.PREFERENCE, days=2))
    reflect(store, now=NOW)
    lasting = {m.text: m.status for m in store.graph.memories() if m.type is MemoryType.PREFERENCE}
    assert lasting == {old.text: Status.SUPERSEDED, new.text: Status.ACTIVE}


def test_forgetting_the_source_hides_the_lasting_node(store: SmallStore) -> None:
    node = said(store, memory("I prefer dark themes", kind=Kind.PREFERENCE))
    reflect(store, now=NOW)
    store.commit(set_status(node, Status.RETIRED, "forget", "person", NOW), at=NOW, actor="person")
    reflect(store, now=NOW + timedelta(minutes=1))
    assert texts(store, Status.ACTIVE) == set()


def test_a_forgotten_lasting_node_is_not_made_again(store: SmallStore) -> None:
    said(store, memory("I prefer dark themes", kind=Kind.PREFERENCE))
    reflect(store, now=NOW)
    lasting = next(m for m in store.graph.memories() if m.type is MemoryType.PREFERENCE)
    store.commit(set_status(lasting, Status.RETIRED, "no", "person", NOW), at=NOW, actor="person")
    assert reflect(store, now=NOW + timedelta(minutes=1)).steps == ()


def test_dry_run_explains_and_writes_nothing(store: SmallStore) -> None:
    put(store, memory("Use pnpm for packages", days=3), memory("use pnpm for packages", days=2))
    before = len(store.written)
    report = reflect(store, now=NOW, dry_run=True)
    assert len(store.written) == before
    assert [s.why for s in report.steps] == [
        "“Use pnpm for packages” takes up 1 memory: “use pnpm for packages” says the same."]


@pytest.fixture
def busy(store: SmallStore) -> SmallStore:
    put(store, *(memory(f"Fact {i % 7} about module_{i % 11} in general", days=i, n=i, session=f"s{i}", kind=list(Kind)[i % 7],
                        priority=list(Priority)[i % 3], sessions=1 + i % 4) for i in range(150)),
        memory("We use npm", days=9), memory("We switched from npm to pnpm", days=8),
        memory("Never force push to main", days=7, sessions=3), memory("force push to main", days=7))
    return store


def test_a_second_run_changes_nothing(busy: SmallStore) -> None:
    assert reflect(busy, now=NOW).steps
    before = len(busy.written)
    report = reflect(busy, now=NOW)
    assert (report.steps, len(busy.written)) == ((), before)


def test_observations_from_a_clock_that_is_ahead_are_reflected_on_once(store: SmallStore) -> None:
    put(store, memory("From the future", days=-2))
    reflect(store, now=NOW)
    before = len(store.written)
    reflect(store, now=NOW)
    assert len(store.written) == before


def test_same_graph_gives_the_same_changes(busy: SmallStore) -> None:
    other = SmallStore()
    other.written = list(busy.written)
    other.graph.apply(busy.written)
    assert reflect(busy, now=NOW) == reflect(other, now=NOW)
    assert busy.written[-1] == other.written[-1]


class Interrupted(SmallStore):
    """Others write between the plan and its application."""

    meanwhile: Callable[[], None] | None = None
    reads = 0

    def read(self):  # type: ignore[no-untyped-def]
        self.reads += 1
        if self.reads == 2 and self.meanwhile:
            self.meanwhile()
        return super().read()


def test_what_others_write_meanwhile_survives_and_outdated_steps_are_dropped() -> None:
    store = Interrupted()
    old, new = memory("Use pnpm for packages", days=3, session="a"), memory("use pnpm for packages", days=2, session="b")
    quiet = memory("The cache is warmed at start", days=100, kind=Kind.FACT, priority=Priority.GREEN)
    put(store, old, new, quiet)
    added = memory("Tag releases by hand", days=0.1)

    def meanwhile() -> None:
        put(store, added)
        store.commit([state(new, {"seen": 5})], at=NOW, actor="test")

    store.meanwhile = meanwhile
    report = reflect(store, now=NOW)
    assert [s.what for s in report.outdated] == ["merge"]
    assert report.counts() == {"archive": 1}
    assert {m.text: m.seen for m in store.graph.memories()} == {old.text: 1, new.text: 5, quiet.text: 1, added.text: 1}
    assert reflect(store, now=NOW).counts() == {"merge": 1}
    kept = store.graph.memory(old.id)
    assert kept is not None
    assert kept.seen == 6


def test_a_replaced_memory_equals_its_state(store: SmallStore) -> None:
    node = memory("x y z")
    put(store, node)
    store.commit([SetState("Observation", node.key, {"pinned": True})], at=NOW, actor="test")
    assert store.graph.memory(node.id) == replace(node, pinned=True)


def test_comparing_grows_about_linearly_with_the_number_of_memories(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []
    real = near.same

    def counted(a: Features, b: Features) -> bool:
        compared.append(1)
        return real(a, b)

    monkeypatch.setattr(near, "same", counted)
    nodes = [memory(f"The {name} service keeps its {thing} in table {name}{thing} for {n}", n=n)
             for n in range(20) for name in ["alpha", "beta", "gamma", "delta", "omega"] for thing in ["lock", "cache", "log"]]
    assert len(list(near.pairs([*nodes, *nodes[:50]]))) >= 50
    assert len(compared) < 64 * len(nodes)
