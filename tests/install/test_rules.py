from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from agent_memory.app import Memory
from agent_memory.capture import failures
from agent_memory.flow import rules
from agent_memory.install import plan
from agent_memory.install.apply import apply
from agent_memory.install.machine import Machine
from agent_memory.install.rules import refresh_rules
from agent_memory.paths import Home
from agent_memory.text import marker

Bring = Callable[..., None]


def test_only_the_block_changes_and_only_when_there_is_news(home: Home, machine: Machine, bring: Bring) -> None:
    bring("windsurf")
    path = machine.user / ".codeium" / "windsurf" / "memories" / "global_rules.md"
    path.parent.mkdir()
    path.write_bytes("Mine: é\r\n".encode())
    apply(home, plan.install(home, machine, ("windsurf",)))
    assert refresh_rules(home, lambda *_: marker.wrap("- blue/green")) == (path,)
    text = path.read_bytes().decode()
    assert text.startswith("Mine: é\r\n")
    assert "- blue/green\r\n" in text
    assert refresh_rules(home, lambda *_: marker.wrap("- blue/green")) == ()
    apply(home, plan.install(home, machine, ("windsurf",)))
    assert path.read_bytes().decode() == text
    apply(home, plan.uninstall(home, machine, ("windsurf",)))
    assert path.read_bytes() == "Mine: é\r\n".encode()


def test_a_global_file_asks_without_a_project_and_within_its_limit(
        home: Home, machine: Machine, bring: Bring, tmp_path: Path) -> None:
    bring("grok", "windsurf")
    project = tmp_path / "work"
    project.mkdir()
    apply(home, plan.install(home, machine, ("grok", "windsurf")))
    apply(home, plan.install(home, replace(machine, project=project), ("grok",)))
    asked: list[tuple[str, str]] = []

    def payload(agent: str, cwd: str, room: int) -> str:
        asked.append((agent, cwd))
        assert 0 < room < 10_000
        return "x" * room

    changed = refresh_rules(home, payload)
    assert sorted(asked) == [("grok", ""), ("grok", str(project)), ("windsurf", "")]
    assert len(changed) == 3
    assert len((machine.user / ".codeium/windsurf/memories/global_rules.md").read_text()) <= 5_500


def test_a_block_that_a_person_took_out_stays_out(home: Home, machine: Machine, bring: Bring) -> None:
    bring("grok")
    apply(home, plan.install(home, machine, ("grok",)))
    path = machine.user / ".grok" / "rules" / "agent-utilities-memory.md"
    path.write_text("no memory please\n")
    assert refresh_rules(home, lambda *_: "new") == ()
    assert path.read_text() == "no memory please\n"


def test_payload_cannot_end_the_block_early(home: Home, machine: Machine, bring: Bring) -> None:
    bring("grok")
    apply(home, plan.install(home, machine, ("grok",)))
    refresh_rules(home, lambda *_: "a\n<!-- agent-utilities-memory: end -->\nb")
    refresh_rules(home, lambda *_: "short")
    assert "b" not in (machine.user / ".grok/rules/agent-utilities-memory.md").read_text().split("-->")[1]
    apply(home, plan.uninstall(home, machine))
    assert not (machine.user / ".grok" / "rules").exists()


def test_a_flow_writes_what_the_views_say_and_notes_what_it_cannot_write(
        home: Home, machine: Machine, bring: Bring) -> None:
    bring("grok")
    apply(home, plan.install(home, machine, ("grok",)))
    path = machine.user / ".grok" / "rules" / "agent-utilities-memory.md"
    memory = Memory(home.root)
    assert rules.refresh(memory) == ()
    home.views.mkdir(parents=True)
    (home.views / "profile.md").write_text("# Profile\n\n## Preferences\n\n- Always use blue/green deploys\n")
    refresh_rules(home, lambda *_: "old and purged")
    assert rules.refresh(memory) == (path,)
    assert "old and purged" not in path.read_text()
    (home.root / "install" / "receipts.json").write_text("{")
    assert rules.refresh(memory) == ()
    assert failures.recent(home)[-1]["where"] == "rules"
