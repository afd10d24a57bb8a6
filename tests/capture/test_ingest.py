from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from transcript_lines import (
    CLAUDE_DAY,
    CODEX_DAY,
    SESSION,
    THREAD,
    answer,
    call,
    claude,
    codex_meta,
    codex_said,
    person,
    result,
    text_of,
    uuid,
)

from agent_memory.capture.backfill import candidates
from agent_memory.capture.ingest import IngestReport, ingest_file, is_excluded
from agent_memory.capture.recorder import session_id
from agent_memory.errors import TranscriptError, UsageError
from agent_memory.model.transcript import Message, ToolEvent
from agent_memory.paths import Home
from agent_memory.store.open import Store
from agent_memory.text import marker
from agent_memory.text.redact import Redactor

KEY = "ghp_a1B2c3D4e5F6g7H8i9J0a1B2c3D4e5F6g7H8"
FIXTURES = Path(__file__).parents[1] / "fixtures"


@pytest.fixture
def store(home: Home, request: pytest.FixtureRequest) -> Store:
    """The reference engine, since these tests are about capture; three of them look at real files too."""
    real = request.node.name.startswith(("test_session_project", "test_secrets", "test_long"))
    return Store(home, engine="kuzu" if real else "memory")


@pytest.fixture
def ingest(store: Store, tmp_path: Path, now: datetime) -> Any:
    def go(records: list[dict[str, Any]] | bytes, name: str = SESSION, agent: str = "claude", **more: Any) -> IngestReport:
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(records if isinstance(records, bytes) else text_of(records))
        return ingest_file(store, agent, path, now=now, **more)
    return go


def told(store: Store, session: str = SESSION, agent: str = "claude") -> list[str]:
    with store.read() as graph:
        return [m.text for m in graph.messages(session_id(agent, session))]


def everything(store: Store, home: Home) -> str:
    """All that any file of the home says, and all nodes: where a secret would show."""
    with store.read() as graph:
        nodes = repr(list(graph.nodes())) + repr(graph.cursors()) + repr(list(graph.all_edges()))
    files = b"".join(p.read_bytes() for p in home.root.rglob("*") if p.is_file())
    return nodes + files.decode("utf-8", "replace") + files.decode("utf-16-le", "replace")


def test_session_project_messages_and_tools_land_in_the_graph(store: Store, ingest: Any) -> None:
    report = ingest(CLAUDE_DAY)
    assert (report.outcome, report.messages, report.tool_events, report.skipped) == ("stored", 13, 5, {"unknown-type:brand-new-kind": 1})
    with store.read() as graph:
        session = graph.find_session("claude", SESSION)
        assert session is not None
        assert (session.cwd, session.branch, session.title, session.messages) == ("/home/noor/bakery", "main", "The proofing timer rings twice. Times are stored in seconds, never minutes.", 13)
        assert [p.project.name for p in graph.projects()] == ["bakery"]
        assert session.project == graph.projects()[0].project.id
        kinds = {e.kind for e in graph.all_edges()}
        assert kinds == {"in_session", "in_project", "by_agent"}
        assert [h.value for h in graph.happenings(session.id)] == ["Proofing timer rings twice"]
        records: list[Message | ToolEvent] = [*graph.messages(session.id), *graph.tool_events(session.id)]
        assert sorted(r.seq for r in records) == list(range(18))
        assert session.last_at == max(r.at for r in records if r.at)


def test_same_file_twice_appends_nothing(store: Store, ingest: Any) -> None:
    ingest(CLAUDE_DAY)
    position = store.position()
    again = ingest(CLAUDE_DAY)
    assert (again.outcome, again.batches, again.bytes) == ("unchanged", 0, 0)
    assert store.position() == position


def test_grown_file_is_read_from_the_cursor(store: Store, ingest: Any) -> None:
    ingest(CLAUDE_DAY[:10])
    report = ingest(CLAUDE_DAY)
    assert report.bytes == len(text_of(CLAUDE_DAY)) - len(text_of(CLAUDE_DAY[:10]))
    whole = told(store)
    assert len(whole) == len(set(whole)) == 13


def test_pieces_and_one_read_give_the_same_graph(tmp_path: Path, now: datetime) -> None:
    found = []
    for number, steps in enumerate(([26], [3, 9, 15, 26])):
        store = Store(Home(tmp_path / str(number)), engine="memory")
        path = tmp_path / f"{SESSION}.jsonl"
        for step in steps:
            path.write_bytes(text_of(CLAUDE_DAY[:step]))
            ingest_file(store, "claude", path, now=now)
        with store.read() as graph:
            sid = session_id("claude", SESSION)
            found.append((graph.messages(sid), graph.tool_events(sid), graph.session(sid), [replace(c, identity="") for c in graph.cursors()]))
    assert found[0] == found[1]


