"""Purged is gone: from every file of ours, for good, also when the process is killed in between."""

from __future__ import annotations

import gzip
import json
from datetime import timedelta
from pathlib import Path

import pytest
import store_sample as sample

from agent_memory.paths import Home
from agent_memory.store import backup, proof, purge_intent, purge_run
from agent_memory.store import purge as removal
from agent_memory.store.gone import PURGED_MARK, Purged, is_tombstoned
from agent_memory.store.lease import hold
from agent_memory.store.open import Store
from agent_memory.store.purge_plan import PurgePlan, counted, plan_purge
from agent_memory.store.verify import verify

NOW = sample.AT + timedelta(days=10)
SECRET = sample.TEXTS[0]


def plan_for(store: Store, number: int = 0) -> PurgePlan:
    with store.read() as graph:
        found = graph.memory(sample.MEMORIES[number].id)
        assert found is not None
        return plan_purge(graph, [found])


def pack_closed_segments(store: Store) -> None:
    with hold(store.journal.lock, exclusive=True, wait=5, what="the journal"):
        for segment in store.journal.segments():
            store.journal.replace(segment, segment.path.read_bytes(), packed=True)


def holding(home: Home, text: str = SECRET) -> list[str]:
    return [f.path for f in proof.search(home.root, [text])]


def test_preview_names_the_memory_its_source_and_what_repeats_it(home: Home) -> None:
    plan = plan_for(sample.fill(home))
    assert counted(plan) == {"Message": 1, "Observation": 1}
    assert plan.texts == (SECRET,)
    assert plan.transcripts == ("/data/one.jsonl",)


@pytest.mark.parametrize("engine", ["memory", "kuzu"])
def test_no_byte_stays_in_any_file(home: Home, engine: str) -> None:
    store = sample.fill(home, engine)
    pack_closed_segments(store)
    home.views.mkdir(exist_ok=True)
    view = home.views / "observations.md"
    view.write_text(f"- {SECRET}\n")
    home.inbox.mkdir()
    (home.inbox / "1.json").write_text(json.dumps({"text": f"Again: {SECRET}", "event": "prompt"}))
    backup.create(store, now=NOW)
    store.commit(sample.lifecycle.set_status(sample.MEMORIES[2], sample.MEMORIES[2].status, f"as {SECRET}", "person", NOW),
                 at=NOW)
    assert {Path(p).suffix for p in holding(home)} >= {".gz", ".md", ".json", ".zst", ".db"} - (
        {".db"} if engine == "memory" else set())
    report = removal.purge(store, plan_for(store), now=NOW, refresh=lambda: view.write_text("- \n"))
    assert report.proved
    assert report.remaining == ()
    assert holding(home) == []
    assert report.removed == {"Message": 1, "Observation": 1}
    assert report.inbox == 1
    assert len(report.backups_rewritten) == 1
    assert json.loads((home.inbox / "1.json").read_text()) == {"text": PURGED_MARK, "event": "prompt"}
    assert verify(store).findings == ()
    with store.read() as graph:
        assert graph.memory(sample.MEMORIES[0].id) is None
        assert sample.texts(graph) >= {"Use pnpm 9 in the oven folder.", sample.TEXTS[2]}
        assert graph.happenings(sample.MEMORIES[2].id)[-1].detail == ""


def test_text_that_stays_in_a_file_of_a_person_is_named(home: Home) -> None:
    store = sample.fill(home)
    home.views.mkdir(exist_ok=True)
    (home.views / "profile.md").write_text(f"My own words: {SECRET}\n")
    report = removal.purge(store, plan_for(store), now=NOW)
    assert [f.path for f in report.remaining] == ["memory/profile.md"]


def test_the_same_words_are_known_as_purged(home: Home) -> None:
    store = sample.fill(home)
    removal.purge(store, plan_for(store), now=NOW)
    with store.read() as graph:
        gone = Purged(graph, home)
        assert gone.holds(SECRET.upper())
        assert gone.holds(f"Well.\n- {SECRET} And so on.")
        assert is_tombstoned(graph, home, f"Hello. {SECRET} Thanks!")
        assert not gone.holds("Hello.")
        assert not gone.holds(sample.TEXTS[1])
        assert gone.scrub(f"First.\n{SECRET}\nLast.") == f"First.\n{PURGED_MARK}\nLast."


def test_all_revisions_of_a_memory_go(home: Home) -> None:
    store = sample.fill(home)
    plan = plan_for(store, 1)
    assert set(plan.texts) == {"Use pnpm 9 in the oven folder.", sample.TEXTS[1]}
    removal.purge(store, plan, now=NOW)
    assert holding(home, sample.TEXTS[1]) == []
    assert holding(home, "Use pnpm 9 in the oven folder.") == []


