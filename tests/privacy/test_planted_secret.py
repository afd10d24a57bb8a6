"""A secret in every place that words can come from: none is in any file of ours, in a log, or in what a model is asked.

Each place gets a key of its own, so that a failure names the place.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from openai_server import Handler, Server, fails, says, serving
from transcript_lines import (
    SESSION,
    THREAD,
    answer,
    call,
    claude,
    codex,
    codex_meta,
    codex_said,
    person,
    result,
    text_of,
)

from agent_memory.app import Memory
from agent_memory.errors import AgentMemoryError
from agent_memory.paths import Home
from agent_memory.service.slot import Slot
from agent_memory.store import proof

COMMAND = [sys.executable, "-m", "agent_memory"]


class Planted:
    """Makes a key for each place and remembers which is where."""

    def __init__(self) -> None:
        self.places: dict[str, str] = {}

    def __call__(self, place: str) -> str:
        key = "ghp_" + hashlib.sha256(place.encode()).hexdigest()[:36]
        self.places[place] = key
        return key

    def leaks(self, data: bytes) -> list[str]:
        """Places whose key stands in the bytes, whole or in part, in either case or as a list of byte values."""
        low = data.lower()
        return [place for place, key in self.places.items()
                if key[6:26].encode() in low or ", ".join(map(str, key[6:16].encode())).encode() in low]


def _claude(key: Planted) -> bytes:
    said = [{"type": "text", "text": f"second block with {key('block of a prompt')}"}, {"type": "text", "text": "and more"}]
    return text_of([
        {"type": "custom-title", "customTitle": f"custom {key('custom title')}", "sessionId": SESSION},
        person(1, f"Never deploy on Fridays. The key is {key('prompt')}", cwd=f"/srv/{key('working folder')}/shop",
               gitBranch=f"fix-{key('branch')}"),
        claude(2, "user", said, origin={"kind": "human"}),
        answer(3, f"We decided to use Valkey because Redis changed its licence, {key('answer')}"),
        claude(4, "assistant", [{"type": "thinking", "thinking": key("thinking"), "signature": "x"}]),
        call(5, "Bash", {"command": f"curl -H 'Authorization: Bearer {key('command line')}' https://h.example", "description": key("description")}),
        result(5, 5, f"HTTP 401\n{key('tool output')}\nfailed", toolUseResult={"stdout": key("tool metadata"), "interrupted": False}),
        call(6, "Write", {"file_path": f"/srv/{key('path in tool input')}", "content": {"deep": [key("nested tool input")], key("name in tool input"): 1}}),
        result(6, 6, [{"type": "text", "text": key("block of tool output")}], toolUseResult={"filePath": key("path in metadata")}),
        call(7, "Bash", {"command": "pytest -q"}),
        result(7, 7, f"Exit code 1\nE   AssertionError: token {key('error text')}", error=True, toolUseResult=f"Error: {key('error in metadata')}"),
        call(8, f"mcp__{key('tool name')}", {"bytes": list(key("byte values in input").encode())}),
        result(8, 8, f"bytes {list(key('byte values in output').encode())}"),
        call(9, "ExitPlanMode", {"plan": f"1. rotate {key('plan')}"}),
        result(9, 9, f"User has approved your plan.\n\n## Approved Plan:\n1. rotate {key('approved plan')}",
               toolUseResult={"plan": f"1. rotate {key('plan in metadata')}"}),
        {"type": "api-request-blob", "sessionId": SESSION, "message": {"role": "user", "content": key("request dump")}},
        {"type": "brand-new", "sessionId": SESSION, "payload": {"x": key("unknown record")}},
        {"type": "attachment", "uuid": "q1", "sessionId": SESSION, "timestamp": "2026-11-20T09:10:00Z",
         "attachment": {"type": "queued_command", "commandMode": "prompt", "prompt": f"also {key('queued prompt')}"}},
        claude(10, "user", f"This session is being continued from a previous conversation.\n{key('compaction summary')}", isCompactSummary=True),
        {"type": "ai-title", "aiTitle": f"About {key('generated title')}", "sessionId": SESSION},
        person(11, f"<private>the client is {key('private span')}</private> Always run the linter first."),
        person(12, f"<private>never closed {key('unclosed private span')}"),
        call(13, "Bash", {"command": f"sleep 1; echo {key('open call')}"}),  # waits in the cursor
        {"type": "user", "message": {"role": "user", "content": None}, "uuid": "n", "sessionId": SESSION, "note": key("null content")},
    ]) + f'{{"type":"user","broken":"{key("half a line")}'.encode()


def _subagent(key: Planted) -> bytes:
    more = {"isSidechain": True, "agentId": "b7", "parentUuid": None}
    return text_of([claude(1, "user", f"Look for {key('task of a subagent')}", **more), answer(2, f"found {key('answer of a subagent')}", **more)])


def _codex(key: Planted) -> bytes:
    return text_of([
        codex_meta(git={"branch": f"b-{key('codex branch')}", "repository_url": f"https://x:{key('remote')}@git.example/shop.git"}),
        codex_said(1, "user", f"Label every loaf. {key('codex prompt')}", kinds=["user.text"]),
        codex(2, "response_item", {"type": "function_call", "id": "f", "name": "exec_command", "call_id": "c",
                                   "arguments": json.dumps({"cmd": f"deploy --token {key('codex arguments')}"})}),
        codex(3, "response_item", {"type": "function_call_output", "call_id": "c", "output": f"Process exited with code 1\n{key('codex output')}"}),
    ])


def _hooks(home: Home, key: Planted, transcript: Path, environment: dict[str, str]) -> None:
    payload = {"session_id": SESSION, "transcript_path": str(transcript), "cwd": str(transcript.parent), "hook_event_name": "Stop",
               "access_token": key("extra field of a payload"), "prompt": key("prompt in a payload"),
               "last_assistant_message": key("answer in a payload"), "tool_input": {"command": key("tool input in a payload")}}
    notify = {"type": "agent-turn-complete", "thread-id": THREAD, "input-messages": [key("message of notify")],
              "last-assistant-message": key("answer of notify")}
    with Slot(home):  # no worker: what waits can be looked at
        for arguments, stdin in ((["checkpoint", "--agent", "claude"], json.dumps(payload)),
                                 (["checkpoint", "--agent", "claude"], f'{{"broken": "{key("payload that is no JSON")}'),
                                 (["checkpoint", "--agent", f"x-{key('name of an agent')}"], "{}"),
                                 (["notify", "--agent", "codex", json.dumps(notify)], "")):
            subprocess.run([*COMMAND, "hook", *arguments], input=stdin.encode(), env=environment, check=True, capture_output=True, timeout=60)


def _view(home: Home, key: Planted) -> None:
    view = home.views / "profile.md"
    view.write_text(view.read_text(encoding="utf-8") + f"\nMy own line with {key('prose in a view')}.\n\n- Use the key {key('bullet in a view')}\n",
                    encoding="utf-8")


def _import(memory: Memory, key: Planted, folder: Path) -> None:
    base = {"type": "observation", "kind": "fact", "status": "active", "scope": "global", "created_at": "2026-11-20T09:00:00Z",
            "content_hash": "", "revision": 1, "priority": "green"}
    items = [base | {"id": "0000000000IMPORTED000000001", "text": f"imported {key('text of an import')}", "raw": key("raw text of an import"),
                     "tags": [key("tag of an import")], "source": {"file": f"/srv/{key('path of an import')}", "line": 1, "agent": "claude"}},
             {"type": "observation", "id": key("id of a bad item"), "text": 7, "detail": key("bad item")}]
    path = folder / "export.jsonl"
    path.write_text("".join(json.dumps(i) + "\n" for i in items) + f'{{"type": "{key("broken line of an import")}', encoding="utf-8")
    memory.import_(path)


def _everything(home: Home) -> Iterator[tuple[str, bytes]]:
    for path in sorted(p for p in home.root.rglob("*") if p.is_file()):
        data = path.read_bytes()
        yield str(path.relative_to(home.root)), path.name.encode() + b"\n" + data
        if path.suffix == ".gz":
            yield f"{path.name} unpacked", gzip.decompress(data)
        if data.startswith(b"SQLite"):
            with sqlite3.connect(path) as opened:
                yield f"{path.name} dumped", "\n".join(map(str, opened.iterdump())).encode("utf-8", "replace")
            opened.close()


@pytest.fixture
def environment(home: Home, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("HOME", str(home.root.parent))
    monkeypatch.setenv("AGENT_MEMORY_NOW", "2026-11-30T12:00:00Z")
    return dict(os.environ)


def _asks(key: Planted) -> tuple[Any, ...]:
    good = {"observations": [{"text": f"The deploy key is {key('answer of a model')}", "kind": "fact", "priority": "red", "scope": "project",
                              "lines": [1]}], "taken_back": []}

    def once(handler: Handler, body: dict[str, Any]) -> None:
        says(json.dumps(good))(handler, body)

    return fails(400, f"bad request, key {key('error of a model')}"), once


def test_no_secret_reaches_a_file_a_log_or_a_model(home: Home, environment: dict[str, str], tmp_path: Path,
                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    key = Planted()
    monkeypatch.setenv("OPENAI_API_KEY", key("environment: key of the model"))
    monkeypatch.setenv("DEPLOY_TOKEN", key("environment of the process"))
    environment |= os.environ
    folder = tmp_path / f"agent-{key('path of a transcript')}"
    folder.mkdir()
    transcript = folder / f"{SESSION}.jsonl"
    transcript.write_bytes(_claude(key))
    inner = folder / SESSION / "subagents"
    inner.mkdir(parents=True)
    (inner / "agent-b7.jsonl").write_bytes(_subagent(key))
    (inner / "agent-b7.meta.json").write_text(json.dumps({"description": f"task {key('description of a subagent')}"}))
    rollout = tmp_path / ".codex" / "sessions" / "2026" / "11" / "20" / f"rollout-2026-11-20T09-00-00-{THREAD}.jsonl"
    rollout.parent.mkdir(parents=True)
    rollout.write_bytes(_codex(key))
    with serving(*_asks(key)) as server:
        memory = Memory(home.root, llm_model="openai/fake", llm_api_base=server.base)
        _hooks(home, key, transcript, environment)
        waiting = b"".join(p.read_bytes() for p in home.inbox.iterdir())
        assert [p for p in key.leaks(waiting) if p != "path of a transcript"] == []  # needed to find it, until it is read
        drained = memory.drain()
        assert drained.events.failed == 0, drained.events.errors
        _check_model(server, key)
    _view(home, key)
    memory.sync()
    _import(memory, key, tmp_path)
    memory.add_items([{"id": "1", "session": "chat", "text": f"item {key('text of an item')}", "speaker": key("speaker of an item"),
                       "extra": key("extra field of an item")}])
    _failures(memory, key, environment, tmp_path)
    memory.reflect()
    memory.materialize()
    memory.backup_create()
    memory.compact()
    with memory.store.read() as graph:
        assert graph.counts()["Message"] > 10, "nothing was learned, so nothing was tested"
    assert len(key.places) >= 60
    found = {name: places for name, data in _everything(home) if (places := key.leaks(data))}
    assert found == {}
    assert proof.search(home.root, key.places.values()) == []


def _check_model(server: Server, key: Planted) -> None:
    assert server.bodies
    assert key.leaks(json.dumps(server.bodies).encode()) == []


def _failures(memory: Memory, key: Planted, environment: dict[str, str], folder: Path) -> None:
    """Errors on every path: what they leave in logs must not hold what they were about."""
    home = memory.home
    vanished = folder / f"gone-{key('path of an event that fails')}.jsonl"
    payload = {"session_id": "00000000-0000-4000-8000-00000000dead", "transcript_path": str(vanished), "cwd": f"/srv/{key('folder of an event that fails')}",
               "reason": key("word of an event that fails"), "hook_event_name": "SessionEnd"}
    with Slot(home):
        subprocess.run([*COMMAND, "hook", "session-end", "--agent", "claude"], input=json.dumps(payload).encode(), env=environment, check=True,
                       capture_output=True, timeout=60)
    for _ in range(3):
        memory.drain()
    assert list((home.inbox / "aside").glob("*.json"))
    for arguments in (["observe", "--source", "claude", "--file", f"/none/{key('path on the command line')}"],
                      ["recall", "--query", f"where is {key('question')}"], ["forget", "--query", key("words to forget")],
                      ["observe", "--source", key("agent on the command line"), "--file", "x"]):
        subprocess.run([*COMMAND, *arguments], env=environment, check=False, capture_output=True, timeout=60)
    broken = environment | {"AGENT_MEMORY_LEASE_WAIT": key("value of a setting")}
    subprocess.run([*COMMAND, "worker"], env=broken, check=False, capture_output=True, timeout=60)
    subprocess.run([*COMMAND, "status"], env=broken, check=False, capture_output=True, timeout=60)
    bug = ("import sys; from agent_memory.cli import main; from agent_memory.flow import status\n"
           "def broken(place): raise KeyError(sys.argv.pop())\n"
           "status.status = broken; sys.argv[1:] = ['status', *sys.argv[1:]]; main.run(['status'])")
    done = subprocess.run([sys.executable, "-c", bug, key("value of a bug")], env=environment, check=False, capture_output=True, timeout=60)
    assert done.returncode == 3, done.stderr
    assert (home.log / "agent-memory.log").exists()


def test_a_failing_worker_tells_what_kind_of_failure_and_not_the_words(home: Home) -> None:
    from agent_memory.capture import failures
    from agent_memory.service.worker import run

    class Words(ValueError):
        pass

    def drain(_: Home) -> None:
        raise Words("the person said: my landlord is moving out")

    for problem in (drain, lambda _: (_ for _ in ()).throw(AgentMemoryError("the key is ghp_" + "a1" * 18))):
        run(home, problem, memory=None)
    told = json.dumps(failures.recent(home))
    assert "landlord" not in told
    assert "a1a1" not in told
    assert "Words" in told


def test_logs_are_rotated_and_bounded(home: Home) -> None:
    from agent_memory import logs
    from agent_memory.capture import failures

    logger = logs.set_up(home)
    try:
        for number in range(12_000):
            logger.error("a line of about three hundred characters %d %s", number, "x" * 250)
    finally:
        for handler in list(logger.handlers):
            logger.removeHandler(handler)
            handler.close()
    for _ in range(3_000):
        failures.note(home, "2026-11-30T12:00:00Z", "hook", "y" * 300)
    sizes = {p.name: p.stat().st_size for p in home.log.iterdir()}
    assert sum(sizes.values()) < 3_600_000, sizes
    assert all(p.stat().st_mode & 0o077 == 0 for p in home.log.iterdir()) or os.name != "posix"
