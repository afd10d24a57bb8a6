"""Relations that a model proposes in a scan: asked over HTTP, metered, and never more than proposed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from openai_server import Act, Server, fails, says, serving

from agent_memory import Memory
from agent_memory.llm import asking
from agent_memory.model import lifecycle
from agent_memory.model.memory import Status
from agent_memory.paths import Home

TEXTS = ("The staging servers stand in Frankfurt", "Dublin hosts the staging servers since the move",
         "The bakery sells bread")


@pytest.fixture(autouse=True)
def _fresh_formats(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    asking._taken.clear()
    yield
    asking._taken.clear()


class World:
    """A home with notes, a minute between them, and whose memory asks a server."""

    def __init__(self, home: Home, now: datetime, shop: str) -> None:
        self.home, self.now, self.shop = home, now, shop
        plain = Memory(home.root, now=self.tick)
        self.ids = []
        for text in TEXTS:
            self.ids.append(plain.store_note(text, kind="fact", cwd=shop).id)
            plain.flush()

    def tick(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now

    def memory(self, server: Server, **settings: Any) -> Memory:
        return Memory(self.home.root, now=self.tick, llm_model="openai/some-model", llm_api_base=server.base, **settings)


@pytest.fixture
def world(home: Home, now: datetime, tmp_path: Path) -> World:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    return World(home, now, str(tmp_path / "shop"))


def relation(a: int, b: int, name: str, reason: str = "moved to Dublin", **more: object) -> dict[str, object]:
    return {"a": a, "b": b, "relation": name, "confidence": 0.8, "reason": reason} | more


def answers(*relations: dict[str, object]) -> Act:
    return says(json.dumps({"relations": list(relations)}))


def pairs(memory: Memory, status: str = "pending") -> dict[frozenset[str], str]:
    return {frozenset((r.source.id, r.target.id)): r.relation for r in memory.conflicts(status=status)}


def test_the_model_proposes_what_words_do_not_show_and_retires_nothing(world: World) -> None:
    with serving(answers(relation(2, 1, "supersedes"))) as server:
        memory = world.memory(server)
        report = memory.scan_conflicts()
        found = {r.relation: r for r in report.proposed}
        assert found["supersedes"].source.id == world.ids[1]
        assert found["supersedes"].status == "pending"
        assert "proposed by the model" in found["supersedes"].reason
        assert {r.status for r in memory.conflicts(status="all")} == {"pending"}
        for which in (0, 1):
            assert memory.find_memory(world.ids[which]).status is Status.CONTESTED
        assert memory.find_memory(world.ids[2]).status is Status.ACTIVE
        assert [call.purpose for call in _calls(memory)] == ["conflicts"]
        assert (_calls(memory)[0].tokens_in, _calls(memory)[0].tokens_out) == (100, 20)
        again = memory.scan_conflicts()
        assert again.proposed == ()
        assert len(server.bodies) == 2
        memory.judge(found["supersedes"].id)
        assert memory.find_memory(world.ids[0]).status is Status.SUPERSEDED


def _calls(memory: Memory) -> list[Any]:
    with memory.store.read() as graph:
        return list(graph.model_calls())


def test_where_words_and_model_name_one_pair_it_is_proposed_once_as_the_model_says(world: World) -> None:
    texts = ("The oven server listens on port 8080", "The oven server listens on port 9090")

    def act(handler: Any, body: dict[str, Any]) -> None:
        shown = str(body["messages"][-1]["content"]).splitlines()
        later, older = (next(n for n, line in enumerate(shown, 1) if text in line) for text in reversed(texts))
        answers(relation(later, older, "scoped", "one is for rye"))(handler, body)

    with serving(act) as server:
        memory = world.memory(server)
        model = memory.find_memory(world.ids[2])
        for n, text in enumerate(texts):  # as captured text comes in: nothing was compared yet
            node = replace(model, id=f"{n:026d}", text=text, content_hash=f"{n:064d}", created_at=world.tick())
            memory.store.commit(lifecycle.learn(node), at=world.now, actor="test")
        with_words = Memory(world.home.root, now=world.tick).scan_conflicts(dry_run=True)
        assert [r.relation for r in with_words.proposed if "oven" in r.source.text] == ["conflicts_with"]
        report = memory.scan_conflicts()
        assert [(r.relation, r.reason) for r in report.proposed if "oven" in r.source.text] == [
            ("scoped", "one is for rye (proposed by the model)")]
        assert {m.status for r in report.proposed if "oven" in r.source.text
                for m in (memory.find_memory(r.source.id), memory.find_memory(r.target.id))} == {Status.ACTIVE}


@pytest.mark.parametrize("bad", [
    relation(1, 9, "supersedes"), relation(1, 1, "conflicts_with"), relation(1, 2, "supersedes"),
    relation(2, 1, "judged"), relation(2, 1, "supersedes", confidence=7), relation(2, 1, "supersedes", extra=1),
    relation(2, 1, "supersedes", reason=3), relation(True, 2, "scoped")])
def test_an_answer_that_is_wrong_anywhere_is_sent_back_once_and_dropped_as_a_whole(
        world: World, bad: dict[str, object]) -> None:
    with serving(answers(relation(2, 1, "conflicts_with"), bad)) as server:
        memory = world.memory(server)
        report = memory.scan_conflicts()
        assert len(server.bodies) == 2
        assert not any("model" in r.reason for r in report.proposed)
        assert "only words were compared" in report.notes[0]


def test_a_server_that_fails_costs_nothing_but_the_models_part(world: World) -> None:
    with serving(fails(401, "no key")) as server:
        report = world.memory(server).scan_conflicts()
        assert "only words were compared" in report.notes[0]


def test_without_budget_nothing_is_sent(world: World) -> None:
    with serving(answers()) as server:
        assert "not asked" in world.memory(server, llm_tokens_per_day=100).scan_conflicts().notes[0]
        assert world.memory(server, llm_usd_per_day=0).scan_conflicts().notes == ()
        assert server.bodies == []


def test_a_dry_run_proposes_and_writes_no_relation(world: World) -> None:
    with serving(answers(relation(2, 1, "supersedes"))) as server:
        memory = world.memory(server)
        before = pairs(memory, "all")
        assert "supersedes" in [r.relation for r in memory.scan_conflicts(dry_run=True).proposed]
        assert pairs(memory, "all") == before


def test_a_secret_that_the_model_makes_up_is_not_stored(world: World) -> None:
    secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
    with serving(answers(relation(2, 1, "supersedes", f"the key {secret} moved"))) as server:
        memory = world.memory(server)
        memory.scan_conflicts()
        assert not any(secret.encode() in file.read_bytes() for file in world.home.root.rglob("*") if file.is_file())


def test_memories_of_two_projects_are_never_shown_together(world: World, tmp_path: Path) -> None:
    (tmp_path / "bank" / ".git").mkdir(parents=True)
    with serving(answers()) as server:
        memory = world.memory(server)
        for text in ("The vault opens at nine", "The vault opens at ten o'clock sharp"):
            memory.store_note(text, cwd=str(tmp_path / "bank"))
        memory.scan_conflicts()
        shown = [str(body["messages"][-1]["content"]) for body in server.bodies]
        assert len(shown) == 2
        assert not any("vault" in text and "staging" in text for text in shown)
        memory.scan_conflicts(project=str(tmp_path / "bank"))
        assert "staging" not in str(server.bodies[-1]["messages"][-1]["content"])