def test_text_in_a_title_and_a_cursor_is_emptied_and_the_node_stays(home: Home) -> None:
    from dataclasses import replace

    from agent_memory.model.change import PutNode, SetCursor
    from agent_memory.model.transcript import Cursor
    store = sample.fill(home)
    with store.read() as graph:
        session = graph.session(sample.SESSION)
    assert session is not None
    store.commit([PutNode(replace(session, id="other", host_id="x", title=f"{SECRET} (plan)")),
                  SetCursor(Cursor("claude", "/data/two.jsonl", "other", state=json.dumps({"open": SECRET}))),
                  PutNode(sample.ToolEvent("t-2", sample.SESSION, "claude", sample.PROJECT, "r", 20, "Bash",
                                           json.dumps({"command": f"echo '{SECRET}\n'"}), "", "ok", 0, None, "", 0, 0, ""))],
                 at=NOW)
    report = removal.purge(store, plan_for(store), now=NOW)
    assert report.removed == {"Message": 1, "Observation": 1, "ToolEvent": 1}
    assert holding(home) == []
    with store.read() as graph:
        other = graph.session("other")
        assert other is not None
        assert other.title == ""
        cursor = graph.cursor("claude", "/data/two.jsonl")
        assert cursor is not None
        assert cursor.state == "{}"


@pytest.mark.parametrize("step", ["append", "rewrite", "rebuild", "backups", "done"])
def test_killed_purge_is_carried_on_without_the_text(home: Home, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Killed(BaseException):
        pass

    def die(*_: object, **__: object) -> None:
        raise Killed

    store = sample.fill(home)
    backup.create(store, now=NOW)
    plan = plan_for(store)
    with monkeypatch.context() as patch:
        target, name = {"append": (store.journal, "append"), "rewrite": (store.journal, "rewrite"),
                        "rebuild": (purge_run, "rebuild_leased"), "backups": (purge_run, "rewrite_backups"),
                        "done": (purge_intent, "done")}[step]
        patch.setattr(target, name, die)
        with pytest.raises(Killed):
            removal.purge(store, plan, now=NOW)
    intent = home.graph.with_name("purge.json").read_text()
    assert SECRET not in intent
    assert "purge-unfinished" in {f.code for f in verify(store).findings}
    again = Store(home)
    report = removal.resume(again)
    assert report is not None
    assert report.removed == {"Message": 1, "Observation": 1}
    assert holding(home) == []
    assert verify(again).findings == ()
    assert not purge_intent.unfinished(home)
    assert removal.resume(again) is None
    with again.read() as graph:
        assert is_tombstoned(graph, home, SECRET)
        assert graph.counts()["Observation"] == 4


def test_purged_backup_can_be_restored_and_stays_clean(home: Home) -> None:
    from agent_memory.store.restore import restore
    store = sample.fill(home)
    made = backup.create(store, now=NOW).backup
    removal.purge(store, plan_for(store), now=NOW + timedelta(hours=1))
    restore(store, made.id, now=NOW + timedelta(hours=2))
    assert holding(home) == []
    assert verify(store).findings == ()
    with store.read() as graph:
        assert is_tombstoned(graph, home, SECRET)
        assert sample.TEXTS[2] in sample.texts(graph)


def test_reading_carries_a_killed_purge_on(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    store = sample.fill(home)
    view = home.views / "observations.md"
    view.parent.mkdir(exist_ok=True)
    view.write_text(f"# Mine\n- {SECRET}\n  at last <!-- m:{sample.MEMORIES[0].id} -->\n- other <!-- m:x -->\n")
    with monkeypatch.context() as patch:
        patch.setattr(purge_run, "rebuild_leased", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            removal.purge(store, plan_for(store), now=NOW)
    with Store(home).read() as graph:
        assert graph.memory(sample.MEMORIES[0].id) is None
    assert view.read_text() == "# Mine\n- other <!-- m:x -->\n"
    assert holding(home) == []
    assert verify(Store(home)).findings == ()


def test_search_sees_through_every_form(tmp_path: Path) -> None:
    text = 'say "ü" & go\n<now>'
    files = {
        "a.txt": text.encode(), "b.txt": text.encode("utf-16-le"), "c.json": json.dumps({"t": text}).encode(),
        "d.json": json.dumps(json.dumps({"t": text}, ensure_ascii=False), ensure_ascii=False).encode(),
        "e.html": b"<p>say &quot;\xc3\xbc&quot; &amp; go\n&lt;now&gt;</p>", "f.jsonl.gz": gzip.compress(text.encode()),
        "g.bin": b"x" * (1 << 20) + text.encode(), "h.bin": b"x" * ((1 << 20) - 5) + text.encode(), "clean.txt": b"say go"}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    assert [f.path for f in proof.search(tmp_path, [text])] == sorted(set(files) - {"clean.txt"})
