"""Leases exclude each other, end with their process, and name who holds them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from agent_memory.errors import LeaseTimeout, StoreError
from agent_memory.store.lease import lease

_HOLD = """
import sys, time
from pathlib import Path
from agent_memory.store.lease import lease
with lease(Path(sys.argv[1]), exclusive=sys.argv[2] == "exclusive", wait=5):
    print("held", flush=True)
    time.sleep(60)
"""


def holder(path: Path, how: str) -> subprocess.Popen[str]:
    child = subprocess.Popen([sys.executable, "-c", _HOLD, str(path), how], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    return child


def end(child: subprocess.Popen[str]) -> None:
    child.send_signal(signal.SIGKILL)
    child.wait()
    assert child.stdout is not None
    child.stdout.close()


def test_timeout_names_the_process_that_writes(tmp_path: Path) -> None:
    child = holder(tmp_path / "graph.lock", "exclusive")
    try:
        for exclusive in (True, False):
            with pytest.raises(LeaseTimeout, match=f"process {child.pid} .* has held it since 20") as caught, \
                    lease(tmp_path / "graph.lock", exclusive=exclusive, wait=0.05, hint="safe"):
                pass
            assert caught.value.hint == "safe"
    finally:
        end(child)


def test_timeout_names_the_process_that_reads(tmp_path: Path) -> None:
    child = holder(tmp_path / "graph.lock", "shared")
    try:
        with lease(tmp_path / "graph.lock", exclusive=False, wait=0.05):
            pass
        with pytest.raises(LeaseTimeout, match=f"in use by process {child.pid}"), \
                lease(tmp_path / "graph.lock", exclusive=True, wait=0.05):
            pass
    finally:
        end(child)


def test_killed_holder_holds_nothing(tmp_path: Path) -> None:
    end(holder(tmp_path / "graph.lock", "exclusive"))
    assert (tmp_path / "graph.lock.holder").exists()
    with lease(tmp_path / "graph.lock", exclusive=True, wait=0.05):
        pass
    assert not (tmp_path / "graph.lock.holder").exists()


def test_reused_process_id_in_the_side_file_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "graph.lock.holder").write_text(json.dumps(
        {"pid": os.getpid(), "command": "stale", "since": "2001-01-01T00:00:00+00:00"}))
    child = holder(tmp_path / "graph.lock", "shared")
    try:
        with pytest.raises(LeaseTimeout) as caught, lease(tmp_path / "graph.lock", exclusive=True, wait=0.05):
            pass
        assert "stale" not in caught.value.message
        assert str(child.pid) in caught.value.message
    finally:
        end(child)


@pytest.mark.parametrize("note", ["", "null", "[1]", '{"pid": "x"}', '{"pid": -5, "command": "", "since": ""}', "\x00"])
def test_nonsense_in_the_side_file_does_no_harm(tmp_path: Path, note: str) -> None:
    child = holder(tmp_path / "graph.lock", "shared")
    try:
        (tmp_path / "graph.lock.holder").write_text(note)
        with pytest.raises(LeaseTimeout, match=str(child.pid)), lease(tmp_path / "graph.lock", exclusive=True, wait=0.01):
            pass
    finally:
        end(child)


def test_a_stream_of_readers_does_not_starve_a_writer(tmp_path: Path) -> None:
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            with lease(tmp_path / "graph.lock", exclusive=False, wait=5):
                time.sleep(0.01)

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    try:
        for _ in range(5):
            with lease(tmp_path / "graph.lock", exclusive=True, wait=5):
                pass
    finally:
        stop.set()
        for reader in readers:
            reader.join()


def test_threads_of_one_process_exclude_each_other(tmp_path: Path) -> None:
    inside = []

    def work() -> None:
        for _ in range(10):
            with lease(tmp_path / "graph.lock", exclusive=True, wait=10):
                inside.append(1)
                assert len(inside) == 1
                time.sleep(0.001)
                inside.pop()

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert inside == []


def test_writing_inside_of_reading_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "graph.lock"
    with lease(path, exclusive=False, wait=1):
        with pytest.raises(StoreError, match="this thread already holds"), lease(path, exclusive=True, wait=60):
            pass
        with lease(path, exclusive=False, wait=1):
            pass
    with lease(path, exclusive=True, wait=1), pytest.raises(StoreError), lease(path, exclusive=False, wait=60):
        pass
    with lease(path, exclusive=True, wait=1):
        pass
