"""What the doctor says of agents' own files: approvals, commands, scopes, quoting."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from doctor_world import World

from agent_memory.doctor.checks.trust import approvals
from agent_memory.doctor.registry import checks


def approve(world: World, hooks: Path, *left_out: str) -> None:
    """As Codex notes it when a person trusts what it shows."""
    lines = [f'\n[hooks.state."{hooks}:{place}"]\ntrusted_hash = "sha256:{"0" * 64}"\n' for place in approvals(hooks)
             if not place.startswith(left_out or ("-",))]
    with (hooks.parent / "config.toml").open("a") as file:
        file.write("".join(lines))


@pytest.fixture
def codex(world: World) -> World:
    world.install("codex")
    return world


def test_approvals_are_named_as_codex_names_them(codex: World) -> None:
    hooks = codex.user / ".codex" / "hooks.json"
    assert approvals(hooks) == ["session_start:0:0", "pre_compact:0:0", "stop:0:0", "session_end:0:0"]
    data = json.loads(hooks.read_text())
    data["hooks"]["Stop"].insert(0, {"hooks": [{"type": "command", "command": "say done"}]})
    hooks.write_text(json.dumps(data))
    assert "stop:1:0" in approvals(hooks)


def test_approved_hooks_are_well(codex: World) -> None:
    approve(codex, codex.user / ".codex" / "hooks.json")
    assert codex.codes("hooks") == {"hooks-ok"}


def test_one_hook_that_is_not_approved_is_named(codex: World) -> None:
    approve(codex, codex.user / ".codex" / "hooks.json", "session_start")
    (finding,) = codex.found("hooks")
    assert (finding.status, finding.code, finding.agent) == ("warning", "hooks-untrusted", "codex")
    assert "(session_start)" in finding.what


def test_without_approval_and_with_a_foreign_notify_nothing_is_captured(codex: World) -> None:
    (codex.user / ".codex" / "config.toml").write_text('notify = ["say", "done"]\n')
    status = {f.code: f.status for f in codex.found("hooks")}
    assert status["hooks-untrusted"] == "error"
    assert status["hooks-lost"] == "error"


def test_entry_that_moved_needs_a_new_approval(codex: World) -> None:
    hooks = codex.user / ".codex" / "hooks.json"
    approve(codex, hooks)
    data = json.loads(hooks.read_text())
    data["hooks"]["Stop"].insert(0, {"hooks": [{"type": "command", "command": "say done"}]})
    hooks.write_text(json.dumps(data))
    untrusted = [f for f in codex.found("hooks") if f.code == "hooks-untrusted"]
    assert "(stop)" in untrusted[0].what


def test_folder_that_the_environment_names_is_looked_at(world: World, tmp_path: Path) -> None:
    world.env["CLAUDE_CONFIG_DIR"] = str(tmp_path / "elsewhere é")
    (tmp_path / "elsewhere é").mkdir()
    world.install("claude")
    (finding,) = (f for f in world.found("hooks") if f.agent == "claude")
    assert finding.code == "hooks-ok"
    assert "elsewhere é" in finding.what


def test_program_with_space_quote_and_foreign_letter_is_asked(world: World) -> None:
    world.program = world.root / "Zoë's pro grams" / "agent-utilities-memory"
    world.install("claude")
    assert world.codes("hooks") == {"hooks-ok"}
    world.program.write_text("#!/bin/sh\nexit 3\n")
    assert world.codes("hooks") == {"command-fails"}


def test_program_that_hooks_call_is_asked_not_the_one_that_looks(world: World) -> None:
    world.install("claude")
    world.program.unlink()
    world.program = world.command(path=world.root / "other" / "agent-utilities-memory")
    assert world.codes("hooks") == {"hooks-outdated", "command-missing"}


def test_foreign_program_named_like_ours_is_not_taken_for_it(world: World) -> None:
    world.install("claude")
    world.command("something else 1.0")
    assert world.codes("hooks") == {"command-fails"}


def test_project_files_of_the_receipts_are_looked_at_too(world: World) -> None:
    from agent_memory.install import apply, plan

    project = world.root / "shop"
    project.mkdir()
    world.install("claude")
    apply.apply(world.home, plan.install(world.home, replace(world.machine, project=project), ("claude",)))
    assert world.codes("hooks") == {"hooks-ok"}
    shutil.rmtree(project)
    (finding,) = world.found("hooks")
    assert (finding.code, "shop" in finding.what) == ("hooks-lost", True)


def test_uninstalled_agents_are_not_missed(world: World) -> None:
    from agent_memory.install import apply, plan

    world.install("claude")
    apply.apply(world.home, plan.uninstall(world.home, world.machine))
    assert "hooks-lost" not in world.codes("hooks")


def test_a_server_that_is_gone_is_told_and_one_that_nobody_asked_for_is_not_missed(world: World) -> None:
    from agent_memory.install import apply, plan

    world.install("claude")
    assert world.codes("hooks") == {"hooks-ok"}
    apply.apply(world.home, plan.install(world.home, world.machine, ("claude",), server=True))
    assert world.codes("hooks") == {"hooks-ok"}
    (world.user / ".claude.json").write_text("{}")
    (finding,) = (f for f in world.found("hooks") if f.code != "hooks-ok")
    assert (finding.status, finding.code, "--mcp" in finding.fix) == ("warning", "hooks-lost", True)
    world.install("claude")
    assert world.codes("hooks") == {"hooks-ok"}


def test_checks_tell_only_codes_of_their_own() -> None:
    everything = [code for check in checks().values() for code in check.CODES]
    assert len(everything) == len(set(everything))
