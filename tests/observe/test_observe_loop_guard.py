"""Memory that comes back in a transcript is not learned again: five sessions, the real payload, the number stays flat."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

from agent_memory.capture.ingest import ingest_file
from agent_memory.materialize.writer import materialize
from agent_memory.observe.pipeline import observe_session
from agent_memory.observe.rules.observer import RulesObserver
from agent_memory.paths import Home
from agent_memory.recall import context
from agent_memory.store.base import MemoryFilter
from agent_memory.store.open import Store

FIRST = [
    ("user", "The tide table is off by an hour since March. Find out why."),
    ("assistant", "tides.py adds a fixed offset of one hour to UTC, so every high tide is late in summer."),
    ("user", "Never hard-code offsets, always use zoneinfo. Heights stay integer centimetres, not floats."),
    ("assistant", "Done. Open: the harbour of Vik still uses the old table."),
]


def transcript(path: Path, number: int, at: datetime, said: list[tuple[str, str]], payload: str) -> Path:
    """A session of Claude Code whose start hook put the payload in, and whose agent asked for memory."""
    base = {"sessionId": f"00000000-0000-4000-8000-{number:012d}", "cwd": "/work/tides", "version": "2.1.332", "isSidechain": False, "userType": "external"}
    lines: list[dict[str, object]] = []

    def add(kind: str, **more: object) -> None:
        moment = (at + timedelta(seconds=len(lines))).strftime("%Y-%m-%dT%H:%M:%S.000Z")
        lines.append({**base, "type": kind, "uuid": f"{number:08d}-0000-4000-8000-{len(lines):012d}", "timestamp": moment, **more})

    def says(role: str, content: object, **more: object) -> None:
        add(role, message={"role": role, "content": content, **({"model": "m", "id": f"msg_{number}_{len(lines)}"} if role == "assistant" else {})}, **more)

    if payload:
        add("attachment", attachment={"type": "hook_additional_context", "content": [payload], "hookName": "SessionStart", "hookEvent": "SessionStart"})
        says("user", f"<system-reminder>\nSessionStart hook additional context: {payload}\n</system-reminder>", isMeta=True)
        says("assistant", [{"type": "tool_use", "id": f"toolu_{number}", "name": "Bash", "input": {"command": "agent-utilities-memory recall offsets"}}])
        says("user", [{"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": payload}], toolUseResult={"stdout": payload})
        says("user", f"here is what your memory says:\n{payload}\ngo on", origin={"kind": "human"})
        says("assistant", [{"type": "text", "text": "From memory: tides.py adds a fixed offset of one hour to UTC, so every high tide is late in summer. Offsets are never hard-coded, always zoneinfo."}])
    for role, text in said:
        says(role, text if role == "user" else [{"type": "text", "text": text}], **({"origin": {"kind": "human"}} if role == "user" else {}))
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_memories_stay_flat_over_five_sessions_with_the_payload_in_the_transcript(home: Home, tmp_path: Path, now: datetime) -> None:
    store = Store(home)
    counts: list[int] = []
    for number in range(1, 6):
        at = now - timedelta(days=6 - number)
        payload = context.build(home, agent="claude", cwd="/work/tides", now=at).text if number > 1 else ""
        if number > 1:
            assert "zoneinfo" in payload
        said = FIRST if number == 1 else [("user", "thanks, all fine"), ("assistant", "You're welcome.")]
        file = transcript(tmp_path / f"{number}.jsonl", number, at, said, payload)
        for session in ingest_file(store, "claude", file, now=at).sessions:
            observe_session(store, session, RulesObserver(), now=at)
        materialize(store, now=at)
        with store.read() as graph:
            found = graph.memories(MemoryFilter())
            counts.append(len(found))
            assert {m.seen for m in found} == {1}
    assert counts[0] >= 3
    assert counts == [counts[0]] * 5