def test_secrets_and_private_words_reach_no_file(store: Store, home: Home, ingest: Any) -> None:
    ingest([person(1, f"use {KEY} and <private>client Acmecorp</private> thanks", cwd=f"/srv/{KEY}/x", gitBranch=f"b-{KEY}"),
            call(2, "Bash", {"command": f"curl -H 'Authorization: Bearer {KEY}' https://u:hunter2pw@h.x", "env": {"DB_PASSWORD": "geheim-77"}}),
            result(3, 2, f"token: {KEY}\nbytes {list(KEY.encode())}\n<private>Acmecorp"), call(4, "Write", {"content": f"API_KEY={KEY}", "password": "geheim-77"}),
            {"type": "ai-title", "aiTitle": f"About {KEY}", "sessionId": SESSION}])
    seen = everything(store, home)
    for secret in (KEY, "Acmecorp", "hunter2pw", "geheim-77", str(list(KEY.encode()))[1:40]):
        assert secret not in seen, secret


def test_secret_in_a_remote_is_not_stored(store: Store, home: Home, ingest: Any) -> None:
    report = ingest([codex_meta(), codex_said(1, "user", "hi")], f"rollout-1-{THREAD}", "codex")
    assert report.outcome == "stored"
    assert "tok3n" not in everything(store, home)


def test_own_patterns_apply_and_are_counted(store: Store, ingest: Any) -> None:
    report = ingest([person(1, "project Nightjar ships")], redactor=Redactor((r"Night\w+",)))
    assert report.redactions == {"pattern": 1}
    assert told(store) == ["project [redacted:pattern] ships"]


def test_fork_repeats_nothing_in_either_order(store: Store, ingest: Any) -> None:
    first = [person(1, "one"), answer(2, "two")]
    fork = [r | {"sessionId": uuid(500)} for r in first]
    ingest([*fork, person(3, "in the fork") | {"sessionId": uuid(500)}], uuid(500))
    ingest([*first, person(4, "in the first")])
    assert told(store, uuid(500)) == ["one", "two", "in the fork"]
    assert told(store) == ["in the first"]


def test_old_resume_that_copies_records_under_their_old_id_repeats_nothing(store: Store, ingest: Any) -> None:
    first = [person(1, "one"), answer(2, "two")]
    ingest(first)
    ingest([*first, person(3, "three") | {"sessionId": uuid(501)}], uuid(501))
    assert told(store, uuid(501)) == ["three"]


def test_rewritten_shorter_file_keeps_what_was_learned_and_adds_what_is_new(store: Store, ingest: Any) -> None:
    ingest([person(1, "one"), answer(2, "two"), person(3, "three")])
    ingest([claude(9, "user", "This session is being continued from a previous conversation.", isCompactSummary=True), person(3, "three"), person(4, "four")])
    assert told(store) == ["one", "two", "three", "This session is being continued from a previous conversation.", "four"]


def test_moved_file_goes_on_from_its_cursor(store: Store, ingest: Any, tmp_path: Path, now: datetime) -> None:
    ingest([person(1, "one")])
    moved = tmp_path / "elsewhere" / f"{SESSION}.jsonl"
    moved.parent.mkdir()
    (tmp_path / f"{SESSION}.jsonl").rename(moved)
    with moved.open("ab") as file:
        file.write(text_of([person(2, "two")]))
    report = ingest_file(store, "claude", moved, now=now)
    assert (report.messages, report.bytes) == (1, len(text_of([person(2, "two")])))
    assert told(store) == ["one", "two"]


def test_child_is_joined_to_its_parent_in_either_order(store: Store, now: datetime) -> None:
    sub = FIXTURES / "claude" / SESSION / "subagents" / "agent-a1b2.jsonl"
    ingest_file(store, "claude", sub, now=now)
    ingest_file(store, "claude", FIXTURES / "claude" / f"{SESSION}.jsonl", now=now)
    ingest_file(store, "claude", FIXTURES / "claude" / "legacy-inline.jsonl", now=now)
    with store.read() as graph:
        joined = {(e.source, e.target) for e in graph.edges(("child_of",))}
        assert joined == {(s.id, s.parent) for s in graph.sessions() if s.parent}
        assert len(joined) == 2


def test_long_transcript_is_written_in_several_batches(store: Store, ingest: Any) -> None:
    report = ingest([person(n, f"message number {n}") for n in range(1, 1_901)])
    assert report.batches >= 2
    assert len(told(store)) == 1_900


