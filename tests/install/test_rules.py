from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from agent_memory.install import plan
from agent_memory.install.apply import apply
from agent_memory.install.place import Place
from agent_memory.install.rules import refresh_rules
from agent_memory.paths import Home
from agent_memory.text import marker

Bring = Callable[..., None]


def test_only_the_block_changes_and_only_when_there_is_news(home: Home, place: Place, bring: Bring) -> None:
    bring("windsurf")
    path = place.user / ".codeium" / "windsurf" / "memories" / "global_rules.md"
    path.parent.mkdir()
    path.write_bytes("Mine: é\r\n".encode())
    apply(home, plan.install(home, place, ("windsurf",)))
    assert refresh_rules(home, lambda *_: marker.wrap("- blue/green")) == (path,)
    text = path.read_bytes().decode()
    assert text.startswith("Mine: é\r\n")
    assert "- blue/green\r\n" in text
    assert refresh_rules(home, lambda *_: marker.wrap("- blue/green")) == ()
    apply(home, plan.install(home, place, ("windsurf",)))
    assert path.read_bytes().decode() == text
    apply(home, plan.uninstall(home, place, ("windsurf",)))
    assert path.read_bytes() == "Mine: é\r\n".encode()


def test_a_global_file_asks_without_a_project_and_within_its_limit(
        home: Home, place: Place, bring: Bring, tmp_path: Path) -> None:
    bring("grok", "windsurf")
    project = tmp_path / "work"
    project.mkdir()
    apply(home, plan.install(home, place, ("grok", "windsurf")))
    apply(home, plan.install(home, replace(place, project=project), ("grok",)))
    asked: list[tuple[str, str]] = []

    def payload(agent: str, cwd: str, room: int) -> str:
        asked.append((agent, cwd))
        assert 0 < room < 10_000
        return "x" * room

    changed = refresh_rules(home, payload)
    assert sorted(asked) == [("grok", ""), ("grok", str(project)), ("windsurf", "")]
    assert len(changed) == 3
    assert len((place.user / ".codeium/windsurf/memories/global_rules.md").read_text()) <= 5_500


def test_a_block_that_a_person_took_out_stays_out(home: Home, place: Place, bring: Bring) -> None:
    bring("grok")
    apply(home, plan.install(home, place, ("grok",)))
    path = place.user / ".grok" / "rules" / "agent-utilities-memory.md"
    path.write_text("no memory please\n")
    assert refresh_rules(home, lambda *_: "new") == ()
    assert path.read_text() == "no memory please\n"


def test_payload_cannot_end_the_block_early(home: Home, place: Place, bring: Bring) -> None:
    bring("grok")
    apply(home, plan.install(home, place, ("grok",)))
    refresh_rules(home, lambda *_: "a\n<!-- agent-utilities-memory: end -->\nb")
    refresh_rules(home, lambda *_: "short")
    assert "b" not in (place.user / ".grok/rules/agent-utilities-memory.md").read_text().split("-->")[1]
    apply(home, plan.uninstall(home, place))
    assert not (place.user / ".grok" / "rules").exists()
