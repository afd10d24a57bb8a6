"""Recall finds what was meant, shows only what may be seen, and never fails on a question."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from recall_made import NOW, START, fill, memory

from agent_memory.errors import UsageError
from agent_memory.model.change import Batch, PutEdge, PutNode, SetState
from agent_memory.model.graph import Edge
from agent_memory.model.memory import Kind, MemoryNode, Priority, Scope, Status
from agent_memory.model.transcript import Message, Role, Via
from agent_memory.model.visibility import Viewpoint, visible
from agent_memory.paths import Home
from agent_memory.recall import grounding, items, when
from agent_memory.recall.search import recall
from agent_memory.search.index import SearchIndex

EXACT = ["DEC-0054", "CVE-2024-1234", "apply_secrets", "src/main.py", "v2.1.4", "C++", ".env", "问题", "日本", "사람", "⭐"]
NEAR = ["DEC-0055 and a decision of 0054 lines", "CVE-2024-1235 of 1234", "apply the secrets", "src main py", "v2.1.5 4",
        "the C language", "env of the shop", "问 and 题", "本日", "人사", "a star"]


def texts(home: Home, query: str, **filters: object) -> list[str]:
    return [h.text for h in recall(home, query, now=NOW, **filters)]  # type: ignore[arg-type]


def test_empty_home_gives_nothing(home: Home) -> None:
    assert recall(home, "anything", now=NOW) == []


@pytest.mark.parametrize("query", EXACT)
def test_exact_text_is_the_first_hit(home: Home, query: str) -> None:
    fill(home, *(memory(i, f"we noted{'' if ord(t[0]) > 0x3000 else ' '}{t} once") for i, t in enumerate([*NEAR, *EXACT])))
    assert query in texts(home, query)[0]


@pytest.mark.parametrize("query", ["_", "-", "--", "a _ b", '"', "'", "*", "NEAR(", "AND OR NOT", "body:x", "{", "^", "\x00",
                                   "\ud800", " ", "", "(((", "💥" * 300, "x" * 9000, "猫", "?!?"])
def test_no_question_is_a_syntax_error(home: Home, query: str) -> None:
    fill(home, memory(1, "We use pnpm"), memory(2, "猫 a _ b"))
    assert isinstance(recall(home, query, now=NOW), list)


def test_text_without_tokens_is_found_as_it_is(home: Home) -> None:
    fill(home, memory(1, "the arrow is => here"), memory(2, "no arrow"), memory(3, "私の猫です"))
    assert texts(home, "=>")[0] == "the arrow is => here"
    assert texts(home, "猫") == ["私の猫です"]


def test_mistyped_word_finds_what_was_meant(home: Home) -> None:
    fill(home, memory(1, "Kubernetes runs the shop"), memory(2, "The cafe opens at nine"))
    assert texts(home, "kuberntes") == ["Kubernetes runs the shop"]
    assert texts(home, "bernet") == ["Kubernetes runs the shop"]


def test_word_deep_in_a_long_text_is_found_with_its_passage(home: Home) -> None:
    fill(home, memory(1, "filler words here. " * 4000 + "The xylophone is in room nine. " + "more filler. " * 50))
    hit = recall(home, "xylophone", now=NOW)[0]
    assert "xylophone" in hit.passage
    assert len(hit.passage) < 2000


def test_nothing_relevant_gives_nothing(home: Home) -> None:
    fill(home, *(memory(i, f"The shop sells tea number {i} in boxes") for i in range(20)))
    assert texts(home, "quarterly kubernetes ingress certificate rotation policy of the shop") == []


def test_popular_memory_never_displaces_an_exact_match(home: Home) -> None:
    exact = memory(1, "Ticket DEC-0054 says: keep the ledger", created_at=START - timedelta(days=900))
    loud = memory(2, "The ledger is kept in the shop and decisions are kept", pinned=True, priority=Priority.RED,
                  seen=100_000, sessions=9_999, confidence=1.0)
    fill(home, loud, exact)
    assert texts(home, "DEC-0054")[0] == exact.text
    assert texts(home, "keep the ledger")[0] == exact.text


def test_old_memories_are_found(home: Home) -> None:
    fill(home, memory(1, "The VAT rate is in tax.py", created_at=NOW - timedelta(days=400)))
    hit = recall(home, "where is the VAT rate?", now=NOW)[0]
    assert round(hit.age_days or 0) == 400


def test_repeats_are_collapsed_with_their_count(home: Home) -> None:
    fill(home, memory(1, "Use pnpm for the shop, always"), memory(2, "use pnpm for the shop always."),
         memory(3, "Use pnpm for the shop, always!"), memory(4, "Never use pnpm for the shop, always"))
    hits = recall(home, "pnpm shop", now=NOW)
    assert sorted(h.duplicates for h in hits) == [0, 2]


def test_hits_below_half_of_the_best_are_left_out(home: Home) -> None:
    fill(home, memory(1, "The database of the ledger is Postgres sixteen", session="s1"),
         *(memory(i, f"Chair {i} has a database of dust", session=f"s{i}") for i in range(2, 9)))
    assert texts(home, "which database Postgres for the ledger")[0].startswith("The database")
    assert len(texts(home, "which database Postgres for the ledger")) == 1


def test_filters_restrict_the_universe(home: Home) -> None:
    fill(home, memory(1, "pnpm one", kind=Kind.DECISION, agent="codex", session="s1", priority=Priority.RED),
         memory(2, "pnpm two", scope=Scope.GLOBAL, session="s2"))
    assert texts(home, "pnpm", kinds=["decision"]) == ["pnpm one"]
    assert texts(home, "pnpm", agents=["codex"]) == ["pnpm one"]
    assert texts(home, "pnpm", sessions=["s2"]) == ["pnpm two"]
    assert texts(home, "pnpm", scopes=["global"]) == ["pnpm two"]
    assert texts(home, "pnpm", priorities=[3]) == ["pnpm one"]
    with pytest.raises(UsageError, match="nonsense"):
        recall(home, "pnpm", now=NOW, kinds=["nonsense"])
    with pytest.raises(UsageError, match="limit"):
        recall(home, "pnpm", now=NOW, limit=0)


def test_filtered_hits_are_found_behind_many_better_ones(home: Home) -> None:
    fill(home, *(memory(i, "pnpm pnpm", project="p-other") for i in range(600)),
         memory(700, "a long sentence in which pnpm stands somewhere", kind=Kind.LESSON))
    assert texts(home, "pnpm", all_projects=True, kinds=["lesson"]) == ["a long sentence in which pnpm stands somewhere"]


def test_messages_show_only_when_asked_for(home: Home) -> None:
    said = Message("m1", "s9", "claude", "", "r1", 0, Role.PERSON, Via.PROMPT, "please use pnpm", START, "a", 1, 1, "")
    injected = replace(said, id="m2", seq=1, role=Role.HARNESS, via=Via.INJECTED, text="memory says pnpm")
    fill(home, PutNode(said), PutNode(injected))
    assert texts(home, "pnpm") == []
    assert texts(home, "pnpm", types=["message"]) == ["please use pnpm"]


def test_answer_beside_the_question_is_found(home: Home) -> None:
    lines = ["Which colour should the door have?", "Green, as the old one.", "Thanks!"]
    fill(home, *(PutNode(Message(f"m{i}", "s", "items", "", f"x{i}", i, Role.PERSON, Via.PROMPT, t, START, "", 0, 0, ""))
                 for i, t in enumerate(lines)))
    hits = recall(home, "colour of the door", now=NOW)
    assert [h.external_id for h in hits][:2] == ["x0", "x1"]
    assert "stands beside" in hits[1].why[0]


def test_as_of_shows_what_was_known_then(home: Home) -> None:
    old = memory(1, "The database is SQLite")
    later = START + timedelta(days=10)
    new = replace(old, revision=2, text="The database is Postgres", recorded_at=later)
    with SearchIndex(home.search) as index:
        index.apply([Batch(START, "t", (PutNode(old),), 1),
                     Batch(later, "t", (PutNode(new), SetState("Observation", old.key, {"current": False})), 2),
                     Batch(later + timedelta(days=5), "t",
                           (SetState("Observation", new.key, {"status": Status.RETIRED}),), 3)])
    assert texts(home, "database") == []
    assert texts(home, "database", as_of=START + timedelta(days=5)) == ["The database is SQLite"]
    assert texts(home, "database", as_of=START + timedelta(days=12)) == ["The database is Postgres"]
    assert texts(home, "database", as_of=START - timedelta(days=1)) == []


def test_superseded_shows_when_asked_for_with_its_mark(home: Home) -> None:
    old, new = memory(1, "We use npm in the shop"), memory(2, "We use pnpm in the shop")
    fill(home, old, new, PutEdge(Edge("supersedes", "Observation", new.key, "Observation", old.key, START, "judged")),
         SetState("Observation", old.key, {"status": Status.SUPERSEDED, "valid_until": START}))
    assert texts(home, "npm shop") == [new.text] or old.text not in texts(home, "npm shop")
    hit = recall(home, "npm shop", now=NOW, statuses=[Status.SUPERSEDED])[0]
    assert hit.marks == ("superseded", f"superseded by {new.id}")


def test_why_tells_terms_arms_and_what_was_missed(home: Home) -> None:
    fill(home, memory(1, "The ledger database is Postgres"), memory(2, "A database of chairs"))
    why = " | ".join(r for h in recall(home, "ledger database", now=NOW, why=True) for r in h.why)
    assert "words: ledger, databas" in why
    assert "arms: words" in why
    assert "just missed" in why or len(recall(home, "ledger database", now=NOW)) == 2


ZONES = ["Asia/Tokyo", "America/Los_Angeles", "UTC"]


@pytest.mark.parametrize("zone", ZONES)
def test_yesterday_is_meant_in_the_users_zone(home: Home, zone: str) -> None:
    local = ZoneInfo(zone)
    now = datetime(2026, 11, 30, 0, 30, tzinfo=local)
    late = datetime(2026, 11, 29, 23, 45, tzinfo=local).astimezone(UTC)
    early = datetime(2026, 11, 28, 23, 45, tzinfo=local).astimezone(UTC)
    fill(home, memory(1, "tea was fixed", created_at=late, recorded_at=late),
         memory(2, "coffee was fixed", created_at=early, recorded_at=early))
    hits = recall(home, "what was fixed yesterday?", now=now.astimezone(UTC), zone=local)
    assert hits[0].text == "tea was fixed"


@pytest.mark.parametrize("zone", ZONES)
def test_expiry_holds_to_the_instant(home: Home, zone: str) -> None:
    at = datetime(2026, 11, 30, 0, 0, tzinfo=ZoneInfo(zone)).astimezone(UTC)
    fill(home, memory(1, "The code is tea", expires_at=at))
    assert recall(home, "code", now=at - timedelta(seconds=1))
    assert not recall(home, "code", now=at)


@pytest.mark.parametrize(("question", "since", "until"), [
    ("last tuesday", "2026-11-24", "2026-11-25"), ("on monday", "2026-11-23", "2026-11-24"),
    ("in march", "2026-03-01", "2026-04-01"), ("in december", "2025-12-01", "2026-01-01"),
    ("two weeks ago", "2026-11-16", "2026-11-23"), ("last month", "2026-10-01", "2026-11-01"),
    ("on 7 May 2023", "2023-05-07", "2023-05-08"), ("May 7th, 2023", "2023-05-07", "2023-05-08"),
    ("before 2026-03-01", None, "2026-03-01"), ("after 2026-03-01", "2026-03-02", None), ("since may", "2026-05-01", None),
    ("in 2024", "2024-01-01", "2025-01-01"), ("this year", "2026-01-01", "2027-01-01")])
def test_times_are_read(question: str, since: str | None, until: str | None) -> None:
    found = when.span_of(f"what happened {question}?", NOW, UTC)
    assert found is not None
    assert [t and t.date().isoformat() for t in (found.since, found.until)] == [since, until]


@pytest.mark.parametrize("question", ["may I use pnpm?", "the march of progress", "2026-99-99"])
def test_words_that_are_no_times_are_not_read_as_such(question: str) -> None:
    assert when.span_of(question, NOW, UTC) is None


def test_items_are_added_once_and_found_by_their_own_id(home: Home) -> None:
    given = [{"id": "a", "text": "We met in Lisbon", "session": "S1", "timestamp": "1:56 pm on 8 May, 2023",
              "speaker": "Ana"}, {"id": "b", "text": "secret tea", "session": "S1"}]
    for round_ in range(2):
        for changes in items.batches(home, given, now=NOW, clean=lambda t: t.replace("secret", "[redacted]")):
            with SearchIndex(home.search) as index:
                index.apply([Batch(NOW, "t", tuple(changes), index.position() + 1)])
            assert round_ == 0, "the second round has nothing new"
    hit = recall(home, "Lisbon", now=NOW)[0]
    assert (hit.external_id, hit.text, hit.type) == ("a", "Ana: We met in Lisbon", "item")
    assert hit.created_at == datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    assert recall(home, "tea", now=NOW)[0].text == "[redacted] tea"


def test_grounding_compares_the_source_again(tmp_path: Path) -> None:
    import hashlib

    from agent_memory.recall.hit import Source

    file = tmp_path / "t.jsonl"
    file.write_bytes(b"one\ntwo\nthree\n")
    source = Source("claude", "s", str(file), (2, 2), hashlib.sha256(b"two\n").hexdigest())
    assert grounding.check(source) == "grounded"
    assert grounding.context_lines(source, 1) == [(1, "one"), (2, "two"), (3, "three")]
    file.write_bytes(b"one\n2\nthree\n")
    assert grounding.check(source) == "drifted"
    file.unlink()
    assert grounding.check(source) == "gone"
    assert grounding.check(replace(source, sha256="")) == "unverifiable"


MEMORIES = st.builds(
    lambda n, **f: memory(n, f"the tea house number {n}", **f), st.integers(0, 10**6),
    scope=st.sampled_from(Scope), project=st.sampled_from(["", "p-1", "p-2"]), status=st.sampled_from(Status),
    current=st.booleans(),
    valid_from=st.sampled_from([None, NOW - timedelta(1), NOW, NOW + timedelta(1)]),
    valid_until=st.sampled_from([None, NOW - timedelta(1), NOW, NOW + timedelta(1)]),
    expires_at=st.sampled_from([None, NOW - timedelta(1), NOW, NOW + timedelta(1)]))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(MEMORIES, unique_by=lambda m: m.id, max_size=12), st.sampled_from(["", "p-1", "p-3"]), st.booleans(),
       st.sets(st.sampled_from(Status), min_size=1))
def test_what_recall_may_show_is_what_the_rule_says(tmp_path_factory: pytest.TempPathFactory,
                                                    memories: list[MemoryNode], project: str, everywhere: bool,
                                                    statuses: set[Status]) -> None:
    home = Home(tmp_path_factory.mktemp("h"))
    fill(home, *memories)
    view = Viewpoint(NOW, project, everywhere, statuses)
    hits = recall(home, "tea house number", now=NOW, project=project, all_projects=everywhere, limit=100,
                  statuses=sorted(statuses))
    assert {h.id for h in hits} <= {m.id for m in memories if visible(m, view)}
    for wanted in memories:
        if visible(wanted, view):
            found = recall(home, wanted.text, now=NOW, project=project, all_projects=everywhere, limit=100,
                           statuses=sorted(statuses))
            assert wanted.id in {h.id for h in found}


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=80))
def test_any_question_gives_a_list(tmp_path_factory: pytest.TempPathFactory, query: str) -> None:
    home = Home(tmp_path_factory.getbasetemp() / "asked")
    if not home.search.exists():
        fill(home, memory(1, "We use pnpm; 猫 and a _ b; C++"), memory(2, "Привет мир"))
    assert isinstance(recall(home, query, now=NOW, why=True), list)
