"""Measure reading of transcripts: megabytes a second and memory, beside a plain read of the same file.

``python bench/capture.py [megabytes]``. Nine tenths of the bytes are request dumps that are dropped, as in real files.
"""

from __future__ import annotations

import hashlib
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from agent_memory.capture.agents import claude
from agent_memory.capture.ingest import ingest_file
from agent_memory.model.transcript import Message, ToolEvent
from agent_memory.paths import Home
from agent_memory.store.open import Store

SESSION = "00000000-0000-4000-8000-0000000000aa"
NOW = datetime(2026, 11, 30, tzinfo=UTC)
TEXT = "the nightly import reads every row once and counts what it skips so that nobody has to guess later on"


def said(kind: str, uuid: str, content: object) -> dict[str, object]:
    """The part of a record that says who said what."""
    return {"type": kind, "uuid": uuid, "message": {"role": kind, "content": content}}


def peak() -> float:
    """Most megabytes of memory that this process took."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def lines(size: int) -> Iterator[bytes]:
    """A session of ``size`` bytes: a prompt, an answer, a tool call and its output, then a request dump."""
    written = number = 0
    dump = "x" * 36_000
    while written < size:
        number += 1
        at = f"2026-11-{1 + number // 3600 % 28:02d}T{number // 60 % 24:02d}:{number % 60:02d}:00.000Z"
        base = {"parentUuid": None, "isSidechain": False, "timestamp": at, "cwd": "/home/noor/bakery",
                "sessionId": SESSION, "gitBranch": "main"}
        text = f"step {number} {TEXT[number % 50:]} {TEXT} {TEXT}"
        call = {"type": "tool_use", "id": f"t{number}", "name": "Bash", "input": {"command": f"pytest tests/{number}"}}
        output = {"type": "tool_result", "tool_use_id": f"t{number}", "content": (text + "\n") * 4}
        records = [
            base | said("user", f"u{number}", text),
            base | said("assistant", f"a{number}", [{"type": "text", "text": text}]),
            base | said("assistant", f"c{number}", [call]),
            base | said("user", f"r{number}", [output]),
            {"type": "api-request-blob", "sessionId": SESSION, "message": {"role": "user", "content": dump}},
        ]
        for record in records:
            line = json.dumps(record).encode() + b"\n"
            written += len(line)
            yield line


def main() -> None:
    """Print rates of a plain read, of parsing, and of storing; then the most memory this process took."""
    size = int(sys.argv[1]) * 1_000_000 if len(sys.argv) > 1 else 60_000_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{SESSION}.jsonl"
        with path.open("wb") as file:
            file.writelines(lines(size))
        total = path.stat().st_size
        before = peak()
        start = time.perf_counter()
        with path.open("rb") as file:
            for line in file:
                hashlib.sha256(line)
        print(f"baseline: read and hash    {total / (time.perf_counter() - start) / 1e6:8.1f} MB/s")
        start = time.perf_counter()
        kept = text = 0
        for record in claude.read(path, None, now=NOW):
            if isinstance(record, Message | ToolEvent):
                kept += 1
                text += len(record.text if isinstance(record, Message) else record.output)
        seconds = time.perf_counter() - start
        kept_rate = text / seconds / 1e6
        print(f"parse                      {total / seconds / 1e6:8.1f} MB/s   {kept} records, {kept_rate:.1f} text")
        print(f"memory after parsing       {peak():8.0f} MB (before {before:.0f} MB)")
        if os.environ.get("BENCH_STORE", "1") == "1":
            store = Store(Home(Path(folder) / "home"))
            start = time.perf_counter()
            report = ingest_file(store, "claude", path, now=NOW)
            seconds = time.perf_counter() - start
            print(f"store (all the way)        {total / seconds / 1e6:8.1f} MB/s   {report.batches} batches")
            start = time.perf_counter()
            report = ingest_file(store, "claude", path, now=NOW)
            print(f"again                      {time.perf_counter() - start:8.2f} s      {report.outcome}")
            print(f"memory                     {peak():8.0f} MB")


if __name__ == "__main__":
    main()
