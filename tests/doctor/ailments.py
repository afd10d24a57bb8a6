"""One way to provoke each code of what is stored in a home, by files. Each gives the topic whose check finds it."""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from doctor_world import NOW, World

from agent_memory.doctor.checks import backups as backup_check
from agent_memory.doctor.checks import journal as journal_check
from agent_memory.model.change import Batch, PutNode
from agent_memory.model.graph import Agent, ModelCall
from agent_memory.store import aside, backup, engine_file, lease
from agent_memory.store.journal import Journal

Ailment = Callable[[World, pytest.MonkeyPatch], str]
STORED: dict[str, Ailment] = {}
"""Code → what brings it about in a home that knows a session; gives the topic, with " full" where all must be read."""


def of(*codes: str) -> Callable[[Ailment], Ailment]:
    def remember(ailment: Ailment) -> Ailment:
        STORED.update(dict.fromkeys(codes, ailment))
        return ailment
    return remember


def _append(world: World, number: int) -> None:
    world.subject().store.append([PutNode(Agent(f"agent{number}", "An agent"))], at=NOW, actor="test")


# journal

@of("journal-ok")
def whole(world: World, _: pytest.MonkeyPatch) -> str:
    return "journal"


@of("journal-empty")
def nothing_stored(world: World, _: pytest.MonkeyPatch) -> str:
    shutil.rmtree(world.home.journal)
    return "journal"


@of("journal-damaged")
def a_flipped_byte(world: World, _: pytest.MonkeyPatch) -> str:
    segment = world.home.journal / "00000001.jsonl"
    data = bytearray(segment.read_bytes())
    data[60] ^= 1
    segment.write_bytes(bytes(data))
    return "journal"


@of("journal-torn")
def a_half_record(world: World, _: pytest.MonkeyPatch) -> str:
    with (world.home.journal / "00000001.jsonl").open("ab") as file:
        file.write(b'0123456789abcdef {"position": 9')
    return "journal"


