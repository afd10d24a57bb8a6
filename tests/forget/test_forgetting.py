"""Forgotten is hidden with undo; what is meant is found exactly, or candidates are named."""

from __future__ import annotations

from datetime import timedelta

import pytest
import store_sample as sample

from agent_memory.errors import AmbiguousError, NotFoundError, UsageError
from agent_memory.forget import purge as purging
from agent_memory.forget.history import history
from agent_memory.forget.rescan import redact_rescan
from agent_memory.forget.retire import forget, restore
from agent_memory.forget.selection import Selection, select
from agent_memory.model import lifecycle
from agent_memory.model.memory import Status
from agent_memory.model.visibility import Viewpoint, visible
from agent_memory.paths import Home
from agent_memory.store import backup, proof
from agent_memory.store.gone import forgotten_hashes
from agent_memory.store.open import Store
from agent_memory.store.verify import verify

NOW = sample.AT + timedelta(days=10)
FIRST = sample.MEMORIES[0].id


@pytest.fixture
def store(home: Home) -> Store:
    return sample.fill(home)


def status(store: Store, memory_id: str = FIRST) -> Status:
    with store.read() as graph:
        found = graph.memory(memory_id)
        assert found is not None
        return found.status


def chosen(store: Store, **fields: object) -> set[str]:
    with store.read() as graph:
        return {m.text for m in select(graph, Selection(**fields))}  # type: ignore[arg-type]


def test_dry_run_shows_and_changes_nothing(store: Store) -> None:
    position = store.position()
    report = forget(store, Selection(ids=(FIRST,)), now=NOW)
    assert [m.id for m in report.memories] == [FIRST]
    assert (report.dry_run, store.position()) == (True, position)


def test_forgotten_is_invisible_and_can_be_restored(store: Store) -> None:
    forget(store, Selection(ids=(FIRST,)), now=NOW, reason="wrong", dry_run=False)
    with store.read() as graph:
        found = graph.memory(FIRST)
        assert found is not None
        assert not visible(found, Viewpoint(NOW, all_projects=True))
        assert (sample.PROJECT, found.content_hash) in forgotten_hashes(graph)
    back = restore(store, FIRST, now=NOW + timedelta(hours=1))
    assert visible(back, Viewpoint(NOW + timedelta(hours=2), all_projects=True))
    with store.read() as graph:
        told = [(h.value, h.detail) for h in history(graph, FIRST).happenings]
        assert told == [("retired", "wrong"), ("active", "restored")]


def test_all_texts_of_a_forgotten_memory_count_as_forgotten(store: Store) -> None:
    forget(store, Selection(ids=(sample.MEMORIES[1].id,)), now=NOW, dry_run=False)
    with store.read() as graph:
        assert {(sample.PROJECT, sample.MEMORIES[n].content_hash) for n in (1, 3)} <= forgotten_hashes(graph)


def test_selection_by_words_project_time_agent_and_session(store: Store) -> None:
    assert chosen(store, query="BLUE/green bakery") == {sample.TEXTS[0], "The bakery deploys blue/green."}
    assert len(chosen(store, project="bakery")) == 4
    assert chosen(store, since=sample.AT + timedelta(minutes=2), until=sample.AT + timedelta(minutes=3)) == {sample.TEXTS[2]}
    assert len(chosen(store, agent="claude")) == 4
    assert len(chosen(store, session=sample.SESSION, query="temp folder")) == 1
    assert sample.TEXTS[3] not in chosen(store, project="bakery"), "what is forgotten already is not meant"


def test_words_that_fit_several_are_refused_with_candidates(store: Store) -> None:
    assert len(forget(store, Selection(query="blue/green"), now=NOW).memories) == 2
    with pytest.raises(AmbiguousError) as caught:
        forget(store, Selection(query="blue/green"), now=NOW, dry_run=False)
    assert FIRST in caught.value.hint
    assert status(store) is Status.ACTIVE
    assert len(forget(store, Selection(query="blue/green"), now=NOW, dry_run=False, many=True).memories) == 2


def test_words_that_fit_nothing_name_the_nearest(store: Store) -> None:
    with pytest.raises(NotFoundError) as caught:
        forget(store, Selection(query="deploy the bakery crimson, never rolling"), now=NOW)
    assert sample.TEXTS[0][:30] in caught.value.hint


