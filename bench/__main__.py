"""Speed and size beside their baselines, in one run: ``make bench`` or ``python -m bench [--sizes 1000 10000 100000]``.

Each row has a target (docs/explanation/numbers.md). The baseline of a start is ``python -c pass`` on the same machine,
measured in turn with it, so that a busy machine slows both.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from agent_memory.app import Memory
from agent_memory.service.slot import Slot
from bench import notes, world

SCRIPT = Path(sys.executable).with_name("agent-utilities-memory")
COMMAND = [str(SCRIPT)] if SCRIPT.exists() else [sys.executable, "-m", "agent_memory"]
BARE = [sys.executable, "-c", "pass"]
QUERIES = ("bacorden rosver", "why did flimor fail", "trista undwolzet hum", "jetkol", "what was decided about natpel")


@dataclass(frozen=True, slots=True)
class Row:
    """One measurement: what, at which size, the value, its baseline, and the target in words."""

    what: str
    size: str
    value: str
    baseline: str
    target: str
    met: bool | None


def beside(command: Sequence[str], runs: int, env: dict[str, str], stdin: bytes = b"") -> tuple[float, float]:
    """Median wall milliseconds of a command and of a bare interpreter, run in turn."""
    ours, bare = [], []
    for _ in range(runs):
        for target, words in ((bare, BARE), (ours, list(command))):
            start = time.perf_counter()
            subprocess.run(words, input=stdin, env=env, check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            target.append((time.perf_counter() - start) * 1e3)
    return statistics.median(ours), statistics.median(bare)


def start(what: str, size: int, command: Sequence[str], limit: int, runs: int, env: dict[str, str],
          stdin: bytes = b"") -> Row:
    """A row for a process, as a multiple of a bare interpreter."""
    ours, bare = beside(command, runs, env, stdin)
    return Row(what, f"{size:,}", f"{ours:.0f} ms = {ours / bare:.1f} ×", f"{bare:.0f} ms", f"≤ {limit} ×",
               ours / bare <= limit)


def percentile(run: Callable[[int], object], times: int) -> tuple[float, float]:
    """p50 and p95 in milliseconds."""
    taken = []
    for number in range(times):
        begun = time.perf_counter()
        run(number)
        taken.append((time.perf_counter() - begun) * 1e3)
    taken.sort()
    return statistics.median(taken), taken[int(len(taken) * 0.95)]


def of_size(root: Path, size: int, runs: int) -> list[Row]:
    """All rows of one home."""
    begun = time.perf_counter()
    store = world.build(root, size)
    built = time.perf_counter() - begun
    memory = Memory(root, now=lambda: world.NOW)
    memory.materialize()
    env = {**os.environ, "AGENT_MEMORY_HOME": str(root), "AGENT_MEMORY_NOW": world.NOW.isoformat()}
    payload = json.dumps({"session_id": "s", "transcript_path": "/nonexistent", "cwd": world.FOLDER}).encode()
    rows = []
    with Slot(store.home):
        rows.append(start("hook (capture), wall time", size, [*COMMAND, "hook", "checkpoint", "--agent", "claude"], 5,
                          runs, env, payload))
    for item in store.home.inbox.glob("*.json"):
        item.unlink()
    rows.append(start("context, wall time", size,
                      [*COMMAND, "context", "--for", "codex", "--cwd", world.FOLDER, "--task", QUERIES[0]], 10, runs,
                      env))
    rows.append(start("recall, cold process", size,
                      [*COMMAND, "recall", "--query", QUERIES[1], "--project", "bench", "--json"], 20, runs, env))
    p50, p95 = percentile(lambda n: memory.recall(QUERIES[n % len(QUERIES)], project="bench"), 40)
    rows.append(Row("recall, in process, p95", f"{size:,}", f"{p95:.0f} ms (p50 {p50:.0f})", "-", "≤ 60 ms", p95 <= 60))
    rows += _unchanged(memory, size)
    rows += _disk(memory, size)
    rows.append(Row("journal, graph and search file built", f"{size:,}", f"{built:.1f} s", "-", "-", None))
    return rows


def _unchanged(memory: Memory, size: int) -> list[Row]:
    def state() -> dict[Path, int]:
        return {f: f.stat().st_mtime_ns for f in memory.home.views.rglob("*") if f.is_file()}

    before, position = state(), memory.store.position()
    begun = time.perf_counter()
    memory.materialize()
    taken = time.perf_counter() - begun
    touched = sum(1 for f, at in state().items() if before.get(f) != at)
    written = memory.store.position() - position
    return [Row("materialize without a change", f"{size:,}", f"{touched} files touched, {written} batches, "
                f"{taken * 1e3:.0f} ms", "-", "no write, no file touched", not (touched or written))]


def _disk(memory: Memory, size: int) -> list[Row]:
    report = memory.compact()
    total = sum(report.after.values())
    return [Row("disk after compact", f"{size:,}", f"{total / 1e6:.1f} MB = {total / report.text:.1f} × text",
                f"{report.text / 1e6:.1f} MB text", "≤ 12 ×", total <= 12 * report.text)]


def observing(folder: Path, megabytes: int) -> list[Row]:
    """Reading and observing a transcript of which nine tenths are records that are dropped."""
    from bench import capture

    path = folder / "long.jsonl"
    kept = 0
    with path.open("wb") as file:
        for line in capture.lines(megabytes * 1_000_000):
            file.write(line)
            kept += len(line) if b'"api-request' not in line[:40] else 0
    begun = time.perf_counter()
    size = len(path.read_bytes())
    plain = time.perf_counter() - begun
    memory = Memory(folder / "home", now=lambda: world.NOW)
    begun = time.perf_counter()
    memory.observe_file("claude", path)
    taken = time.perf_counter() - begun
    raw, said = size / taken / 1e6, kept / taken / 1e6
    return [Row("observe without a model, raw", f"{megabytes} MB", f"{raw:.1f} MB/s", f"read: {size / plain / 1e6:.0f} MB/s",
                "≥ 20 MB/s", raw >= 20),
            Row("observe without a model, kept", f"{kept / 1e6:.0f} MB", f"{said:.1f} MB/s", "-", "≥ 2 MB/s", said >= 2)]


def storing(folder: Path, count: int) -> list[Row]:
    """Notes saved one by one, beside the engine's own durable insert."""
    found = notes.measure(folder, count)
    insert = statistics.median(found.engine) * 1e3
    return [Row("store a note, everything applied", f"{count:,}", f"{found.per_note * 1e3:.2f} ms = {found.ratio:.1f} ×",
                f"the engine's durable insert: {insert:.2f} ms", "< 5 ×", found.ratio < 5),
            Row("store a note, last third beside the first", f"{count:,}", f"{found.growth:.2f} ×", "-", "≤ 1.5 ×",
                found.growth <= 1.5)]


