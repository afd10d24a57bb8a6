"""The worker as real processes: single, bounded, detached, and gone when it is done."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from agent_memory.capture import failures, inbox
from agent_memory.errors import StoreError
from agent_memory.model.event import HookEvent
from agent_memory.paths import Home
from agent_memory.service import control
from agent_memory.service.slot import Slot
from agent_memory.service.worker import run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and sessions")
AGENT_MEMORY = [sys.executable, "-m", "agent_memory"]
PAYLOAD = {"session_id": "s-1", "transcript_path": "/nowhere.jsonl", "cwd": "/tmp", "access_token": "never-kept"}


def put(home: Home, number: int = 1) -> None:
    inbox.put(home, HookEvent("checkpoint", "claude", f"s{number}", "/t", "/w", "2026-11-30T12:00:00Z"), nanoseconds=number * 10**12)


def until(true: Callable[[], object], seconds: float = 20.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.03)
    return False


def processes_of(home: Home) -> list[psutil.Process]:
    return [p for p in psutil.process_iter(["cmdline"]) if str(home.root) in (p.info["cmdline"] or []) and "worker" in p.info["cmdline"]]


def script(home: Home, body: str, *, seconds: float = 60, memory: str = "None") -> subprocess.Popen[bytes]:
    """A worker in its own process whose drain is ``body``."""
    code = textwrap.dedent(f"""
        import os, sys, time
        from agent_memory.capture import inbox
        from agent_memory.paths import Home
        from agent_memory.service.worker import run
        home = Home.open({str(home.root)!r})
        def drain(home):
            {textwrap.indent(textwrap.dedent(body), " " * 12).strip()}
        report = run(home, drain, seconds={seconds}, memory={memory})
        print(report.held, report.rounds, report.error, flush=True)
    """)
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


@pytest.fixture
def environment(tmp_path: Path, home: Home) -> dict[str, str]:
    """An environment in which the worker's real work is replaced by noting what it got and who it is."""
    folder = tmp_path / "replaced"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(textwrap.dedent("""
        import sys, types
        app = types.ModuleType("agent_memory.app")
        class Memory:
            settings = types.SimpleNamespace(worker_seconds=300.0)
            def __init__(self, root): self.root = root
            def drain(self):
                import json, os
                from agent_memory.capture import inbox
                from agent_memory.paths import Home
                def note(event):
                    with open(os.path.join(self.root, "noted.jsonl"), "a") as file:
                        print(json.dumps([event.event, event.agent, event.session, event.transcript, os.getpid(), os.getsid(0),
                                          sorted(os.readlink(f"/proc/self/fd/{n}") for n in os.listdir("/proc/self/fd")
                                                 if os.path.exists(f"/proc/self/fd/{n}"))]), file=file)
                return inbox.drain(Home.open(self.root), note)
        app.Memory = Memory
        sys.modules["agent_memory.app"] = app
    """))
    return {**os.environ, "PYTHONPATH": str(folder), "AGENT_MEMORY_HOME": str(home.root)}


def noted(home: Home) -> list[list[object]]:
    path = home.root / "noted.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def hook(event: str, payload: bytes, environment: dict[str, str], *more: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*AGENT_MEMORY, "hook", event, "--agent", "claude", *more], input=payload, env=environment,
                          capture_output=True, timeout=60, check=False)


