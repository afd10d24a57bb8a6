"""What lint finds, and what it puts right without touching a memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from agent_memory import Memory
from agent_memory.model.change import PutNode
from agent_memory.notes.lint import lint
from agent_memory.paths import Home
from agent_memory.search import vectors
from agent_memory.search.vectors import Model

HOURS = timedelta(hours=4)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    return tmp_path / "shop"


@pytest.fixture
def memory(home: Home, now: datetime) -> Memory:
    return Memory(home.root, now=lambda: now)


def codes(memory: Memory, *, fix: bool = False) -> list[str]:
    return sorted(f.code for f in memory.lint(fix=fix).findings)


def memories(memory: Memory) -> list[object]:
    with memory.store.read() as graph:
        return list(graph.memories())


def test_a_link_to_a_file_that_is_gone_is_noted_once_and_the_memory_stays(memory: Memory, shop: Path) -> None:
    (shop / "src").mkdir()
    (shop / "src" / "oven.py").write_text("")
    memory.store_note("The timer lives in src/oven.py", kind="fact", cwd=str(shop))
    memory.flush()
    assert codes(memory) == []
    (shop / "src" / "oven.py").unlink()
    before = memories(memory)
    assert codes(memory) == ["stale-link"]
    report = memory.lint(fix=True)
    assert (len(report.findings), report.fixed) == (1, 1)
    assert codes(memory) == []
    assert memories(memory) == before
    assert memory.recall("timer oven", cwd=str(shop))


def test_orphans_get_a_bare_project_and_session_to_belong_to(memory: Memory, shop: Path) -> None:
    model = memory.store_note("The oven is hot", kind="fact", cwd=str(shop))
    memory.flush()
    node = memory.find_memory(model.id)
    lost = [replace(node, id=f"{n:026d}", text=f"Lost {n}", content_hash=f"{n:064d}", project="p-00000000000000ff",
                    session=f"{7:026d}") for n in range(2)]
    memory.store.commit([PutNode(one) for one in lost], at=memory.now(), actor="test")
    assert codes(memory) == ["orphan", "orphan"]
    assert codes(memory, fix=True) == ["orphan", "orphan"]
    assert codes(memory) == []
    with memory.store.read() as graph:
        session = graph.session(f"{7:026d}")
        assert session is not None
        assert session.ended_at == node.created_at
        assert "p-00000000000000ff" in {p.project.id for p in graph.projects()}


def test_an_untyped_note_is_told_and_left_to_a_person(memory: Memory) -> None:
    memory.store_note("something")
    memory.store_note("something with a tag", tags=["oven"])
    assert codes(memory, fix=True) == ["untyped"]
    assert codes(memory) == ["untyped"]


@pytest.mark.parametrize(("semantic", "left"), [("", []), ("/models/new", ["new"]), ("litellm:acme/embed", ["acme/embed"])])
def test_vectors_of_another_model_are_made_anew_or_removed(
        memory: Memory, home: Home, now: datetime, semantic: str, left: list[str]) -> None:
    memory.store_note("The oven is hot", kind="fact", tags=["oven"])
    memory.flush()
    for name in {"old", *left}:
        vectors.append(home.search, Model(name, "1", 2), [(b"k" * vectors.KEY, b"1234")])

    def embed() -> None:
        vectors.drop_other(home.search, Model(left[0], "1", 2))

    def look(*, fix: bool) -> list[str]:
        found = lint(memory.store, now=now, session_timeout=HOURS, fix=fix, semantic=semantic,
                     embed=embed if semantic else None).findings
        return [f.what for f in found if f.code == "model-mismatch"]

    assert len(look(fix=False)) == 1
    assert "old" in look(fix=True)[0]
    assert look(fix=False) == []
    assert [model.name for model, _ in vectors.models(home.search)] == left


def test_the_worker_reports_what_it_archived_beyond_the_limit(home: Home, now: datetime) -> None:
    memory = Memory(home.root, now=lambda: now, max_observations=2)
    for number in range(4):
        memory.store_note(f"Fact number {number}", kind="fact")
    report = memory.drain()
    assert len(report.archived) == 2
    assert all("least useful of more than 2" in why for _, why in report.archived)
    assert memory.drain().archived == ()
