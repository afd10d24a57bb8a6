"""Notes that no longer stand: judged superseded, purged. No read path shows them."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from agent_memory import Memory
from agent_memory.errors import UsageError
from agent_memory.forget.selection import Selection
from agent_memory.mcp.server import MemoryServer
from agent_memory.paths import Home
from agent_memory.service.served import ServedMemory

LOSER, WINNER = "The zebra API listens on port 5432", "The zebra API listens on port 5433"


@pytest.fixture
def shop(tmp_path: Path) -> str:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    return str(tmp_path / "shop")


def _tool(name: str, **given: object) -> Callable[[Memory, str], str]:
    def ask(memory: Memory, cwd: str) -> str:
        server = MemoryServer(ServedMemory(memory.home.root, now=memory.now), profile_name="full", folder=cwd)
        found, good = server.call(server.tools[name], dict(given))
        assert good, found
        return json.dumps(found, ensure_ascii=False)
    return ask


def _resources(memory: Memory, cwd: str) -> str:
    from agent_memory.mcp import resources

    served = ServedMemory(memory.home.root, now=memory.now)
    return "".join(resources.read(served, resources.SCHEME + name, cwd) for name in resources.VIEWS)


READ_PATHS: dict[str, Callable[[Memory, str], str]] = {
    "recall": lambda m, cwd: str(m.recall("zebra API port", cwd=cwd)),
    "context": lambda m, cwd: m.context(cwd=cwd).text,
    "context for a task": lambda m, cwd: m.context(cwd=cwd, task="zebra API port").text,
    "views": lambda m, cwd: "".join(p.read_text(encoding="utf-8") for p in m.home.views.rglob("*.md")),
    "timeline": lambda m, cwd: str(m.timeline(cwd=cwd)),
    "project context": lambda m, cwd: str(m.project_context(cwd=cwd)),
    "review": lambda m, cwd: str(m.review(cwd=cwd)),
    "conflicts": lambda m, cwd: str(m.conflicts(cwd=cwd)),
    "scan": lambda m, cwd: str(m.scan_conflicts(cwd=cwd, dry_run=True)),
    "MCP recall": _tool("recall", query="zebra API port"),
    "MCP context": _tool("context"),
    "MCP timeline": _tool("timeline"),
    "MCP conflicts": _tool("conflicts"),
    "MCP project_context": _tool("project_context"),
    "MCP resources": _resources,
}
SHOWS_WHAT_STANDS = {"recall", "context", "context for a task", "views", "MCP recall", "MCP context", "MCP resources"}


@pytest.mark.parametrize("path", READ_PATHS)
def test_a_judged_supersedes_retires_the_loser_on_every_read_path(path: str, home: Home, now: datetime, shop: str) -> None:
    memory = Memory(home.root, now=lambda: now)
    memory.store_note(LOSER, kind="fact", cwd=shop)
    memory.flush()
    new = memory.store_note(WINNER, kind="fact", cwd=shop)
    memory.materialize()
    read = READ_PATHS[path]
    if path in SHOWS_WHAT_STANDS:
        assert "5432" in read(memory, shop)
    pair, = memory.conflicts()
    memory.judge(pair.id, relation="supersedes", winner=new.id, reason="asked the owner")
    shown = read(memory, shop)
    assert "5432" not in shown
    assert "5433" in shown or path not in SHOWS_WHAT_STANDS


def test_purging_a_compressed_note_clears_its_raw_text_from_every_file(home: Home, now: datetime, shop: str) -> None:
    memory = Memory(home.root, now=lambda: now, memory_compression="ultra")
    raw = "In order to deploy, we basically always use the zebrafish pipeline for the very large machine"
    done = memory.store_note(raw, kind="decision", cwd=shop, operation_id="op-zebrafish-free")
    memory.store_note("Orders live in SQLite", cwd=shop)
    memory.materialize()
    memory.backup_create()
    node = memory.find_memory(done.id)
    assert node.raw == raw != node.text
    report = memory.purge(memory.plan_purge(Selection(ids=(done.id,))))
    assert report.proved
    assert report.remaining == ()
    holding = [file for file in home.root.rglob("*") if file.is_file()
               and any(word in file.read_bytes() for word in (b"basically", b"zebrafish pipeline"))]
    assert holding == []
    assert memory.recall("SQLite", cwd=shop)


@pytest.mark.parametrize("said", ["raw", "shortened", "shouted", "with more around it"])
def test_a_purged_text_is_not_stored_again_and_says_so(said: str, home: Home, now: datetime) -> None:
    memory = Memory(home.root, now=lambda: now, memory_compression="ultra")
    raw = "In order to deploy, we basically always use the zebrafish pipeline for the very large machine"
    done = memory.store_note(raw, kind="decision")
    shortened = memory.find_memory(done.id).text
    memory.purge(memory.plan_purge(Selection(ids=(done.id,))))
    position = memory.store.position()
    text = {"raw": raw, "shortened": shortened, "shouted": f"  {raw.upper()}. ",
            "with more around it": f"Two things.\n{raw}.\nAnd lunch."}[said]
    with pytest.raises(UsageError, match="purged") as refused:
        memory.store_note(text)
    assert "Nothing was stored" in refused.value.hint
    with pytest.raises(UsageError, match="purged"):
        memory.save_prompt(text)
    assert memory.capture_text(f"## Decisions\n- {text.splitlines()[0] if said != 'with more around it' else raw}").stored == ()
    assert memory.store.position() == position
