"""kill -9 at any moment of hook, worker, observe, reflect, materialize, backup and purge, through the real commands."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from bare_environment import bare_environment
from transcript_lines import SESSION, answer, person, text_of

from agent_memory.app import Memory
from agent_memory.model.memory import MemoryType
from agent_memory.paths import Home
from agent_memory.store import proof
from agent_memory.store.rebuild import rebuild

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals")
COMMAND = [sys.executable, "-m", "agent_memory"]
OPERATIONS = (("observe",), ("hook",), ("materialize",), ("reflect",), ("purge", "--query", "purgeable", "--yes"), ("backup", "create"), ("sync",),
              ("observe",), ("hook",))
MENDABLE = {"graph-behind", "graph-differs", "graph-missing", "search-behind", "search-missing", "search-differs", "search-rows",
            "exchange-unfinished", "purge-unfinished"}


def word(of: str) -> str:
    """An invented word, so that no two rules are alike."""
    return "".join("bcdfghklmnprstvw"[b % 16] + "aeiou"[b // 16 % 5] for b in hashlib.sha256(of.encode()).digest()[:4])


class World:
    """A home and a transcript that grows; what was said is acknowledged once it is in the file and a command ended well."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.dice = random.Random(seed)
        self.home = Home(folder / "home")
        self.transcript = folder / f"{SESSION}.jsonl"
        self.environment = bare_environment()
        self.environment |= {"AGENT_MEMORY_HOME": str(self.home.root), "HOME": str(folder), "AGENT_MEMORY_NOW": "2026-11-30T12:00:00Z"}
        self.said: list[str] = []
        self.number = 0

    def say(self) -> None:
        """Two new rules and an answer to each."""
        lines = []
        for _ in range(2):
            self.number += 1
            one, two, three, four = (word(f"{self.number}.{part}") for part in range(4))
            text = f"Always check the {one} {two} before you open the {three} {four}."
            lines += [person(self.number * 2, text), answer(self.number * 2 + 1, f"I checked the {one}.")]
            self.said.append(text)
        with self.transcript.open("ab") as file:
            file.write(text_of(lines))

    def start(self, operation: tuple[str, ...]) -> subprocess.Popen[bytes]:
        words = [*operation]
        payload = b""
        if operation == ("observe",):
            words += ["--source", "claude", "--file", str(self.transcript)]
        elif operation == ("hook",):
            words += ["checkpoint", "--agent", "claude"]
            payload = json.dumps({"session_id": SESSION, "transcript_path": str(self.transcript), "cwd": "/srv/plant"}).encode()
        process = subprocess.Popen([*COMMAND, *words], env=self.environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        assert process.stdin is not None
        process.stdin.write(payload)
        process.stdin.close()
        process.stdin = None
        return process

    def run_and_kill(self, operation: tuple[str, ...], after: float) -> bytes:
        process = self.start(operation)
        try:
            _, err = process.communicate(timeout=after)
        except subprocess.TimeoutExpired:
            process.kill()
            _, err = process.communicate()
        if operation == ("hook",):
            time.sleep(self.dice.random() * after)
            for worker in self.workers():
                with suppress(psutil.NoSuchProcess):
                    worker.kill()
        assert process.returncode in (0, 1, -signal.SIGKILL), err.decode()
        assert process.returncode != 1 or operation[0] == "purge", err.decode()  # nothing left to purge is an error that is told
        return err

    def workers(self) -> list[psutil.Process]:
        """Every process that was started for this home, also one that is just starting."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.environ().get("AGENT_MEMORY_HOME") == str(self.home.root):
                    found.append(process)
        return found

    def check(self) -> None:
        """Nothing is lost or doubled, and what verify finds says what to do and is put right by that."""
        _, alive = psutil.wait_procs(self.workers(), timeout=60)
        assert not alive, alive
        memory = Memory(self.home.root)
        memory.observe_file("claude", self.transcript)
        if not (report := memory.verify()).ok:
            assert {f.code for f in report.findings if not f.harmless} <= MENDABLE, report.findings
            assert all(f.next_step for f in report.findings)
            rebuild(memory.store)
            assert memory.verify().ok, memory.verify().findings
        with memory.store.read() as graph:
            told = [m.text for s in graph.sessions() for m in graph.messages(s.id) if m.text.startswith("Always")]
            memories = [m for m in graph.memories() if m.text.startswith("Always")]
        observed = [m.text for m in memories if m.type is MemoryType.OBSERVATION]
        lasting = [m.text for m in memories if m.type is not MemoryType.OBSERVATION]  # a reflect that was not killed in time
        assert told == self.said
        assert len(observed) == len(set(observed))
        assert len(lasting) == len(set(lasting))
        assert {t.rstrip(".") for t in observed} == {t.rstrip(".") for t in self.said}
        assert memory.store.aside() == []
        assert all(b.manifest is not None for b in memory.backups())


def rounds(world: World, count: int, longest: float) -> None:
    with world.transcript.open("ab") as file:
        file.write(text_of([person(9_999, "Never touch the purgeable pump."), answer(10_000, "Understood.")]))
    memory = Memory(world.home.root)
    memory.observe_file("claude", world.transcript)
    memory.materialize()
    for number in range(count):
        world.say()
        world.run_and_kill(OPERATIONS[number % len(OPERATIONS)], world.dice.uniform(0.05, longest))
        if number % 5 == 4 or number == count - 1:
            world.check()
    process = world.start(("purge", "--query", "purgeable", "--yes"))
    process.communicate(timeout=60)
    memory.reflect()
    memory.materialize()
    assert "purgeable" not in (world.home.views / "profile.md").read_text(encoding="utf-8")
    assert proof.search(world.home.root, ["Never touch the purgeable pump."]) == []


def test_nothing_is_lost_or_doubled_when_commands_are_killed(tmp_path: Path) -> None:
    rounds(World(tmp_path, 5), 9, 1.6)


def test_a_home_whose_commands_all_ended_well_passes_the_same_check(tmp_path: Path) -> None:
    rounds(World(tmp_path, 6), 5, 60.0)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
def test_nothing_is_lost_or_doubled_when_commands_are_killed_soak(tmp_path: Path, seed: int) -> None:
    rounds(World(tmp_path, 100 + seed), 45, 2.5)
