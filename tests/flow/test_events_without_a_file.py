from __future__ import annotations

from pathlib import Path

import pytest

from agent_memory.flow.drain import transcripts
from agent_memory.model.event import HookEvent

THREAD = "01a22e65-7f88-7233-b43e-2dd3d7c8a2d9"


@pytest.fixture
def rollout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path))
    folder = tmp_path / "sessions" / "2026" / "11" / "30"
    folder.mkdir(parents=True)
    (folder / "rollout-2026-11-30T21-38-53-01a22e65-0000-7233-b43e-000000000000.jsonl").write_text("{}\n")
    path = folder / f"rollout-2026-11-30T21-38-53-{THREAD}.jsonl"
    path.write_text("{}\n")
    return path


def event(session: str, kind: str = "notify") -> HookEvent:
    return HookEvent(event=kind, agent="codex", session=session, transcript="", cwd="/w", at="2026-11-30T21:38:53Z")


def test_codex_notify_finds_the_rollout_of_its_thread(rollout: Path) -> None:
    assert transcripts(event(THREAD)) == [rollout]


@pytest.mark.parametrize("session", ["", "01a", "99999999-7f88-7233-b43e-2dd3d7c8a2d9"])
def test_an_unknown_thread_is_no_error_and_reads_nothing(rollout: Path, session: str) -> None:
    assert transcripts(event(session)) == []


def test_a_start_reads_nothing(rollout: Path) -> None:
    assert transcripts(event(THREAD, "session-start")) == []
