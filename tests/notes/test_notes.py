"""Notes through the Python API, on a real store."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory import Memory
from agent_memory.errors import AgentMemoryError, UsageError
from agent_memory.model.memory import Kind, Status
from agent_memory.notes.compress import LEVELS, compress
from agent_memory.notes.sections import pieces
from agent_memory.notes.topics import suggest
from agent_memory.paths import Home


@pytest.fixture
def memory(home: Home, now: datetime) -> Memory:
    return Memory(home.root, now=lambda: now)


@pytest.fixture
def shop(tmp_path: Path) -> str:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    return str(tmp_path / "shop")


def test_a_repeated_text_raises_the_seen_count_and_is_not_doubled(memory: Memory, shop: str) -> None:
    first = memory.store_note("Use pnpm, not npm.", kind="preference", cwd=shop)
    again = memory.store_note("use  PNPM, not npm", kind="preference", cwd=shop)
    assert (again.outcome, again.id, again.seen) == ("repeated", first.id, 2)
    elsewhere = memory.store_note("Use pnpm, not npm.", scope="personal", cwd=shop)
    assert elsewhere.id != first.id
    with memory.store.read() as graph:
        assert sorted(m.seen for m in graph.memories()) == [1, 2]


def test_an_operation_id_gives_its_first_answer_and_refuses_another_note(memory: Memory, shop: str) -> None:
    first = memory.store_note("The API listens on port 8080", operation_id="op-1", cwd=shop)
    memory.flush()
    again = memory.store_note("The API listens on port 8080", operation_id="op-1", cwd=shop)
    assert again.replayed
    assert (again.outcome, again.id, again.revision) == (first.outcome, first.id, first.revision)
    with pytest.raises(UsageError, match="op-1"):
        memory.store_note("Something else", operation_id="op-1", cwd=shop)
    with memory.store.read() as graph:
        assert [m.seen for m in graph.memories()] == [1]


def test_a_topic_key_makes_a_new_revision_and_the_old_one_stays_readable(memory: Memory, shop: str) -> None:
    key = memory.suggest_topic_key("decision", "Which database?")
    first = memory.store_note("Orders live in SQLite", kind="decision", topic_key=key, cwd=shop)
    second = memory.store_note("Orders live in PostgreSQL", kind="decision", topic_key=key, cwd=shop)
    assert (second.outcome, second.id, second.revision) == ("revised", first.id, 2)
    assert [r.text for r in memory.history(first.id).revisions] == ["Orders live in SQLite", "Orders live in PostgreSQL"]
    assert [h.text for h in memory.recall("orders live", cwd=shop)] == ["Orders live in PostgreSQL"]
    assert memory.find_memory(key, cwd=shop).id == first.id


@pytest.mark.parametrize(("kind", "title", "key"), [
    ("decision", "Which Database?", "decision/which-database"), ("lesson", "部署 手順", "lesson/部署-手順"),
    ("note", "!!!", None)])
def test_topic_keys_are_stable_in_any_script(kind: str, title: str, key: str | None) -> None:
    found = suggest(Kind(kind), title)
    assert found == suggest(Kind(kind), f"  {title.upper()} ") or key is None
    assert key is None or found == key
    assert found.startswith(f"{kind}/")
    assert len(found) <= 80


def test_secrets_never_reach_the_journal(memory: Memory) -> None:
    memory.store_note("the key is ghp_0123456789abcdefghijABCDEFGHIJ012345 and <private>Acme</private> pays",
                      tags=["ghp_0123456789abcdefghijABCDEFGHIJ012345"])
    memory.flush()
    for file in memory.home.root.rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            assert b"ghp_0123456789" not in data, file
            assert b"Acme" not in data, file


def test_a_forgotten_text_is_not_stored_again(memory: Memory) -> None:
    from agent_memory.forget.selection import Selection

    done = memory.store_note("The staging password rotates weekly")
    memory.forget(Selection(ids=(done.id,)), dry_run=False)
    with pytest.raises(UsageError, match="forgotten"):
        memory.store_note("the staging password rotates weekly")


def test_unknown_words_are_refused_with_the_list(memory: Memory) -> None:
    for fields, listed in (({"kind": "rumour"}, "architecture"), ({"scope": "team"}, "personal"),
                           ({"priority": "mauve"}, "yellow"), ({"ttl": "soon"}, "90d"),
                           ({"review_after": "whenever"}, "ISO 8601")):
        with pytest.raises(UsageError) as refused:
            memory.store_note("a text", **fields)  # type: ignore[arg-type]
        assert listed in refused.value.hint
    assert memory.store.position() == 0


def test_a_contradiction_is_named_and_a_judged_one_retires_the_loser_everywhere(memory: Memory, shop: str) -> None:
    old = memory.store_note("The API listens on port 5432", kind="fact", cwd=shop)
    memory.flush()
    new = memory.store_note("The API listens on port 5433", kind="fact", cwd=shop)
    assert [c.id for c in new.conflicts] == [old.id]
    pair, = memory.conflicts()
    assert memory.scan_conflicts().proposed == ()
    memory.judge(pair.id, relation="supersedes", winner=new.id, reason="measured")
    assert [h.id for h in memory.recall("API port", cwd=shop)] == [new.id]
    assert memory.find_memory(old.id).status is Status.SUPERSEDED
    assert memory.conflicts() == []
    assert [r.status for r in memory.conflicts(status="judged")] == ["judged"]
    memory.judge(pair.id, relation="compatible", reason="two servers")
    assert memory.find_memory(old.id).status is Status.ACTIVE


def test_a_pair_is_proposed_once_and_contested_until_ignored(memory: Memory) -> None:
    a = memory.store_note("本番のポートは8080です")
    b = memory.store_note("本番のポートは9090です")
    c = memory.store_note("Deploy on Fridays")
    memory.flush()
    if not memory.conflicts():
        assert len(memory.scan_conflicts().proposed) == 1
    assert memory.scan_conflicts().proposed == ()
    found = memory.compare(a.id, c.id, "conflicts_with", reason="a person said so")
    assert memory.find_memory(c.id).status is Status.CONTESTED
    memory.ignore_conflict(found.id, reason="different things")
    assert memory.find_memory(c.id).status is Status.ACTIVE
    with pytest.raises(UsageError, match="itself"):
        memory.compare(b.id, b.id, "related")


def test_headed_sections_become_typed_notes(memory: Memory, shop: str) -> None:
    text = "## KEY LEARNINGS\n- uv is fast\n  really\n- pin `numpy<2`\n\n#### Entscheidungen:\nWir nehmen Kuzu\n\n## Foo\n- x"
    done = memory.capture_text(text, cwd=shop)
    assert [(s.kind, s.text) for s in done.stored] == [
        ("lesson", "uv is fast\n  really"), ("lesson", "pin `numpy<2`"), ("decision", "Wir nehmen Kuzu")]
    assert done.unknown_headings == ("Foo",)
    assert [s.outcome for s in memory.capture_text(text, cwd=shop).stored] == ["repeated"] * 3


@pytest.mark.parametrize(("heading", "kind"), [
    ("## Key Learnings", "lesson"), ("# decisions", "decision"), ("###### OBSERVATIONS", "fact"),
    ("## Key Changes", "context"), ("## Errors", "lesson"), ("**Décisions**:", "decision"), ("## 決定事項", "decision"),
    ("## 错误", "lesson"), ("【決定】", "decision")])
def test_every_heading_is_known_in_any_case_and_level(heading: str, kind: str) -> None:
    assert [p.kind.value for p in pieces(f"{heading}\n- one thing")[0]] == [kind]


def test_a_prompt_is_kept_once_and_found(memory: Memory, shop: str) -> None:
    first = memory.save_prompt("please make the build faster", cwd=shop)
    assert (first.new, memory.save_prompt("please make the build faster", cwd=shop).new) == (True, False)
    assert [h.id for h in memory.recall("build faster", cwd=shop, types=["message"])] == [first.id]


def test_review_pin_and_prune(home: Home, now: datetime) -> None:
    clock = [now]
    memory = Memory(home.root, now=lambda: clock[0])
    due = memory.store_note("Rotate the certificate", review_after="10d")
    kept = memory.store_note("Keep me")
    memory.pin(kept.id)
    clock[0] = now + timedelta(days=20)
    assert [(d.memory.id, d.days) for d in memory.review()] == [(due.id, 10)]
    memory.mark_reviewed(due.id, review_after="30d")
    assert memory.review() == []
    clock[0] = now + timedelta(days=200)
    with pytest.raises(UsageError, match="90x"):
        memory.prune("90x")
    assert [m.id for m, _ in memory.prune("90d").memories] == [due.id]
    assert memory.find_memory(due.id).status is Status.ACTIVE
    memory.prune("90d", dry_run=False)
    assert memory.find_memory(due.id).status is Status.STALE
    assert memory.find_memory(kept.id).status is Status.ACTIVE


def test_the_least_useful_observations_are_archived_beyond_the_limit(home: Home, now: datetime) -> None:
    memory = Memory(home.root, now=lambda: now, max_observations=2)
    notes = [memory.store_note(f"thing {n}", priority=p) for n, p in enumerate(("green", "red", "yellow"))]
    report = memory.enforce_limit()
    assert [m.id for m, _ in report.memories] == [notes[0].id]
    assert report.kept == 2
    assert memory.enforce_limit().memories == ()


def test_compressed_notes_are_found_and_kept_by_their_raw_text(home: Home, now: datetime) -> None:
    memory = Memory(home.root, now=lambda: now, memory_compression="full")
    text = "Please note that we should really never run `git push -f` in order to deploy 3 services."
    done = memory.store_note(text)
    node = memory.find_memory(done.id)
    assert node.text == "we should never run `git push -f` to deploy 3 services."
    assert node.raw == text
    assert memory.recall("really never")[0].text == text
    assert memory.store_note(text).outcome == "repeated"


@given(st.lists(st.sampled_from(["really", "maybe", "not", "never", "should", "42", "`x y`", "src/a.py", "the", "please",
                                 "probably", "snake_case", "no", "in order to", "might", "可能", "v1.2"]), max_size=12),
       st.sampled_from(LEVELS))
def test_compression_never_drops_what_carries_meaning(words: list[str], level: str) -> None:
    short = compress(" ".join(words), level)
    for kept in ("maybe", "not", "never", "should", "42", "`x y`", "src/a.py", "probably", "snake_case", "no", "might",
                 "可能", "v1.2"):
        assert short.split().count(kept) == " ".join(words).split().count(kept) or " " in kept
    assert compress(short, level).split() == short.split() or level != "off"


def test_two_programs_at_one_home_never_store_a_text_twice(home: Home, now: datetime) -> None:
    one, other = Memory(home.root, now=lambda: now), Memory(home.root, now=lambda: now)
    for n in range(6):
        assert one.store_note(f"fact number {n}").outcome == "created"
        assert other.store_note(f"fact number {n}").outcome == "repeated"
    one.flush()
    other.flush()
    with one.store.read() as graph:
        assert [m.seen for m in graph.memories()] == [2] * 6


def test_storing_opens_the_graph_a_few_times_for_many_notes(home: Home, now: datetime,
                                                            monkeypatch: pytest.MonkeyPatch) -> None:
    """Linear in time: applying is put off in a burst, and look-ups ask by index."""
    memory = Memory(home.root, now=lambda: now)
    applied = []
    real = memory.store.catch_up
    monkeypatch.setattr(memory.store, "catch_up", lambda **k: applied.append(1) or real(**k))
    for n in range(150):
        memory.store_note(f"burst {n}")
    assert len(applied) < 30
    memory.flush()
    with memory.store.read() as graph:
        assert len(graph.memories()) == 150


@settings(max_examples=40, deadline=None)
@given(text=st.text(max_size=200), key=st.text(max_size=40), tags=st.lists(st.text(max_size=10), max_size=3))
def test_any_text_is_stored_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str, key: str,
                                       tags: list[str]) -> None:
    memory = _shared(tmp_path_factory)
    try:
        done = memory.store_note(text, topic_key=key, tags=tags)
    except AgentMemoryError as problem:
        assert problem.message  # noqa: PT017 either outcome is right, an empty message is not
        return
    assert done.id


_SHARED: list[Memory] = []


def _shared(factory: pytest.TempPathFactory) -> Memory:
    if not _SHARED:
        _SHARED.append(Memory(factory.mktemp("shared"), engine="memory"))
    return _SHARED[0]