def test_worktree_and_subfolder_share_the_project(store: Store, ingest: Any, tmp_path: Path) -> None:
    repo, tree = tmp_path / "repo", tmp_path / "tree"
    run = ["git", "-c", "user.name=x", "-c", "user.email=x@x", "-C", str(repo)]
    subprocess.run(["git", "init", "-q", str(repo)], check=True)
    subprocess.run([*run, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*run, "worktree", "add", "-q", str(tree)], check=True)
    (repo / "sub").mkdir()
    reports = [ingest([person(n, "x", cwd=str(cwd)) | {"sessionId": uuid(600 + n)}], uuid(600 + n)) for n, cwd in enumerate((repo / "sub", tree, repo), 1)]
    assert len({r.project for r in reports}) == 1
    with store.read() as graph:
        assert [p.project.name for p in graph.projects()] == ["repo"]
        assert any(a.startswith("root:") for a in graph.projects()[0].aliases)


def test_excluded_folder_and_own_calls_are_not_stored(store: Store, ingest: Any) -> None:
    assert ingest([person(1, "x")], exclude=["/home/noor"]).outcome == "excluded"
    assert ingest([person(1, f"{marker.OWN_CALL} summarise")]).outcome == "own-call"
    assert store.position() == 0
    assert is_excluded("C:\\work\\secret\\a", ["C:/work/*"])
    assert not is_excluded("", ["/"])


def test_purged_text_does_not_come_back(store: Store, ingest: Any) -> None:
    report = ingest([person(1, "forget me"), person(2, "keep me")], tombstoned=lambda text: text == "forget me")
    assert (report.forgotten, told(store)) == (1, ["keep me"])


def test_copy_of_the_cursors_is_written_for_people(store: Store, home: Home, ingest: Any, tmp_path: Path) -> None:
    ingest([person(1, "x")])
    copy = json.loads(home.observer_cursor.read_text())
    assert copy["transcripts"]["claude"][str(tmp_path / f"{SESSION}.jsonl")]["lines"] == 1


def test_unreadable_and_unknown_are_named_and_nothing_is_stored(store: Store, tmp_path: Path, now: datetime, ingest: Any) -> None:
    with pytest.raises(TranscriptError):
        ingest_file(store, "claude", tmp_path / "none.jsonl", now=now)
    with pytest.raises(TranscriptError):
        ingest_file(store, "claude", tmp_path, now=now)
    with pytest.raises(UsageError):
        ingest_file(store, "nobody", tmp_path / "none.jsonl", now=now)
    assert ingest(b"", uuid(7)).outcome == "no-session"
    assert ingest(b"\xff\xfe\x00garbage\n", uuid(8)).outcome == "no-session"
    assert store.position() == 0


def test_both_agents_share_a_project_by_folder(store: Store, ingest: Any) -> None:
    one = ingest([person(1, "x")])
    two = ingest([codex_meta(git={}), *CODEX_DAY[1:]], f"rollout-2-{THREAD}", "codex")
    assert one.project == two.project


def test_old_transcripts_are_listed_newest_first(tmp_path: Path) -> None:
    import os

    folder = tmp_path / ".claude" / "projects" / "p"
    folder.mkdir(parents=True)
    for number, name in enumerate("abc"):
        (folder / f"{name}.jsonl").write_text("{}\n")
        os.utime(folder / f"{name}.jsonl", (1_700_000_000 + number, 1_700_000_000 + number))
    (folder / "empty.jsonl").touch()
    assert [f.path.stem for f in candidates("claude", env={}, user_home=tmp_path, limit=2)] == ["c", "b"]


def test_killed_again_and_again_nothing_is_lost_or_doubled(tmp_path: Path, now: datetime) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(text_of([person(n, f"say {n}") for n in range(1, 2_501)]))
    code = ("import sys; from pathlib import Path; from datetime import UTC, datetime; from agent_memory.paths import Home; "
            "from agent_memory.store.open import Store; from agent_memory.capture.ingest import ingest_file; "
            "ingest_file(Store(Home(Path(sys.argv[1])), engine='memory'), 'claude', Path(sys.argv[2]), now=datetime(2026, 11, 30, 12, tzinfo=UTC))")
    for seconds in (0.4, 0.6, 0.8):
        with subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "killed"), str(path)]) as process:
            time.sleep(seconds)
            process.kill()
    stores = [Store(Home(tmp_path / name), engine="memory") for name in ("killed", "whole")]
    found = []
    for store in stores:
        ingest_file(store, "claude", path, now=now)
        with store.read() as graph:
            session = session_id("claude", SESSION)
            found.append((graph.messages(session), graph.session(session), graph.counts()))
    assert found[0] == found[1]
    assert len(found[0][0]) == 2_500