def resident() -> Row:
    """Processes of ours that are left when nothing happens."""
    import psutil

    own = os.getpid()
    ours = [p for p in psutil.process_iter(["pid", "cmdline"])
            if p.info["pid"] != own and "agent_memory" in (p.info["cmdline"] or []) and "worker" in p.info["cmdline"]]
    return Row("resident processes when idle", "-", str(len(ours)), "-", "0", not ours)


def show(rows: Sequence[Row]) -> None:
    """The table."""
    cells = [("what", "observations", "measured", "baseline", "target", "met")]
    met = {True: "yes", False: "NO", None: ""}
    cells += [(r.what, r.size, r.value, r.baseline, r.target, met[r.met]) for r in rows]
    widths = [max(len(c[i]) for c in cells) for i in range(6)]
    for row in cells:
        print("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip())


PAGE = Path(__file__).resolve().parent.parent / "docs" / "explanation" / "numbers.md"
_MARK = "<!-- the table below is written by: python -m bench --page -->"


def write_page(rows: Sequence[Row]) -> None:
    """Put the table into the page of numbers, below its mark."""
    head = PAGE.read_text(encoding="utf-8").partition(_MARK)[0]
    met = {True: "yes", False: "**no**", None: ""}
    table = ["| what | observations | measured | baseline | target | met |", "| --- | --- | --- | --- | --- | --- |"]
    table += [f"| {r.what} | {r.size} | {r.value} | {r.baseline} | {r.target} | {met[r.met]} |" for r in rows]
    PAGE.write_text(f"{head}{_MARK}\n\n" + "\n".join(table) + "\n", encoding="utf-8", newline="\n")


def main() -> None:
    """Measure and print; ``--json`` also writes the rows to a file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--page", action="store_true", help="also write the table into docs/explanation/numbers.md")
    args = parser.parse_args()
    rows: list[Row] = []
    for size in args.sizes:
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            rows += of_size(Path(folder) / "home", size, args.runs)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        rows += observing(Path(folder), 40)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        rows += storing(Path(folder), 10_000)
    rows.append(resident())
    rows.append(Row("memory of this process at its highest", "-",
                    f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB", "-", "-", None))
    show(rows)
    if args.page:
        write_page(rows)
    if args.json:
        args.json.write_text(json.dumps([asdict(r) for r in rows], indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