@of("journal-unfolded")
def many_segments(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(journal_check, "SEGMENT_BYTES", 100)
    journal = Journal(world.home.journal, segment_bytes=100)
    for number in range(journal_check.UNFOLDED + 1):
        journal.append([PutNode(Agent(f"agent{number}", "An agent of invented name"))], at=NOW, actor="test")
    return "journal"


@of("exchange-unfinished")
def a_killed_restore(world: World, _: pytest.MonkeyPatch) -> str:
    (world.home.root / "kg" / "swap.json").write_text("{}")
    return "journal"


@of("purge-unfinished")
def a_killed_purge(world: World, _: pytest.MonkeyPatch) -> str:
    (world.home.root / "kg" / "purge.json").write_text("{}")
    return "journal"


# graph

@of("graph-ok")
def a_sound_graph(world: World, _: pytest.MonkeyPatch) -> str:
    return "graph"


@of("graph-verified")
def read_whole(world: World, _: pytest.MonkeyPatch) -> str:
    return "graph full"


@of("graph-missing")
def a_lost_graph(world: World, _: pytest.MonkeyPatch) -> str:
    for path in (world.home.root / "kg").glob("knowledge_graph.db*"):
        path.unlink()
    return "graph"


@of("graph-log-orphan")
def a_log_alone(world: World, _: pytest.MonkeyPatch) -> str:
    world.home.graph.unlink()
    world.home.graph.with_name("knowledge_graph.db.wal").write_bytes(b"x")
    return "graph"


@of("graph-damaged")
def another_file(world: World, _: pytest.MonkeyPatch) -> str:
    world.home.graph.write_bytes(b"not a graph at all" * 1_000)
    return "graph"


@of("graph-behind", "search-behind")
def journaled_only(world: World, _: pytest.MonkeyPatch) -> str:
    _append(world, 1)
    return "graph"


@of("graph-ahead", "search-ahead")
def a_journal_that_lost_its_end(world: World, _: pytest.MonkeyPatch) -> str:
    segment = world.home.journal / "00000001.jsonl"
    segment.write_bytes(b"".join(segment.read_bytes().splitlines(keepends=True)[:1]))
    return "graph"


@of("graph-differs")
def another_past(world: World, _: pytest.MonkeyPatch) -> str:
    journal = Journal(world.home.journal)
    last = journal.position()
    journal.rewrite(lambda batch: Batch(batch.at, batch.actor, batch.changes[:2], batch.position)
                    if batch.position == last else batch)
    return "graph full"


@of("graph-busy")
def a_writer_at_work(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    world.kept.enter_context(lease.lease(world.home.lease, exclusive=True, wait=1))
    monkeypatch.setattr(lease, "_held", threading.local())  # another process, as far as the lease knows
    return "graph"


@of("graph-unreadable")
def an_engine_that_says_no(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    from agent_memory.doctor import peek
    from agent_memory.errors import StoreError

    def refuse(*_: object, **__: object) -> None:
        raise StoreError("the engine does not know this file")

    monkeypatch.setattr(peek.asking, "ask", refuse)
    return "graph"


@of("schema-newer")
def of_a_later_version(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    return _told_by_the_engine(monkeypatch, "schema-newer")


@of("schema-older")
def of_an_earlier_version(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    return _told_by_the_engine(monkeypatch, "schema-older")


def _told_by_the_engine(monkeypatch: pytest.MonkeyPatch, code: str) -> str:
    """The process of the engine answers so; what makes it answer so is tested with the store."""
    from agent_memory.doctor import peek

    answer = json.dumps({"error": "the schema is another one", "code": code, "hint": "h"}).encode()
    monkeypatch.setattr(peek.subprocess, "run", lambda *a, **k: subprocess.CompletedProcess(a, 0, answer, b""))
    return "graph"


@of("engine-unknown")
def a_strange_engine(world: World, _: pytest.MonkeyPatch) -> str:
    engine_file.path(world.home).write_text('{"engine": "abacus"}')
    return "graph"


@of("batch-aside")
def a_batch_set_aside(world: World, _: pytest.MonkeyPatch) -> str:
    aside.add(world.home, Batch(NOW, "test", (), 1), "the engine refused it")
    return "graph"


@of("verify-found")
def a_finding_without_a_code_here(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    from agent_memory.doctor.checks import graph
    from agent_memory.store.verify import Finding, VerifyReport

    found = VerifyReport(1, "kuzu", (Finding("brand-new", "something of a later version", "run rebuild"),))
    monkeypatch.setattr(graph, "verify", lambda store: found)
    return "graph full"


# search

@of("search-ok")
def a_sound_search_file(world: World, _: pytest.MonkeyPatch) -> str:
    return "search"


@of("search-missing")
def a_lost_search_file(world: World, _: pytest.MonkeyPatch) -> str:
    world.home.search.unlink()
    return "search"


@of("search-damaged")
def no_database(world: World, _: pytest.MonkeyPatch) -> str:
    world.home.search.write_bytes(b"nonsense" * 1_000)
    return "search"


def _sql(world: World, statement: str) -> None:
    with sqlite3.connect(world.home.search) as connection:
        connection.execute(statement)
    connection.close()


@of("search-old")
def an_old_search_file(world: World, _: pytest.MonkeyPatch) -> str:
    _sql(world, "UPDATE meta SET value = '0.1' WHERE name = 'version'")
    return "search"


@of("search-behind")
def a_search_file_left_behind(world: World, _: pytest.MonkeyPatch) -> str:
    _sql(world, "UPDATE meta SET value = '1' WHERE name = 'position'")
    return "search"


@of("search-ahead")
def a_search_file_of_the_future(world: World, _: pytest.MonkeyPatch) -> str:
    _sql(world, "UPDATE meta SET value = '999' WHERE name = 'position'")
    return "search"


@of("search-rows")
def a_row_that_is_gone(world: World, _: pytest.MonkeyPatch) -> str:
    _sql(world, "DELETE FROM doc WHERE n = (SELECT max(n) FROM doc)")
    return "search full"


@of("search-differs")
def another_text(world: World, _: pytest.MonkeyPatch) -> str:
    _sql(world, "UPDATE doc SET text = 'other' WHERE n = (SELECT max(n) FROM doc)")
    return "search full"


# views

@of("views-ok")
def untouched(world: World, _: pytest.MonkeyPatch) -> str:
    return "views"


@of("views-none")
def nothing_to_show(world: World, _: pytest.MonkeyPatch) -> str:
    shutil.rmtree(world.home.root)
    world.home.root.mkdir()
    return "views"


@of("views-missing")
def never_written(world: World, _: pytest.MonkeyPatch) -> str:
    shutil.rmtree(world.home.views)
    return "views"


def _view(world: World) -> Path:
    return world.home.views / "observations.md"


@of("views-edited")
def a_person_wrote(world: World, _: pytest.MonkeyPatch) -> str:
    _view(world).write_text(_view(world).read_text(encoding="utf-8").replace("timer", "clock"), encoding="utf-8")
    return "views"


@of("views-gone")
def a_person_emptied(world: World, _: pytest.MonkeyPatch) -> str:
    _view(world).write_text("")
    return "views"


@of("view-unreadable")
def not_text(world: World, _: pytest.MonkeyPatch) -> str:
    _view(world).unlink()
    _view(world).mkdir()
    return "views"


@of("sync-conflicts")
def two_that_contradict(world: World, _: pytest.MonkeyPatch) -> str:
    from agent_memory.model.change import SetState
    from agent_memory.model.memory import Status

    store = world.subject().store
    with store.read() as graph:
        memory = graph.memories()[0]
    store.commit([SetState("Observation", memory.key, {"status": Status.CONTESTED})], at=NOW, actor="test")
    return "views"


# model

@of("model-none")
def rules_only(world: World, _: pytest.MonkeyPatch) -> str:
    return "model"


def _calls(world: World, *outcomes: str, tokens: int = 100) -> str:
    world.settings["llm_model"] = "openai/invented"
    calls = [PutNode(ModelCall(f"call{n}", NOW - timedelta(minutes=30 - n), "openai/invented", "observe", "s", tokens, 0,
                               10, outcome)) for n, outcome in enumerate(outcomes)]
    if calls:
        world.subject().store.commit(calls, at=NOW, actor="meter")
    return "model"


@of("model-ok")
def a_model_that_answers(world: World, _: pytest.MonkeyPatch) -> str:
    return _calls(world, "ok", "error", "ok")


@of("model-failing")
def a_model_that_fails(world: World, _: pytest.MonkeyPatch) -> str:
    return _calls(world, "ok", "error", "timeout", "error")


@of("budget-zero")
def no_budget(world: World, _: pytest.MonkeyPatch) -> str:
    world.settings["llm_tokens_per_day"] = 0
    return _calls(world)


@of("budget-spent")
def a_spent_budget(world: World, _: pytest.MonkeyPatch) -> str:
    return _calls(world, "ok", tokens=500_000)


# backups

@of("backups-none")
def no_backup(world: World, _: pytest.MonkeyPatch) -> str:
    return "backups"


def _back_up(world: World, days: int = 0) -> Any:
    return backup.create(world.subject().store, now=NOW - timedelta(days=days)).backup


@of("backups-ok")
def a_backup(world: World, _: pytest.MonkeyPatch) -> str:
    _back_up(world)
    return "backups"


@of("backup-old")
def an_old_backup(world: World, _: pytest.MonkeyPatch) -> str:
    _back_up(world, days=backup_check.OLD.days + 1)
    _append(world, 1)
    return "backups"


@of("backup-damaged")
def a_cut_backup(world: World, _: pytest.MonkeyPatch) -> str:
    made = _back_up(world)
    made.path.write_bytes(made.path.read_bytes()[:40])
    return "backups"


# what was captured and waits

@of("unobserved")
def captured_only(world: World, _: pytest.MonkeyPatch) -> str:
    from agent_memory.capture.ingest import ingest_file

    path = world.learned()
    world.grow(path, turns=2)
    ingest_file(world.subject().store, "claude", path, now=NOW)
    return "capture"


@of("capture-ok")
def a_hook_and_an_observation(world: World, _: pytest.MonkeyPatch) -> str:
    world.install("claude")
    world.heard("checkpoint")
    return "capture"


@of("capture-silent")
def a_session_that_nobody_reported(world: World, _: pytest.MonkeyPatch) -> str:
    world.install("claude")
    world.heard("checkpoint", at=NOW - timedelta(days=1))
    world.transcript("11111111-2222-4333-8444-555555555555", at=NOW - timedelta(hours=1))
    return "capture"


@of("capture-tail")
def an_answer_that_was_interrupted(world: World, _: pytest.MonkeyPatch) -> str:
    world.install("claude")
    world.heard("checkpoint")
    world.grow(world.learned(), turns=1)
    return "capture"


