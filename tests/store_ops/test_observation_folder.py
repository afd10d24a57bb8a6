"""A folder of observational-memory comes in once, with marks, days and lines, and stays as it was."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent_memory.app import Memory
from agent_memory.errors import NotFoundError, UsageError
from agent_memory.model.memory import Kind, MemoryNode, MemoryType, Priority, Scope
from agent_memory.store.base import MemoryFilter
from agent_memory.text.marker import wrap

NOW = datetime(2026, 11, 18, 12, tzinfo=UTC)
OBSERVATIONS = """# Observations

## 2026-02-10

### Current Context
- **Active task:** the shop

- 🔴 14:05 User stated that the shop runs on PostgreSQL
  - 🟡 (9:30) Agent moved the cache to Redis
- 🟢 key is ghp_0123456789abcdefghijABCDEFGHIJ012345
- 🟡 <private>the code name
- 🟡 Falcon</private>
```
- 🔴 inside code
```
"""
REFLECTIONS = "Date: 2026-02-11\n* 🟡 The team deploys on Fridays\n* 🔴 User stated that the shop runs on PostgreSQL.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "om"
    place.mkdir()
    (place / "observations.md").write_text(OBSERVATIONS, encoding="utf-8")
    (place / "reflections.md").write_text(REFLECTIONS, encoding="utf-8")
    return place


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "home", now=lambda: NOW)


def take(memory: Memory, folder: Path, *, dry_run: bool = False) -> int:
    return memory.import_(folder, fmt="observational-memory", dry_run=dry_run).added


def stored(memory: Memory) -> dict[str, MemoryNode]:
    with memory.store.read() as graph:
        return {m.text: m for m in graph.memories(MemoryFilter(all_revisions=True))}


def test_marked_bullets_come_in_with_priority_time_and_line(memory: Memory, folder: Path) -> None:
    assert take(memory, folder) == 4
    found = stored(memory)
    red = found["User stated that the shop runs on PostgreSQL"]
    assert (red.priority, red.created_at, red.line) == (Priority.RED, datetime(2026, 2, 10, 14, 5, tzinfo=UTC), 8)
    assert (red.kind, red.scope, red.observer) == (Kind.FACT, Scope.PERSONAL, "observational-memory")
    assert red.file == str(folder / "observations.md")
    nested = found["Agent moved the cache to Redis"]
    assert (nested.priority, nested.created_at.hour, nested.created_at.minute) == (Priority.YELLOW, 9, 30)
    reflected = found["The team deploys on Fridays"]
    assert (reflected.type, reflected.created_at) == (MemoryType.REFLECTION, datetime(2026, 2, 11, tzinfo=UTC))


def test_secrets_private_spans_and_code_stay_out(memory: Memory, folder: Path) -> None:
    take(memory, folder)
    told = "\n".join(stored(memory))
    assert "key is" in told
    for hidden in ("ghp_", "code name", "Falcon", "inside code", "Active task"):
        assert hidden not in told


def test_a_second_run_adds_nothing_and_the_folder_is_untouched(memory: Memory, folder: Path) -> None:
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    take(memory, folder)
    first = stored(memory)
    assert take(memory, folder) == 0
    assert stored(memory) == first
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before


def test_a_dry_run_counts_and_stores_nothing(memory: Memory, folder: Path) -> None:
    assert take(memory, folder, dry_run=True) == 4
    assert stored(memory) == {}


def test_our_own_payload_in_the_folder_is_not_learned(memory: Memory, folder: Path) -> None:
    (folder / "active.md").write_text(wrap("- 🔴 recalled before") + "\n- 🔴 said here\n", encoding="utf-8")
    take(memory, folder)
    found = stored(memory)
    assert "recalled before" not in "\n".join(found)
    assert found["said here"].line == 0


def test_a_file_that_is_not_utf8_is_named_and_the_rest_comes_in(memory: Memory, folder: Path) -> None:
    (folder / "observations.md").write_bytes(b"- \xff\n")
    report = memory.import_(folder, fmt="observational-memory")
    assert [r.reason for r in report.refused] == ["observations.md: not UTF-8 at byte 2"]
    assert report.added == 2


def test_a_missing_or_foreign_folder_is_said(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no such folder"):
        take(memory, tmp_path / "none")
    (tmp_path / "other").mkdir()
    with pytest.raises(UsageError, match="no file of observational-memory"):
        take(memory, tmp_path / "other")