@pytest.mark.parametrize(("selection", "error"), [
    (Selection(), UsageError), (Selection(query="  "), UsageError), (Selection(ids=("01",)), UsageError),
    (Selection(ids=("",)), UsageError), (Selection(ids=("zzzzzzzz",)), NotFoundError),
    (Selection(ids=("../../etc",)), NotFoundError), (Selection(project="cellar"), NotFoundError),
    (Selection(agent="codex"), NotFoundError), (Selection(ids=(FIRST,), agent="codex"), NotFoundError),
    (Selection(ids=(FIRST[:6],)), AmbiguousError), (Selection(ids=(sample.MEMORIES[3].id,)), NotFoundError),
    (Selection(since=NOW, until=NOW), UsageError)])
def test_what_means_nothing_or_several_is_an_error_and_changes_nothing(store: Store, selection: Selection, error: type) -> None:
    position = store.position()
    with pytest.raises(error):
        forget(store, selection, now=NOW, dry_run=False)
    assert store.position() == position


def test_start_of_an_id_is_enough(store: Store) -> None:
    for cut in range(len(FIRST) - 1, 5, -1):
        try:
            assert [m.id for m in forget(store, Selection(ids=(FIRST[:cut],)), now=NOW).memories] == [FIRST]
        except AmbiguousError:
            break
    else:
        pytest.fail("some start must fit several")


def test_restoring_what_is_not_forgotten_is_an_error(store: Store) -> None:
    with pytest.raises(NotFoundError, match="not forgotten"):
        restore(store, FIRST, now=NOW)
    with pytest.raises(NotFoundError):
        restore(store, "zzzzzzzzz", now=NOW)


def test_history_tells_texts_reasons_sources_and_relations(store: Store) -> None:
    with store.read() as graph:
        told = history(graph, sample.MEMORIES[1].id)
        assert [m.text for m in told.revisions] == [sample.TEXTS[1], "Use pnpm 9 in the oven folder."]
        assert [h.what for h in told.happenings] == ["revised"]
        assert [(s.table, s.file, s.line) for s in told.sources] == [("Message", "/data/one.jsonl", 2)]
        assert [e.kind for e in history(graph, FIRST).relations] == ["mentions", "condenses"] or \
            {e.kind for e in history(graph, FIRST).relations} == {"mentions", "condenses"}


def test_purge_takes_forgotten_memories_too_and_words_of_no_memory(store: Store) -> None:
    preview = purging.plan(store, Selection(ids=(sample.MEMORIES[3].id,)))
    assert preview.nodes == {"Message": 1, "Observation": 1}
    purging.purge(store, preview, now=NOW)
    assert proof.search(store.home.root, [sample.TEXTS[3]]) == []
    with pytest.raises(NotFoundError):
        purging.plan(store, Selection(query="pnpm test"))
    preview = purging.plan(store, Selection(query="pnpm test"), words_too=True)
    assert preview.nodes == {"ToolEvent": 1}
    assert purging.purge(store, preview, now=NOW).remaining == ()
    assert proof.search(store.home.root, ["pnpm test"]) == []
    assert verify(store).findings == ()


def test_new_redaction_rules_reach_old_data(store: Store) -> None:
    store.commit(lifecycle.learn(sample.memory(60, "The oven key is hunter2, keep it.")), at=NOW)
    backup.create(store, now=NOW)
    (store.home.inbox).mkdir()
    (store.home.inbox / "e.json").write_text('{"text": "hunter2"}')

    def rule(text: str) -> str:
        return text.replace("hunter2", "[REDACTED]")

    seen = redact_rescan(store, rule, now=NOW)
    assert (seen.nodes, seen.records) == ({"Observation": 1}, 0)
    assert proof.search(store.home.root, ["hunter2"])
    done = redact_rescan(store, rule, now=NOW, dry_run=False)
    assert (done.nodes, done.records, done.inbox, len(done.backups_rewritten)) == ({"Observation": 1}, 1, 1, 1)
    assert proof.search(store.home.root, ["hunter2"]) == []
    assert verify(store).findings == ()
    with store.read() as graph:
        found = graph.memory(sample.memory(60, "The oven key is hunter2, keep it.").id)
        assert found is not None
        assert found.text == "The oven key is [REDACTED], keep it."
        assert [h.what for h in graph.happenings(found.id)] == ["redacted"]
    assert redact_rescan(store, rule, now=NOW, dry_run=False).nodes == {}
