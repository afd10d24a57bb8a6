"""From a hook's payload to the next session's start, through real processes only."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from bare_environment import bare_environment

DEMO = Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "demo"
PROJECT = "/home/mira/code/teashop"


class Machine:
    """A developer's machine: a home of ours and folders of agents, reached by commands only."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "data home"
        self.environment = bare_environment()
        self.environment |= {"AGENT_MEMORY_HOME": str(self.home), "HOME": str(root), "PYTHONIOENCODING": "utf-8",
                             "AGENT_MEMORY_NOW": "2026-11-30T09:00:00Z"}

    def run(self, *arguments: str, stdin: str = "", code: int = 0) -> str:
        done = subprocess.run([sys.executable, "-m", "agent_memory", *arguments], input=stdin.encode(),
                              capture_output=True, env=self.environment, cwd=self.root, check=False, timeout=120)
        assert done.returncode == code, done.stderr.decode()
        return done.stdout.decode()

    def data(self, *arguments: str, code: int = 0) -> Any:
        return json.loads(self.run(*arguments, "--json", code=code))

    def wait_for_worker(self) -> None:
        deadline = time.monotonic() + 90
        while time.monotonic() < deadline:
            waiting = list((self.home / "inbox").glob("*.json"))
            if not waiting and (self.home / "memory" / ".context.json").exists() and not self._worker_runs():
                return
            time.sleep(0.1)
        raise AssertionError("the worker did not finish")

    def _worker_runs(self) -> bool:
        from agent_memory.paths import Home
        from agent_memory.service import control

        return control.running(Home(self.home))


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_what_one_agent_was_told_another_agent_starts_with(machine: Machine) -> None:
    payload = {"session_id": "monday", "transcript_path": str(DEMO / "claude" / "monday-orders.jsonl"), "cwd": PROJECT,
               "hook_event_name": "Stop", "CLAUDE_SECRET": "must not be kept"}
    assert machine.run("hook", "checkpoint", "--agent", "claude", stdin=json.dumps(payload)) == ""
    machine.wait_for_worker()
    context = machine.run("context", "--for", "codex", "--cwd", PROJECT, "--task", "database")
    assert "orders live in PostgreSQL, not SQLite" in context
    assert "Always use pnpm here, never npm" in context
    assert "not instructions" in context.splitlines()[1]
    (observed,) = (machine.home / "memory").glob("observations.md")
    assert "orders live in PostgreSQL" in observed.read_text(encoding="utf-8")
    hits = machine.data("recall", "--query", "which database do orders use?", "--project", PROJECT)["hits"]
    assert "PostgreSQL" in hits[0]["text"]
    assert hits[0]["source"]["lines"][0] == 2
    start = {"session_id": "next", "cwd": PROJECT, "hook_event_name": "SessionStart", "source": "startup"}
    injected = machine.run("hook", "session-start", "--agent", "codex", stdin=json.dumps(start))
    assert "orders live in PostgreSQL" in injected


def test_private_words_and_passwords_are_in_no_file(machine: Machine) -> None:
    machine.run("observe", "--source", "claude", "--file", str(DEMO / "claude" / "monday-orders.jsonl"))
    machine.run("materialize")
    machine.run("backup", "create")
    for file in machine.home.rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            assert b"555-0143" not in data, file
            assert b"FAKE-steeped" not in data, file


def test_the_same_transcript_twice_changes_no_byte_of_the_memory(machine: Machine) -> None:
    transcript = str(DEMO / "codex" / "rollout-2026-11-25T14-30-00-teashop.jsonl")
    machine.run("observe", "--source", "codex", "--file", transcript)
    machine.run("reflect")
    machine.run("materialize")
    before = {f: (f.read_bytes(), f.stat().st_mtime_ns) for f in (machine.home / "memory").rglob("*") if f.is_file()}
    position = machine.data("status")["position"]
    machine.run("observe", "--source", "codex", "--file", transcript)
    machine.run("reflect")
    machine.run("materialize")
    assert machine.data("status")["position"] == position
    assert {f: (f.read_bytes(), f.stat().st_mtime_ns) for f in (machine.home / "memory").rglob("*") if f.is_file()} \
        == before


def test_a_grown_transcript_is_read_from_where_it_was_left(machine: Machine) -> None:
    lines = (DEMO / "claude" / "friday-search.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    transcript = machine.root / "grows.jsonl"
    transcript.write_text("".join(lines[:6]), encoding="utf-8")
    first = machine.data("observe", "--source", "claude", "--file", str(transcript))
    transcript.write_text("".join(lines), encoding="utf-8")
    second = machine.data("observe", "--source", "claude", "--file", str(transcript))
    assert first["ingest"]["bytes"] + second["ingest"]["bytes"] == transcript.stat().st_size
    whole = Machine(machine.root / "other")
    whole.root.mkdir()
    whole.run("observe", "--source", "claude", "--file", str(transcript))

    def memories(of: Machine) -> list[str]:
        items = [json.loads(line) for line in of.run("export").splitlines()]
        return sorted(i["text"] for i in items if i["type"] == "observation" and i["status"] == "active")

    assert memories(machine) == memories(whole)


def test_one_projects_memory_stays_out_of_another(machine: Machine) -> None:
    machine.run("observe", "--source", "claude", "--file", str(DEMO / "claude" / "monday-orders.jsonl"))
    machine.run("reflect")
    machine.run("materialize")
    elsewhere = machine.root / "other project"
    elsewhere.mkdir()
    assert "pnpm" not in machine.run("context", "--for", "claude", "--cwd", str(elsewhere), "--task", "pnpm database")
    done = subprocess.run([sys.executable, "-m", "agent_memory", "recall", "--query", "pnpm database", "--json"],
                          capture_output=True, env=machine.environment, cwd=elsewhere, check=True)
    assert json.loads(done.stdout)["hits"] == []
    assert machine.data("recall", "--query", "pnpm", "--all-projects")["hits"]


def test_an_export_read_into_an_empty_home_gives_the_same_memories(machine: Machine) -> None:
    machine.run("observe", "--source", "claude", "--file", str(DEMO / "claude" / "monday-orders.jsonl"))
    first = machine.run("export", "--everything")
    (machine.root / "export.jsonl").write_text(first, encoding="utf-8")
    other = Machine(machine.root / "other")
    other.root.mkdir()
    other.run("import", str(machine.root / "export.jsonl"))
    assert other.run("export", "--everything") == first
    assert other.data("verify")["ok"]
