"""Many processes on one home at once, through the real commands."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from bare_environment import bare_environment
from transcript_lines import SESSION, answer, person, text_of

from agent_memory.app import Memory
from agent_memory.model.memory import MemoryType

COMMAND = [sys.executable, "-m", "agent_memory"]
SUBJECTS = ("pump", "valve", "harbour crane", "pressure gauge", "conveyor", "boiler", "turbine", "weighbridge", "silo", "mixer")
TIMES = ("in the morning", "after a storm", "on Mondays", "before lunch", "at the end of the shift", "twice a week", "at low tide", "when it rains",
         "during the audit", "once the lorry has left")
RULES = tuple(f"Always check the {subject} {when}." for subject, when in zip(SUBJECTS, TIMES, strict=True))


def environment(home: Path) -> dict[str, str]:
    return bare_environment(AGENT_MEMORY_HOME=str(home), HOME=str(home.parent), AGENT_MEMORY_LEASE_WAIT="60")


def start(home: Path, words: Sequence[str], payload: bytes = b"") -> subprocess.Popen[bytes]:
    process = subprocess.Popen([*COMMAND, *words], env=environment(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin is not None
    process.stdin.write(payload)
    process.stdin.close()
    process.stdin = None
    return process


def ended_well(processes: Sequence[subprocess.Popen[bytes]]) -> list[str]:
    """Standard output of each; every one must end with 0."""
    out = []
    for process in processes:
        said, err = process.communicate(timeout=200)
        assert process.returncode == 0, err.decode()
        out.append(said.decode())
    return out


def transcript(folder: Path) -> Path:
    path = folder / f"{SESSION}.jsonl"
    lines = [line for n, rule in enumerate(RULES) for line in (person(2 * n, rule), answer(2 * n + 1, "Understood."))]
    path.write_bytes(text_of(lines))
    return path


def test_a_transcript_observed_by_eight_processes_at_once_gives_each_memory_once(tmp_path: Path) -> None:
    home, path = tmp_path / "home", transcript(tmp_path)
    ended_well([start(home, ["observe", "--source", "claude", "--file", str(path)]) for _ in range(8)])
    memory = Memory(home)
    with memory.store.read() as graph:
        observed = [m.text.rstrip(".") for m in graph.memories() if m.text.startswith("Always") and m.type is MemoryType.OBSERVATION]
        told = [m.text for s in graph.sessions() for m in graph.messages(s.id) if m.text.startswith("Always")]
    assert told == list(RULES)
    assert sorted(observed) == sorted(rule.rstrip(".") for rule in RULES)
    assert memory.verify().ok


def test_sixteen_writers_and_sixteen_readers_lose_and_double_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    notes = [f"The {subject} is serviced {when}." for subject, when in zip(SUBJECTS * 2, TIMES * 2, strict=True)][:10]
    notes += [f"The spare {subject} stands in hall {n}." for n, subject in enumerate(SUBJECTS[:6])]
    Memory(home).store_note("The first note of the plant.", kind="fact")
    processes = []
    for number, note in enumerate(notes):
        processes.append(start(home, ["store", note, "--kind", "fact"]))
        read = ["recall", "--query", "pump", "--json"] if number % 2 else ["context", "--for", "codex", "--cwd", str(tmp_path)]
        processes.append(start(home, read))
    ended_well(processes)
    memory = Memory(home)
    with memory.store.read() as graph:
        assert sorted(m.text for m in graph.memories()) == sorted(["The first note of the plant.", *notes])
    assert memory.verify().ok


def test_eight_hooks_at_once_are_all_heard(tmp_path: Path) -> None:
    home, path = tmp_path / "home", transcript(tmp_path)
    payload = json.dumps({"session_id": SESSION, "transcript_path": str(path), "cwd": str(tmp_path)}).encode()
    ended_well([start(home, ["hook", "checkpoint", "--agent", "claude"], payload) for _ in range(8)])
    ended_well([start(home, ["observe"])])
    with Memory(home).store.read() as graph:
        observed = [m.text.rstrip(".") for m in graph.memories() if m.text.startswith("Always") and m.type is MemoryType.OBSERVATION]
    assert sorted(observed) == sorted(rule.rstrip(".") for rule in RULES)
