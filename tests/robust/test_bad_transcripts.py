"""Transcripts as crashes, hosts and enemies leave them, through the real command: the good part is learned, the rest is
counted and told."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from transcript_lines import SESSION, answer, call, claude, codex, codex_meta, codex_said, person, result, text_of

from agent_memory.app import Memory
from agent_memory.paths import Home

COMMAND = [sys.executable, "-m", "agent_memory"]
GOOD = "Always run the linter before a commit."
MAX_LINE = 16 * 1024 * 1024


@pytest.fixture
def environment(home: Home, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("HOME", str(home.root.parent))
    monkeypatch.setenv("AGENT_MEMORY_NOW", "2026-11-30T12:00:00Z")
    return dict(os.environ)


def observe(path: Path, environment: dict[str, str], source: str = "claude") -> dict[str, Any]:
    done = subprocess.run([*COMMAND, "observe", "--source", source, "--file", str(path), "--json"], env=environment, capture_output=True,
                          check=False, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def words(home: Home) -> set[str]:
    memory = Memory(home.root)
    with memory.store.read() as graph:
        return {m.text for s in graph.sessions() for m in graph.messages(s.id)}


ODD: list[Any] = [
    claude(2, "user", None), claude(3, "user", 7), claude(4, "user", []), claude(5, "user", [None, 3, {}, {"type": "text"}, {"type": 9, "text": 4}]),
    claude(6, "assistant", {"text": "an object"}), claude(7, "assistant", [{"type": "tool_use"}, {"type": "tool_use", "id": 5, "name": [], "input": 3}]),
    claude(8, "user", [{"type": "tool_result", "tool_use_id": None, "content": 5}, {"type": "tool_result", "tool_use_id": "x", "content": [None, 5]}]),
    {"type": "user", "sessionId": SESSION}, {"type": "user", "message": "text", "sessionId": SESSION}, {"type": None, "sessionId": SESSION},
    {"type": {"a": 1}, "sessionId": SESSION}, {"type": "made-up-kind", "sessionId": SESSION}, {"sessionId": 9}, [], 5, None, "text", True,
    claude(9, "user", "a lone \ud83d surrogate"), claude(10, "user", "nul \x00 inside, escape \x1b[31m, bell \x07"),
    claude(11, "user", "from the future", timestamp="2099-01-01T00:00:00Z"), claude(12, "user", "without a time", timestamp=None),
    claude(13, "user", "with an impossible time", timestamp="yesterday-ish"), claude(14, "user", "with a number", timestamp=1e400),
    claude(15, "user", "before the beginning", timestamp="0001-01-01T00:00:00+14:00"), claude(16, "user", "big", timestamp=10**30),
    person(17, "cwd of another type", cwd=[1], gitBranch={"x": 1}), person(18, "ids of another type", parentUuid=5, isSidechain="yes", agentId=3),
    person(19, "side chain", isSidechain=True, agentId="../../../etc/passwd"), claude(20, "user", "deep", extra=json.loads("[" * 300 + "]" * 300))]


def test_odd_records_are_counted_and_what_is_said_around_them_is_learned(home: Home, environment: dict[str, str], tmp_path: Path) -> None:
    lines = [json.dumps(r).encode() for r in (person(1, "The first word."), *ODD)]
    lines += [b"\xff\xfe not utf-8", b"{" * 50_000, b"", b"\x00" * 4_096, b'{"type": "user", "message": {"content": "cut', b"x" * 70_000,
              b'{"type":"user","message":{"role":"user","content":NaN},"sessionId":"' + SESSION.encode() + b'"}']
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n" + text_of([person(90, GOOD)]) + b'{"type":"user","half')
    found = observe(path, environment)
    skipped = found["ingest"]["skipped"]
    assert skipped.pop("unknown-type:made-up-kind") == 1
    assert skipped["not-json"] >= 5
    assert any(reason.startswith("bad-field") for reason in skipped)
    said = words(home)
    assert {"The first word.", GOOD} <= said
    assert any(text.startswith("a lone") for text in said)
    assert any(text.startswith("from the future") for text in said)
    assert GOOD.rstrip(".") in {o["text"].rstrip(".") for o in found["observations"]}
    told = subprocess.run([*COMMAND, "--home", str(home.root.parent / "again"), "observe", "--source", "claude", "--file", str(path)],
                          env=environment, capture_output=True, check=True, timeout=120)
    assert b"not used (not-json)" in told.stdout + told.stderr
    with Memory(home.root).store.read() as graph:
        times = [m.at for s in graph.sessions() for m in graph.messages(s.id) if m.at]
    assert min(times).year >= 2015
    assert max(times).year <= 2026


def test_odd_codex_records_are_counted(home: Home, environment: dict[str, str], tmp_path: Path) -> None:
    records: list[Any] = [codex_meta(), codex(1, "response_item", {"type": "message", "role": None, "content": None}), codex(2, "response_item", {}),
                          codex(3, "event_msg", {"type": 5}), {"type": "response_item"}, {"type": "response_item", "payload": "text"}, [],
                          codex(4, "response_item", {"type": "function_call", "arguments": 5, "call_id": {}, "name": None}),
                          codex(5, "response_item", {"type": "function_call_output", "call_id": "c", "output": {"a": [None]}}),
                          codex(6, "made-up", {"x": 1}), codex_said(7, "user", "a \ud800 lone one"), codex_said(8, "user", GOOD)]
    path = tmp_path / "rollout-2026-11-20T09-00-00-x.jsonl"
    path.write_bytes(b"".join(json.dumps(r).encode() + b"\n" for r in records) + b"garbage\n")
    found = observe(path, environment, "codex")
    assert sum(found["ingest"]["skipped"].values()) >= 3
    assert GOOD in words(home)


def test_a_line_of_64_mb_is_named_and_what_follows_is_learned(home: Home, environment: dict[str, str], tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    with path.open("wb") as file:
        file.write(text_of([person(1, "The first word.")]))
        file.write(b'{"type":"user","sessionId":"' + SESSION.encode() + b'","message":{"role":"user","content":"')
        for _ in range(64):
            file.write(b"x" * 1_000_000)
        file.write(b'"}}\n' + text_of([person(2, GOOD), answer(3, "Noted.")]))
    found = observe(path, environment)
    assert found["ingest"]["skipped"] == {"too-long": 1}
    assert words(home) == {"The first word.", GOOD, "Noted."}
    assert observe(path, environment)["ingest"]["outcome"] == "unchanged"


@pytest.mark.parametrize("name", ["../../../escape", "nul\x00inside", "x" * 300, "CON", "aux.txt", ".", "a/b\\c", "\ud800", "", "~root", "-rf", "$(touch x)"])
def test_no_id_of_a_host_becomes_a_path(name: str, home: Home, tmp_path: Path) -> None:
    place = tmp_path / "transcripts"
    place.mkdir()
    path = place / "session.jsonl"
    records = [person(1, GOOD, sessionId=name), call(2, "Bash", {"command": "ls"}, sessionId=name, uuid=name), result(2, 2, "ok", sessionId=name, uuid=name + "r"),
               person(3, "inner", sessionId=name, isSidechain=True, agentId=name, uuid=name + "s"),
               {"type": "ai-title", "aiTitle": name, "sessionId": name}]
    path.write_bytes(b"".join(json.dumps(r).encode() + b"\n" for r in records))
    memory = Memory(home.root)
    memory.observe_file("claude", path)
    memory.add_items([{"id": name or "x", "session": name, "text": "an item", "speaker": name}])
    memory.materialize()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["home", "transcripts"]
    assert [p.name for p in place.iterdir()] == ["session.jsonl"]
    for file in home.root.rglob("*"):
        assert file.name.isprintable()
        assert len(file.name) < 120
        assert name in ("", ".", "-rf") or name not in file.name
    assert memory.verify().ok


@pytest.mark.parametrize("cwd", ["/srv/../../../escape", "/srv/nul\x00inside", "/" + "x" * 300, "C:\\CON", "/srv/a\nb", "/\ud800", "~", "/srv/<!-- m:1 -->", "/srv/项目 é"])
def test_no_folder_of_a_host_breaks_a_view_or_leaves_the_home(cwd: str, home: Home, tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(b"".join(json.dumps(r).encode() + b"\n" for r in [person(1, GOOD, cwd=cwd), answer(2, "Yes.", cwd=cwd)]))
    memory = Memory(home.root)
    memory.observe_file("claude", path)
    memory.materialize()
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"{SESSION}.jsonl", "home"]
    before = {p: p.read_bytes() for p in home.views.rglob("*") if p.is_file()}
    memory.sync()
    assert {p: p.read_bytes() for p in home.views.rglob("*") if p.is_file()} == before
    memory.context(agent="claude", cwd=cwd, task="lint")
    memory.recall("linter", cwd=cwd)


@pytest.mark.skipif(sys.platform != "linux", reason="file names of any bytes")
def test_a_folder_whose_name_is_not_utf_8_is_a_project_like_any_other(home: Home, environment: dict[str, str], tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/caf\xe9"
    os.mkdir(folder)
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(json.dumps(person(1, GOOD, cwd=os.fsdecode(folder))).encode() + b"\n")
    observe(path, environment)

    def run(*arguments: bytes | str, stdin: bytes = b"") -> str:
        done = subprocess.run([*COMMAND, *arguments], env=environment, capture_output=True, input=stdin, check=False, timeout=60, cwd=folder)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout.decode()

    run("materialize")
    assert "linter" in run("context", "--for", "claude", "--cwd", folder, "--task", b"lint \xff")
    assert "linter" in run("recall", "--query", b"linter \xff", "--json")
    assert run("hook", "session-start", "--agent", "claude", stdin=b"{}") is not None
    run("status")
    assert not list(home.log.glob("*failures*"))  # nothing was logged at all, not even the folder, if all went well


@pytest.mark.soak
def test_a_transcript_of_300_mb_is_read_within_bounds(home: Home, environment: dict[str, str], tmp_path: Path) -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    from bench.capture import lines

    path = tmp_path / "00000000-0000-4000-8000-0000000000aa.jsonl"
    with path.open("wb") as file:
        file.writelines(lines(300_000_000))
        file.write(text_of([person(1, GOOD) | {"sessionId": "00000000-0000-4000-8000-0000000000aa"}]))
    code = ("import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    done = subprocess.run([sys.executable, "-c", code, *COMMAND, "observe", "--source", "claude", "--file", str(path)], env=environment,
                          capture_output=True, check=True, timeout=900)
    assert int(done.stdout) < 300_000, done.stdout
    assert GOOD in words(home)
