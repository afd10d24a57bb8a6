"""Damage, a full disk, missing rights and a clock that jumps: a plain message with one next step, and nothing is lost."""

from __future__ import annotations

import errno
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from transcript_lines import SESSION, answer, person, text_of

from agent_memory.app import Memory
from agent_memory.errors import AgentMemoryError, GraphDamaged
from agent_memory.paths import Home
from agent_memory.store import backup, child
from agent_memory.store.rebuild import rebuild

COMMAND = [sys.executable, "-m", "agent_memory"]
RULES = ["Always run the linter before a commit.", "Never push to the release branch on Fridays.", "We decided to use Valkey because of its licence."]


def said(*texts: str, first: int = 1) -> bytes:
    return text_of([r for n, t in enumerate(texts) for r in (person(first + 2 * n, t), answer(first + 2 * n + 1, "Understood."))])


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with graph, search file, views and a backup, copied for each test."""
    folder = tmp_path_factory.mktemp("prepared")
    (folder / f"{SESSION}.jsonl").write_bytes(said(*RULES))
    memory = Memory(folder / "home", now=lambda: _time("2026-11-30T12:00:00Z"))
    memory.observe_file("claude", folder / f"{SESSION}.jsonl")
    memory.materialize()
    memory.backup_create()
    memory.add_items([{"id": "i", "session": "s", "text": "something newer than the backup", "timestamp": "2026-11-30T12:00:00Z"}])
    return folder


def _time(text: str) -> Any:
    from agent_memory import clock

    return clock.parse(text)


@pytest.fixture
def place(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(prepared, tmp_path / "place")
    monkeypatch.setenv("AGENT_MEMORY_HOME", str(tmp_path / "place" / "home"))
    return tmp_path / "place"


def run(*arguments: str, now: str = "2026-11-30T12:30:00Z", home: Path | None = None, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environment = os.environ | {"AGENT_MEMORY_NOW": now} | ({"AGENT_MEMORY_HOME": str(home)} if home else {})
    done = subprocess.run([*COMMAND, *arguments], env=environment, capture_output=True, input=stdin, check=False, timeout=120)
    assert done.returncode in (0, 1), done.stderr.decode()
    if done.returncode and b"error:" in done.stderr:
        assert done.stderr.count(b"\nhint: ") == 1, done.stderr.decode()
    return done


def texts(home: Home) -> set[str]:
    with Memory(home.root).store.read() as graph:
        return {m.text for s in graph.sessions() for m in graph.messages(s.id)}


def wal(home: Home) -> Path:
    return home.graph.with_name(home.graph.name + ".wal")


def with_log(home: Home) -> None:
    """Leave something in the engine's log."""
    Memory(home.root).add_items([{"id": "late", "session": "s", "text": "in the log only"}])
    assert wal(home).stat().st_size


def cut_log(home: Home, dice: random.Random) -> None:
    os.truncate(wal(home), dice.randrange(wal(home).stat().st_size))


def flipped_log(home: Home, dice: random.Random) -> None:
    data = bytearray(wal(home).read_bytes())
    data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    wal(home).write_bytes(data)


def missing_log(home: Home, _: random.Random) -> None:
    wal(home).unlink()


def stale_log(home: Home, _: random.Random) -> None:
    old = wal(home).read_bytes()
    Memory(home.root).store.checkpoint()
    wal(home).write_bytes(old)


def missing_graph(home: Home, _: random.Random) -> None:
    home.graph.unlink()


def cut_graph(home: Home, dice: random.Random) -> None:
    os.truncate(home.graph, dice.randrange(home.graph.stat().st_size))


