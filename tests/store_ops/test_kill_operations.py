"""kill -9 at any moment of backup, compact, purge, restore and rebuild: the home opens and nothing stored is lost."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
import store_sample as sample

from agent_memory.paths import Home
from agent_memory.store import backup, proof
from agent_memory.store.lease import lease
from agent_memory.store.open import Store
from agent_memory.store.rebuild import rebuild
from agent_memory.store.verify import verify

NOW = sample.AT + timedelta(days=10)
SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import store_sample as sample
from datetime import timedelta
from agent_memory.paths import Home
from agent_memory.store import backup, compact, purge, purge_plan, rebuild, restore
from agent_memory.store.open import Store
home = Home(Path(sys.argv[2]))
store = Store(home)
now = sample.AT + timedelta(days=11, minutes=int(sys.argv[4]))
print("go", flush=True)
match sys.argv[3]:
    case "backup":
        backup.create(store, now=now)
    case "compact":
        compact.compact(store)
    case "rebuild":
        rebuild.rebuild(store)
    case "restore":
        restore.restore(store, "latest", now=now)
    case "purge":
        with store.read() as graph:
            plan = purge_plan.plan_purge(graph, [m for m in graph.memories() if m.text == sample.TEXTS[0]])
        purge.purge(store, plan, now=now)
print("done", flush=True)
"""


def run_and_kill(home: Home, what: str, after: float, number: int) -> bool:
    """Start an operation, kill it after some seconds; True if it was through by then."""
    process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(Path(sample.__file__).parent), str(home.root), what,
                                str(number)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"go\n"
    try:
        out, err = process.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
    assert process.returncode in (0, -signal.SIGKILL), err.decode()
    return out == b"done\n"


def check(home: Home, *, purging: bool) -> None:
    with lease(home.lease, exclusive=False, wait=30):
        pass
    store = Store(home)
    for finding in verify(store).findings:
        assert finding.harmless or finding.code in ("purge-unfinished", "exchange-unfinished", "graph-differs",
                                                    "graph-behind", "search-missing", "search-rows", "graph-missing",
                                                    "search-differs", "search-behind"), finding
        assert finding.next_step
    with store.read() as graph:
        texts = sample.texts(graph)
    assert {sample.TEXTS[2], "Use pnpm 9 in the oven folder."} <= texts
    if not purging:
        assert sample.TEXTS[0] in texts
    if [f for f in verify(store).findings if not f.harmless]:
        rebuild(store)
    assert [f for f in verify(store).findings if not f.harmless] == []
    assert all(b.manifest is not None for b in backup.entries(home))


def rounds(home: Home, seed: int, count: int, operations: tuple[str, ...], engine: str = "kuzu") -> None:
    chance = random.Random(seed)
    backup.create(sample.fill(home, engine), now=NOW)
    for number in range(count):
        what = operations[number % len(operations)]
        run_and_kill(home, what, chance.uniform(0.05, 1.6), number)
        check(home, purging="purge" in operations)


def test_killed_operations_lose_nothing(home: Home) -> None:
    rounds(home, 1, 4, ("restore", "backup", "compact", "rebuild"))


def test_killed_purges_end_with_nothing_left(home: Home) -> None:
    rounds(home, 2, 2, ("purge",), "memory")
    while not run_and_kill(home, "purge", 60, 9):
        pass
    with Store(home).read() as graph:
        assert sample.TEXTS[0] not in sample.texts(graph)
    assert proof.search(home.root, [sample.TEXTS[0]]) == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(25))
def test_killed_operations_lose_nothing_soak(home: Home, seed: int) -> None:
    rounds(home, 100 + seed, 8, ("restore", "backup", "compact", "rebuild", "purge"))