def test_hook_leaves_an_event_that_a_detached_worker_handles_and_ends(home: Home, environment: dict[str, str]) -> None:
    done = hook("session-end", json.dumps(PAYLOAD).encode(), environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert until(lambda: noted(home))
    event, agent, session, transcript, pid, leader, files = noted(home)[0]
    assert (event, agent, session, transcript) == ("session-end", "claude", "s-1", "/nowhere.jsonl")
    assert pid == leader
    assert pid != os.getsid(0)
    assert not [f for f in files if str(f).startswith("pipe:")]  # type: ignore[attr-defined]
    assert until(lambda: not processes_of(home))
    assert not inbox.waiting(home)
    assert not control.running(home)
    assert b"never-kept" not in b"".join(p.read_bytes() for p in home.root.rglob("*") if p.is_file())


@pytest.mark.parametrize("payload", [b"", b"garbage", b"[1, 2]", b"\xff\xfe\x00", b'{"session_id": ', b'{"session_id": "s", "x": "' + b"y" * 5_000_000 + b'"}'])
@pytest.mark.parametrize("event", ["checkpoint", "session-start"])
def test_hook_ends_well_whatever_the_payload_is(home: Home, environment: dict[str, str], payload: bytes, event: str) -> None:
    done = hook(event, payload, environment, "--cwd", "/tmp")
    assert (done.returncode, done.stderr) == (0, b"")
    if done.stdout:
        assert set(json.loads(done.stdout)) == {"hookSpecificOutput"}
    if payload:
        assert "payload" in failures.recent(home)[-1]["what"]
        assert "garbage" not in json.dumps(failures.recent(home))
    assert not inbox.pending(home)


def test_hook_with_wrong_words_or_an_unwritable_home_ends_well(tmp_path: Path, home: Home, environment: dict[str, str]) -> None:
    assert hook("no-such-event", b"{}", environment).returncode == 0
    assert "no-such-event" in failures.recent(home)[-1]["what"]
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    done = hook("checkpoint", json.dumps(PAYLOAD).encode(), environment, "--home", str(blocked / "home"))
    assert (done.returncode, done.stdout) == (0, b"")
    assert len(done.stderr.splitlines()) == 1


def test_hook_does_not_wait_for_a_host_that_leaves_stdin_open(home: Home, environment: dict[str, str]) -> None:
    read, write = os.pipe()
    try:
        done = subprocess.run([*AGENT_MEMORY, "hook", "checkpoint", "--agent", "claude", "--session", "s"], stdin=read, env=environment,
                              capture_output=True, timeout=30, check=False)
    finally:
        os.close(read)
        os.close(write)
    assert done.returncode == 0
    assert until(lambda: noted(home))


def test_notify_payload_comes_as_last_argument(home: Home, environment: dict[str, str]) -> None:
    payload = json.dumps({"type": "agent-turn-complete", "thread-id": "th-1", "cwd": "/tmp", "input-messages": ["never-kept"]})
    done = subprocess.run([*AGENT_MEMORY, "hook", "notify", "--agent", "codex", payload], stdin=subprocess.DEVNULL, env=environment,
                          capture_output=True, timeout=60, check=False)
    assert done.returncode == 0
    assert until(lambda: noted(home))
    assert noted(home)[0][:3] == ["notify", "codex", "th-1"]


def test_hook_fired_by_our_own_model_call_does_nothing(home: Home, environment: dict[str, str]) -> None:
    done = hook("session-start", json.dumps(PAYLOAD).encode(), environment | {"AGENT_MEMORY_INSIDE": "1"})
    assert (done.returncode, done.stdout) == (0, b"")
    assert not home.inbox.exists()


def test_many_hooks_whose_parents_are_killed_leave_no_process_and_lose_no_event(home: Home, environment: dict[str, str]) -> None:
    parents = []
    for number in range(24):
        payload = json.dumps(PAYLOAD | {"session_id": f"s-{number}"})
        code = (f"import subprocess, sys, time; p = subprocess.Popen({[*AGENT_MEMORY, 'hook', 'checkpoint', '--agent', 'claude']!r}, "
                f"stdin=subprocess.PIPE); p.stdin.write({payload.encode()!r}); p.stdin.close(); time.sleep(60)")
        parents.append(subprocess.Popen([sys.executable, "-c", code], env=environment, start_new_session=True))
        if number % 8 == 7:
            time.sleep(0.3)
    assert until(lambda: len({n[2] for n in noted(home)}) > 3, 60)
    for parent in parents[:12]:
        parent.send_signal(signal.SIGKILL)
    assert until(lambda: len({n[2] for n in noted(home)}) >= 12 and not inbox.waiting(home), 60)
    for parent in parents:
        os.killpg(parent.pid, signal.SIGKILL)
        parent.wait()
    assert until(lambda: not processes_of(home), 30)


def test_second_worker_finds_the_slot_taken_and_ends(home: Home) -> None:
    put(home)
    with Slot(home) as held:
        assert held
        assert control.running(home)
        assert not control.start(home)
        assert run(home, lambda _: pytest.fail("worked without the slot"), memory=None).held is False
    assert not control.running(home)


def test_killed_worker_frees_the_slot_and_its_event_is_tried_again(home: Home) -> None:
    put(home)
    worker = script(home, """
        open(home.root / "started", "w").close()
        inbox.drain(home, lambda event: time.sleep(60))
    """)
    assert until((home.root / "started").exists)
    assert until(lambda: inbox.pending(home) and inbox.pending(home)[0].attempts == 1)
    worker.kill()
    worker.communicate()
    seen: list[str] = []
    assert run(home, lambda h: inbox.drain(h, lambda e: seen.append(e.session)), memory=None).held
    assert seen == ["s1"]


def test_hung_worker_is_ended_by_its_time_limit_even_outside_of_python(home: Home) -> None:
    put(home)
    worker = script(home, """
        import ctypes
        inbox.drain(home, lambda event: ctypes.PyDLL(None).sleep(60))  # PyDLL keeps the interpreter's lock
    """, seconds=1)
    worker.communicate(timeout=30)
    assert worker.returncode != 0
    assert "drain" in (home.log / "worker-hung.txt").read_text()
    assert [i.attempts for i in inbox.pending(home)] == [1]
    assert not control.running(home)


def test_worker_that_wants_too_much_memory_gets_an_error_that_is_noted(home: Home) -> None:
    put(home)
    worker = script(home, "inbox.drain(home, lambda event: bytearray(3_000_000_000))", memory="1_500_000_000")
    output, _ = worker.communicate(timeout=60)
    assert output.startswith(b"True")
    assert [i.attempts for i in inbox.pending(home)] == [1]


def test_failure_of_the_work_is_noted_and_the_event_waits(home: Home) -> None:
    put(home)

    def drain(_: Home) -> None:
        raise StoreError("the graph is on fire")

    assert run(home, drain, memory=None).error == "StoreError: the graph is on fire"
    assert failures.recent(home)[-1]["what"] == "StoreError: the graph is on fire"
    assert inbox.waiting(home)


def test_event_that_comes_while_the_worker_ends_is_not_left_waiting(home: Home) -> None:
    put(home, 1)
    seen: list[str] = []

    def drain(given: Home) -> None:
        inbox.drain(given, lambda e: seen.append(e.session))
        if len(seen) == 1:
            put(given, 2)  # as a hook does that still sees the slot taken

    assert run(home, drain, memory=None).rounds == 2
    assert seen == ["s1", "s2"]


def test_number_of_a_foreign_process_in_the_lock_file_means_nothing(home: Home) -> None:
    home.inbox.mkdir(parents=True)
    (home.inbox / ".worker.lock").write_text(json.dumps({"pid": os.getpid()}))
    assert not control.running(home)
    assert run(home, lambda _: None, memory=None).held


def test_home_with_space_quote_and_foreign_letters_works(tmp_path: Path, environment: dict[str, str]) -> None:
    home = Home(tmp_path / "Zoë's höme 日本")
    done = hook("checkpoint", json.dumps(PAYLOAD).encode(), environment | {"AGENT_MEMORY_HOME": str(home.root)})
    assert done.returncode == 0
    assert until(lambda: noted(home))


def test_module_in_the_agents_folder_is_not_imported_by_the_worker(tmp_path: Path, home: Home, environment: dict[str, str]) -> None:
    (tmp_path / "agent_memory").mkdir()
    (tmp_path / "agent_memory" / "__init__.py").write_text("raise SystemExit('foreign code ran')")
    script_path = Path(sys.executable).with_name("agent-utilities-memory")
    if not script_path.exists():
        pytest.skip("the command is not installed")
    done = subprocess.run([str(script_path), "hook", "checkpoint", "--agent", "claude"], input=json.dumps(PAYLOAD).encode(),
                          env=environment, cwd=tmp_path, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert until(lambda: noted(home))


def test_hook_imports_nothing_that_costs(home: Home) -> None:
    code = ("import sys, io, os; sys.argv = ['x', 'hook', 'checkpoint', '--agent', 'claude', '--session', 's']; "
            "import agent_memory.service.control as c; c.start = lambda home: True; "
            "from agent_memory.__main__ import main; code = main(); "
            "print(code, sorted({'typing', 'click', 'pydantic', 'kuzu', 'subprocess', 'sqlite3', 'detect_secrets', 'logging', "
            "'agent_memory.settings', 'agent_memory.store', 'agent_memory.app'} & set(sys.modules)))")
    done = subprocess.run([sys.executable, "-c", code], input=b"{}", capture_output=True, timeout=60, check=False,
                          env={**os.environ, "AGENT_MEMORY_HOME": str(home.root)})
    assert done.stdout == b"0 []\n", done.stdout + done.stderr
    assert inbox.waiting(home)