def zeroed_page(home: Home, dice: random.Random) -> None:
    with home.graph.open("r+b") as file:
        file.seek(4096 * dice.randrange(home.graph.stat().st_size // 4096))
        file.write(bytes(4096))


def missing_search(home: Home, _: random.Random) -> None:
    home.search.unlink()


def cut_search(home: Home, dice: random.Random) -> None:
    os.truncate(home.search, dice.randrange(home.search.stat().st_size))


def torn_journal(home: Home, _: random.Random) -> None:
    """The last line is cut and neither graph nor search file has seen it."""
    segment = sorted(home.journal.glob("*.jsonl"))[-1]
    with segment.open("ab") as file:
        file.write(segment.read_bytes().splitlines()[-1][:80])


DAMAGE: list[Callable[[Home, random.Random], None]] = [cut_log, flipped_log, missing_log, stale_log, missing_graph, cut_graph, zeroed_page, missing_search,
                                                      cut_search, torn_journal]


def damaged(place: Path, damage: Callable[[Home, random.Random], None], seed: int) -> None:
    home = Home(place / "home")
    with_log(home)
    before = texts(home)
    damage(home, random.Random(seed))
    assert {*RULES, "something newer than the backup"} <= before
    done = run("recall", "--query", "linter", "--all-projects", "--json")  # works, or names the next step
    told = run("status")
    if done.returncode or told.returncode:
        assert b"rebuild" in done.stderr + told.stderr or b"verify" in done.stderr + told.stderr, (done.stderr + told.stderr).decode()
    report = json.loads(run("verify", "--json").stdout)
    if not report["ok"]:
        run("rebuild")
        assert json.loads(run("verify", "--json").stdout)["ok"]
    assert texts(home) == before
    path = place / f"{SESSION}.jsonl"
    with path.open("ab") as file:
        file.write(said("Bring the new bins.", first=50))
    assert run("observe", "--source", "claude", "--file", str(path)).returncode == 0
    assert texts(home) == before | {"Bring the new bins."}


@pytest.mark.parametrize("damage", [d for d in DAMAGE if d is not zeroed_page], ids=lambda d: d.__name__)
def test_a_damaged_file_is_mended_from_the_journal(place: Path, damage: Callable[[Home, random.Random], None]) -> None:
    damaged(place, damage, 1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.parametrize("damage", DAMAGE, ids=lambda d: d.__name__)
def test_a_damaged_file_is_mended_from_the_journal_soak(place: Path, damage: Callable[[Home, random.Random], None], seed: int) -> None:
    damaged(place, damage, seed)


def test_a_file_that_hangs_the_engine_is_told_and_made_anew(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(place / "home")
    before = texts(home)
    zeroed_page(home, random.Random(1))
    monkeypatch.setattr(child, "OPEN_LIMIT", 3.0)
    with home.graph.open("r+b") as file:
        file.write(b"\0" * 8192)
    with pytest.raises(GraphDamaged) as told:
        Memory(home.root).status()
    assert "rebuild" in told.value.hint
    rebuild(Memory(home.root).store)
    assert texts(home) == before


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 128 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=128m", "tmpfs", str(folder)], capture_output=True, check=False) \
        if shutil.which("mount") and sys.platform == "linux" else None
    if made is None or made.returncode:
        pytest.skip("a small file system cannot be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(path: Path) -> None:
    """Write until nothing more fits."""
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 65_536)
        except OSError as problem:
            if problem.errno != errno.ENOSPC:
                raise


def test_a_full_disk_is_told_and_loses_nothing(prepared: Path, small_disk: Path) -> None:
    root = small_disk / "home"
    shutil.copytree(prepared / "home", root)
    home = Home(root)
    before = texts(home)
    filler = small_disk / "filler"
    fill(filler)
    path = prepared.parent / f"{SESSION}.jsonl"
    path.write_bytes(said(*RULES, *(f"Remember fact number {n}: " + "words " * 300 for n in range(40))))
    failed = run("observe", "--source", "claude", "--file", str(path), home=root)
    assert failed.returncode == 1
    assert b"space" in failed.stderr or b"disk" in failed.stderr, failed.stderr.decode()
    payload = json.dumps({"session_id": SESSION, "transcript_path": str(path), "cwd": "/srv"}).encode()
    hooked = run("hook", "checkpoint", "--agent", "claude", home=root, stdin=payload)
    assert hooked.returncode == 0
    for arguments in (("materialize",), ("backup", "create"), ("rebuild",), ("compact",), ("reflect",)):
        run(*arguments, home=root)  # each ends with a plain message, whatever it could do
    assert run("recall", "--query", "linter", "--all-projects", home=root).returncode == 0
    filler.unlink()
    assert texts(home) >= before
    assert run("observe", "--source", "claude", "--file", str(path), home=root).returncode == 0
    assert len(texts(home)) == len(before) + 40
    assert not [p for p in root.rglob("*") if p.name.endswith(".tmp")]
    report = json.loads(run("verify", "--json", home=root).stdout)
    assert report["ok"], report
    assert all(b.manifest is not None for b in backup.entries(home))


BOUND = ("import ctypes, os, sys\n"
         "for power in (1, 2):  # root heeds the rights of files like everybody (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH)\n"
         "    ctypes.CDLL(None).prctl(24, power, 0, 0, 0)\n"
         "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])")


@pytest.mark.skipif(sys.platform != "linux", reason="rights of files, also for root")
@pytest.mark.parametrize("rights", [0o500, 0o000])
def test_a_home_without_rights_is_told_and_never_taken_for_empty(place: Path, rights: int) -> None:
    home = Home(place / "home")
    before = texts(home)
    folders = [p for p in (home.root, *home.root.rglob("*")) if p.is_dir()]
    environment = os.environ | {"AGENT_MEMORY_HOME": str(home.root), "HOME": str(place)}

    def bound(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([sys.executable, "-c", BOUND, "-m", "agent_memory", *arguments], env=environment, input=b"{}", capture_output=True,
                              check=False, timeout=60)

    try:
        for folder in reversed(folders):
            folder.chmod(rights)
        for arguments in (["recall", "--query", "linter", "--all-projects"], ["status"], ["materialize"], ["observe"], ["reflect"], ["verify"],
                          ["backup", "create"], ["sync"], ["export"]):
            done = bound(*arguments)
            assert done.returncode in (0, 1), (arguments, done.stderr.decode())
            if done.returncode and b"error: " in done.stderr:
                assert str(home.root).encode() in done.stderr, (arguments, done.stderr.decode())
            if rights == 0 and arguments[0] != "context":
                assert done.returncode == 1, (arguments, done.stdout.decode())
        hooked = bound("hook", "session-start", "--agent", "claude")
        assert hooked.returncode == 0
    finally:
        for folder in folders:
            folder.chmod(0o700)
    assert texts(home) == before


def test_a_clock_that_jumps_between_commands_harms_nothing(place: Path) -> None:
    home = Home(place / "home")
    path = place / f"{SESSION}.jsonl"
    times = ["2031-01-01T00:00:00Z", "1999-12-31T23:59:59Z", "2026-11-30T12:00:00Z", "1970-01-01T00:00:00Z", "2026-11-30T11:59:59Z"]
    for number, now in enumerate(times):
        with path.open("ab") as file:
            file.write(said(f"Always count the {'abcde'[number] * 5} crates twice.", first=100 + 10 * number))
        for arguments in (("observe", "--source", "claude", "--file", str(path)), ("reflect",), ("materialize",), ("backup", "create"), ("sync",),
                          ("recall", "--query", "linter", "--all-projects"), ("context", "--for", "claude", "--cwd", "/home/noor/bakery", "--task", "x")):
            done = run(*arguments, now=now)
            assert done.returncode == 0, (now, arguments, done.stderr.decode())
    assert {*RULES, *(f"Always count the {c * 5} crates twice." for c in "abcde")} <= texts(home)
    with Memory(home.root).store.read() as graph:
        stands = {m.text for m in graph.memories() if m.status.word == "active"}
    assert {r.rstrip(".") for r in RULES[:2]} <= {t.rstrip(".") for t in stands}
    assert json.loads(run("verify", "--json").stdout)["ok"]
    assert len(backup.entries(home)) >= 5


def test_an_error_of_any_kind_has_a_message_and_a_next_step() -> None:
    from agent_memory import errors

    kinds = [k for k in vars(errors).values() if isinstance(k, type) and issubclass(k, AgentMemoryError)]
    assert len({k.code for k in kinds}) == len(kinds)
    assert all(k.exit_code in (1, 2, 3) for k in kinds)
