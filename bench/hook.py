"""Measure hooks beside a bare interpreter, interleaved in one run: ``python bench/hook.py [runs]``.

Wall time is what a host waits; processor time tells more on a busy machine. The slot of the worker is held meanwhile,
so that only the hook itself is measured.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from agent_memory.paths import Home
from agent_memory.service.slot import Slot

PAYLOAD = json.dumps({"session_id": "s", "transcript_path": "/nonexistent", "cwd": "/"}).encode()


def once(command: list[str], env: dict[str, str]) -> tuple[float, float]:
    """Wall and processor milliseconds of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(command, input=PAYLOAD, env=env, stdout=subprocess.DEVNULL, check=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall * 1e3, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1e3


def main() -> None:
    """Print medians and their ratio to the baseline."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    python = sys.executable
    script = Path(python).with_name("agent-utilities-memory")  # what installers write into an agent's settings
    ours = [str(script)] if script.exists() else [python, "-m", "agent_memory"]
    commands = {
        "baseline: python -c pass": [python, "-c", "pass"],
        "hook checkpoint": [*ours, "hook", "checkpoint", "--agent", "claude"],
        "hook session-start": [*ours, "hook", "session-start", "--agent", "claude"],
    }
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        env = {**os.environ, "AGENT_MEMORY_HOME": str(home.root)}
        times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        with Slot(home):
            for _ in range(runs):
                for name, command in commands.items():
                    times[name].append(once(command, env))
    base = next(iter(times.values()))
    for name, values in times.items():
        wall, cpu = (statistics.median(v[i] for v in values) for i in (0, 1))
        print(f"{name:26} {wall:7.1f} ms wall {wall / statistics.median(v[0] for v in base):5.1f} x   "
              f"{cpu:7.1f} ms cpu {cpu / statistics.median(v[1] for v in base):5.1f} x")


if __name__ == "__main__":
    main()
