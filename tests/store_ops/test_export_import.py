"""What goes out comes back in: exactly, once, redacted, and without what was purged or forgotten."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import timedelta
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import store_sample as sample
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.errors import NotFoundError, UsageError
from agent_memory.model.memory import MemoryNode
from agent_memory.paths import Home
from agent_memory.store import purge as removal
from agent_memory.store.digest import summary
from agent_memory.store.engines.memory import MemoryGraph
from agent_memory.store.export import export
from agent_memory.store.import_ import ImportReport, import_items
from agent_memory.store.import_read import read_items
from agent_memory.store.items import COMMON, node_item, node_of
from agent_memory.store.open import Store
from agent_memory.store.purge_plan import plan_purge

NOW = sample.AT + timedelta(days=10)


def as_it_is(text: str) -> str:
    return text


def lines(store: Store, **options: Any) -> list[dict[str, Any]]:
    with store.read() as graph:
        return [json.loads(line) for line in export(graph, **options)]


def write(path: Path, store: Store, fmt: Any = "jsonl", **options: Any) -> Path:
    with store.read() as graph:
        path.write_text("".join(export(graph, fmt, **options)), encoding="utf-8")
    return path


def take(home: Home, path: Path, redact: Any = as_it_is) -> ImportReport:
    return import_items(Store(home, engine="memory"), read_items(path), now=NOW, redact=redact)


def total(store: Store) -> object:
    with store.read() as graph:
        found = summary(graph)
    left_out = ("Tombstone", "Cursor", "Observed")
    return ({k: v for k, v in found.counts.items() if k not in left_out},
            {k: v for k, v in found.digests.items() if k not in left_out})


@pytest.fixture
def other(home: Home) -> Home:
    return Home(home.root.with_name("other"))


def test_lines_have_the_promised_keys_and_no_null_lists(home: Home) -> None:
    items = lines(sample.fill(home))
    assert {i["type"] for i in items} == {"observation", "reflection", "session", "symbol", "project"}
    for item in items:
        assert set(COMMON) <= item.keys()
        assert {"agent", "session", "file", "lines", "sha256"} <= item["source"].keys()
        assert not any(v is None for k, v in item.items() if k in (*COMMON, "tags", "sources", "keys"))
    first = next(i for i in items if i["text"] == sample.TEXTS[0])
    assert first["priority"] == "red"
    assert (first["project"], first["project_id"], first["status"], first["kind"]) == (
        "bakery", sample.PROJECT, "active", "decision")
    assert first["source"]["lines"] == [1, 1]


def test_forgotten_and_old_revisions_are_not_exported_unless_everything_is(home: Home) -> None:
    store = sample.fill(home)
    assert not {sample.TEXTS[1], sample.TEXTS[3]} & {i["text"] for i in lines(store)}
    assert {sample.TEXTS[1], sample.TEXTS[3]} <= {i["text"] for i in lines(store, everything=True)}


def test_same_graph_gives_the_same_bytes(home: Home) -> None:
    store = sample.fill(home)
    with store.read() as graph:
        for fmt in ("jsonl", "json", "ttl"):
            assert "".join(export(graph, fmt)) == "".join(export(graph, fmt))


@pytest.mark.parametrize("fmt", ["jsonl", "json"])
def test_everything_makes_the_same_graph_again_and_twice_changes_nothing(home: Home, other: Home, tmp_path: Path, fmt: str) -> None:
    store = sample.fill(home)
    path = write(tmp_path / "all", store, fmt, everything=True)
    report = take(other, path)
    assert report.refused == ()
    assert total(Store(other)) == total(store)
    position = Store(other).position()
    again = take(other, path)
    assert (again.added, again.edges, again.position) == (0, 0, position)
    assert Store(other).position() == position


def test_usual_export_brings_memories_with_their_session_and_project(home: Home, other: Home, tmp_path: Path) -> None:
    store = sample.fill(home)
    path = write(tmp_path / "usual", store)
    assert take(other, path).refused == ()
    with Store(other).read() as graph, store.read() as was:
        visible = {m.text for m in was.memories() if m.status.word != "retired"}
        assert sample.texts(graph) == visible
        assert {p.project.name for p in graph.projects()} == {"bakery"}
    assert take(other, path).added == 0


def test_unreadable_lines_are_named_and_the_others_load(home: Home, tmp_path: Path) -> None:
    path = tmp_path / "mixed"
    good = json.dumps({"type": "observation", "text": "Bread rises twice.", "kind": "error", "project": "bakery"}).encode()
    path.write_bytes(b"\n".join([
        b"\xef\xbb\xbf" + good, b"{broken", b"[1]", b'"text"', b"\xff\xfe{}", b'{"type":"unicorn","id":"1"}',
        b'{"type":"observation","text":""}', b'{"type":"observation","text":"x","kind":"mood"}',
        b'{"type":"observation","text":"x","priority":"purple"}', b'{"type":"observation","text":5}',
        b'{"type":"observation","text":"x","created_at":"yesterday"}', b'{"type":"session","id":"s"}',
        b'{"type":"edge","kind":"bites"}', b'{"a":NaN}', b"[" * 100_000, b"",
        b'{"type":"observation","text":"x","tags":"a"}', b'{"type":"observation","text":"x","revision":true}']))
    report = take(home, path)
    assert [r.line for r in report.refused] == [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18]
    assert all(r.reason for r in report.refused)
    with Store(home).read() as graph:
        assert [(m.text, m.kind.value) for m in graph.memories()] == [("Bread rises twice.", "lesson")]
        assert [p.project.name for p in graph.projects()] == ["bakery"]
    assert take(home, path).added == 0


def test_secrets_are_taken_out_before_anything_is_stored(home: Home, tmp_path: Path) -> None:
    path = tmp_path / "secret"
    item = {"type": "observation", "text": "The key is hunter2.", "rule": "hunter2", "tags": ["hunter2"]}
    path.write_text(json.dumps(item) + "\n")
    report = take(home, path, lambda text: text.replace("hunter2", "[REDACTED]"))
    assert report.redacted == 1
    assert not any(b"hunter2" in p.read_bytes() for p in home.root.rglob("*") if p.is_file())


def test_purged_text_does_not_come_back(home: Home, tmp_path: Path) -> None:
    store = sample.fill(home)
    path = write(tmp_path / "all", store, everything=True)
    with store.read() as graph:
        found = graph.memory(sample.MEMORIES[0].id)
        assert found is not None
        plan = plan_purge(graph, [found])
    removal.purge(store, plan, now=NOW)
    path.write_text(path.read_text() + json.dumps({"type": "preference", "text": sample.TEXTS[0].upper()}) + "\n")
    report = import_items(store, read_items(path), now=NOW, redact=as_it_is)
    assert report.purged == 3
    assert report.unjoined > 0
    with store.read() as graph:
        assert sample.TEXTS[0] not in sample.texts(graph)
    assert sample.TEXTS[0].encode() not in store.journal.segments()[0].path.read_bytes()


def test_forgotten_text_of_a_peer_stays_forgotten(home: Home, tmp_path: Path) -> None:
    store = sample.fill(home)
    path = tmp_path / "peer"
    path.write_text(json.dumps({"type": "observation", "text": sample.TEXTS[3], "project": "bakery"}) + "\n")
    assert take(home, path).forgotten == 1
    with store.read() as graph:
        assert [m.status.word for m in graph.memories() if m.text == sample.TEXTS[3]] == ["retired"]


def test_older_revision_does_not_overwrite_and_newer_one_follows(home: Home, other: Home, tmp_path: Path) -> None:
    store = Store(other, engine="memory")
    store.commit(sample.first_batch(), at=sample.AT, actor="t")
    old = write(tmp_path / "old", store)
    new = write(tmp_path / "new", sample.fill(home))
    assert take(home, old).added == 0
    with Store(home).read() as graph:
        assert "Use pnpm 9 in the oven folder." in sample.texts(graph)
    assert take(other, new).refused == ()
    with Store(other).read() as graph:
        assert [m.text for m in graph.revisions(sample.MEMORIES[1].id)] == [sample.TEXTS[1], "Use pnpm 9 in the oven folder."]
        assert [m.current for m in graph.revisions(sample.MEMORIES[1].id)] == [False, True]


def test_missing_and_newer_files_are_refused_as_a_whole(home: Home, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        take(home, tmp_path / "none")
    newer = tmp_path / "newer.json"
    newer.write_text('{"version": 99, "items": []}')
    with pytest.raises(UsageError, match="version 99"):
        take(home, newer)
    assert not home.journal.exists()


def test_turtle_is_valid_against_the_shapes(home: Home) -> None:
    import pyshacl
    import rdflib
    store = sample.fill(home)
    with store.read() as graph:
        text = "".join(export(graph, "ttl"))
    data = rdflib.Graph().parse(data=text, format="turtle")
    shapes = rdflib.Graph().parse(data=(files("graph_schema") / "shapes" / "memory.ttl").read_text("utf-8"), format="turtle")
    conforms, _, report = pyshacl.validate(data, shacl_graph=shapes)
    assert conforms, report
    broken = text.replace('am:kind "decision"', 'am:kind "mood"', 1)
    assert broken != text
    assert not pyshacl.validate(rdflib.Graph().parse(data=broken, format="turtle"), shacl_graph=shapes)[0]


TEXT = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=60).filter(lambda t: t.strip())


@given(TEXT, st.sets(TEXT, max_size=3), st.integers(0, 9), st.booleans())
@settings(max_examples=60, deadline=None)
def test_any_memory_survives_its_item(text: str, tags: set[str], line: int, pinned: bool) -> None:
    memory = sample.memory(3, text, tags=tuple(sorted(tags)), line=line, line_end=line, pinned=pinned)
    back = node_of(json.loads(json.dumps(node_item(memory, {}))), NOW)
    assert isinstance(back, MemoryNode)
    assert back == memory


JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
                        ["type", "id", "text", "kind", "source", "edge", "lines", "tags", "project", "created_at", "at"]),
                        inner, max_size=5), max_leaves=12)


@given(JSON, st.sampled_from(["observation", "session", "message", "tool_event", "happening", "memento", "edge", None, 5]))
@settings(max_examples=200, deadline=None)
def test_no_item_crashes_the_reader(value: Any, kind: Any) -> None:
    item = value if isinstance(value, dict) else {"text": value}
    with suppress(ValueError):
        node_of(item | {"type": kind}, NOW)



def test_an_empty_graph_exports_nothing() -> None:
    assert list(export(MemoryGraph())) == []
    assert json.loads("".join(export(MemoryGraph(), "json"))) == {"version": 1, "items": []}
