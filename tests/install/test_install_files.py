"""What install and uninstall do to the files of each agent."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import hook_templates
from agent_memory.errors import InstallError, UsageError
from agent_memory.install import plan, receipt, registry
from agent_memory.install.apply import Outcome, apply
from agent_memory.install.machine import Machine
from agent_memory.install.registry import AGENTS
from agent_memory.install.status import status
from agent_memory.paths import Home

Bring = Callable[..., None]


def put(home: Home, machine: Machine, *names: str) -> tuple[Outcome, ...]:
    return apply(home, plan.install(home, machine, names))


def take(home: Home, machine: Machine, *names: str) -> tuple[Outcome, ...]:
    return apply(home, plan.uninstall(home, machine, names))


def tree(folder: Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
            for path in sorted(folder.rglob("*"))}


@pytest.mark.parametrize("agent", AGENTS)
def test_golden_what_is_written(agent: str, home: Home, machine: Machine, bring: Bring) -> None:
    bring(agent)
    assert all(outcome.done for outcome in put(home, machine, agent))
    parts = []
    for target in AGENTS[agent].targets(machine):
        name = target.path.relative_to(machine.user if target.path.is_relative_to(machine.user) else home.root)
        if target.path.suffix == ".plugin":
            with zipfile.ZipFile(target.path) as archive:
                parts += [f"=== {name}!{part}\n{archive.read(part).decode()}" for part in archive.namelist()]
        else:
            parts.append(f"=== {name}\n{target.path.read_text(encoding='utf-8')}")
    golden = Path(__file__).parents[1] / "golden" / "install" / f"{agent}.txt"
    text = "".join(parts)
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("agent", AGENTS)
def test_install_then_uninstall_leaves_no_trace(agent: str, home: Home, machine: Machine, bring: Bring) -> None:
    bring(agent)
    before = tree(machine.user)
    assert all(outcome.done for outcome in put(home, machine, agent))
    assert all(outcome.done for outcome in take(home, machine, agent))
    assert tree(machine.user) == before
    assert receipt.load(home) == {}
    assert not any((receipt.folder(home) / "backups").glob("*")) or agent == "cowork"


@pytest.mark.parametrize("agent", AGENTS)
def test_installing_twice_equals_once(agent: str, home: Home, machine: Machine, bring: Bring) -> None:
    bring(agent)
    put(home, machine, agent)
    once = tree(machine.user), receipt.load(home)
    assert {outcome.step.action for outcome in put(home, machine, agent)} == {"keep"}
    assert (tree(machine.user), receipt.load(home)) == once


def test_an_agent_that_is_not_there_is_named_and_nothing_is_made_for_it(home: Home, machine: Machine, bring: Bring) -> None:
    bring("claude")
    made = plan.install(home, machine, ("claude", "codex"))
    assert made.absent == ("codex",)
    apply(home, made)
    assert not (machine.user / ".codex").exists()
    assert plan.install(home, machine).absent == tuple(name for name in AGENTS if name != "claude")


def test_an_agent_whose_sessions_cannot_be_read_is_named_and_gets_no_hooks(
        home: Home, machine: Machine, bring: Bring) -> None:
    bring("claude", "cowork")
    made = plan.install(home, machine, readable=("claude",))
    assert made.unread == ("cowork",)
    assert {step.agent for step in made.steps} == {"claude"}


def test_a_folder_that_antigravity_shares_does_not_make_gemini_present(home: Home, machine: Machine, bring: Bring) -> None:
    bring("antigravity")
    assert "gemini" in plan.install(home, machine).absent


def test_unknown_agents_are_an_error_and_dashes_are_fine() -> None:
    assert registry.chosen(["agent-terminal-ui", " Codex", "codex"]) == ("agent_terminal_ui", "codex")
    with pytest.raises(UsageError, match="'copilot'"):
        registry.chosen(["copilot"])


def test_foreign_hooks_stay_first_and_in_order(home: Home, machine: Machine, bring: Bring) -> None:
    bring("claude")
    path = machine.user / ".claude" / "settings.json"
    foreign = {event: [{"hooks": [{"type": "command", "command": f"{name} {event}"}]} for name in "abc"]
               for event in ("SessionStart", "Stop", "PreCompact", "SessionEnd")}
    path.write_text(json.dumps({"hooks": foreign, "big": 10 ** 40}, indent=4))
    put(home, machine, "claude")
    data = json.loads(path.read_text())
    assert data["big"] == 10 ** 40
    for event, groups in foreign.items():
        assert data["hooks"][event][:3] == groups
        assert len(data["hooks"][event]) == 4


@pytest.mark.parametrize(("agent", "name", "text"), [
    ("claude", "settings.json", '{"a": 1,\n "b" 2}'),
    ("claude", "settings.json", '{"hooks": {"Stop": {"not": "a list"}}}'),
    ("claude", "settings.json", '{"hooks": []}'),
    ("claude", "settings.json", '["a list"]'),
    ("codex", "hooks.json", "<<<<<<< HEAD\n{}"),
    ("codex", "config.toml", "notify = [\n"),
    ("hermes", "config.yaml", "a: [1\n"),
    ("hermes", "config.yaml", "--- 1\n--- 2\n"),
])
def test_a_file_that_cannot_be_changed_safely_is_left_alone_with_a_hint(
        agent: str, name: str, text: str, home: Home, machine: Machine, bring: Bring) -> None:
    bring(agent)
    path = AGENTS[agent].folder(machine) / name
    path.write_text(text)
    outcome, = (o for o in put(home, machine, agent) if o.step.path == path)
    assert not outcome.done
    assert outcome.problem
    assert outcome.hint
    assert path.read_text() == text
    take(home, machine, agent)
    assert path.read_text() == text


def test_a_file_that_is_not_utf8_is_left_alone(home: Home, machine: Machine, bring: Bring) -> None:
    bring("claude")
    path = machine.user / ".claude" / "settings.json"
    path.write_bytes("{}".encode("utf-16"))
    outcome, = put(home, machine, "claude")
    assert not outcome.done
    assert path.read_bytes() == "{}".encode("utf-16")


def test_a_notify_program_of_somebody_else_stays_and_hooks_are_written_all_the_same(
        home: Home, machine: Machine, bring: Bring) -> None:
    bring("codex")
    path = machine.user / ".codex" / "config.toml"
    path.write_text('notify = ["other"]\n')
    hooks, notify = put(home, machine, "codex")
    assert hooks.done
    assert not notify.done
    assert "already set" in notify.problem
    assert path.read_text() == 'notify = ["other"]\n'


def test_another_memory_provider_that_is_chosen_stays_chosen(home: Home, machine: Machine, bring: Bring) -> None:
    bring("hermes")
    path = machine.user / ".hermes" / "config.yaml"
    path.write_text("memory:\n  provider: honcho\n")
    outcome = put(home, machine, "hermes")[-1]
    assert not outcome.done
    assert "honcho" in outcome.problem
    assert path.read_text() == "memory:\n  provider: honcho\n"


def test_a_foreign_file_with_our_plugins_name_is_not_overwritten(home: Home, machine: Machine, bring: Bring) -> None:
    bring("opencode")
    path = machine.user / ".config" / "opencode" / "plugin" / "agent-utilities-memory.ts"
    path.parent.mkdir()
    path.write_text("export const Mine = 1\n")
    outcome, = put(home, machine, "opencode")
    assert not outcome.done
    assert path.read_text() == "export const Mine = 1\n"
    assert take(home, machine, "opencode") == ()


def test_an_edited_plugin_is_removed_and_a_copy_kept(home: Home, machine: Machine, bring: Bring) -> None:
    bring("opencode")
    outcome, = put(home, machine, "opencode")
    path = outcome.step.path
    path.write_text(path.read_text() + "// my note\n")
    edited = path.read_bytes()
    outcome, = take(home, machine, "opencode")
    assert "copy is kept" in outcome.step.message
    assert not path.exists()
    assert receipt.kept(home, receipt.digest(edited)) == edited


def test_a_moved_program_replaces_the_old_command_and_nothing_is_doubled(
        home: Home, machine: Machine, bring: Bring) -> None:
    bring()
    put(home, machine)
    moved = replace(machine, command=("/new place/agent-utilities-memory",))
    assert "keep" not in {o.step.action for o in put(home, moved) if "rules" not in o.step.path.name
                          and o.step.path.name not in ("plugin.yaml", "config.yaml")
                          and o.step.path.suffix not in (".md", ".plugin")}
    for path in machine.user.rglob("*"):
        if path.is_file():
            assert b"/opt/tools" not in path.read_bytes()
    take(home, moved)
    assert [path for path in machine.user.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("command", [
    "/old/bin/agent-utilities-memory hook session-start --agent claude",
    "'/old o/agent-utilities-memory' hook checkpoint --agent claude",
    "/usr/bin/python3 -P -m agent_memory hook checkpoint --agent claude",
    '"C:/Program Files/x/agent-utilities-memory.exe" hook session-end --agent claude',
    "/old/bin/agent-utilities-memory context --for claude",
])
def test_entries_of_each_older_form_are_recognised_without_a_receipt(
        command: str, home: Home, machine: Machine, bring: Bring) -> None:
    bring("claude")
    path = machine.user / ".claude" / "settings.json"
    foreign = {"type": "command", "command": "mine"}
    path.write_text(json.dumps({"hooks": {"SessionStart": [{"hooks": [foreign, {"type": "command", "command": command}]}],
                                          "Stop": [{"hooks": [{"type": "command", "command": command}]}]}}, indent=2))
    put(home, machine, "claude")
    data = json.loads(path.read_text())
    assert command not in path.read_text() or command.startswith("/opt/tools")
    assert data["hooks"]["SessionStart"][0] == {"hooks": [foreign]}
    assert len(data["hooks"]["Stop"]) == 1
    take(home, machine, "claude")
    assert json.loads(path.read_text()) == {"hooks": {"SessionStart": [{"hooks": [foreign]}]}}


def test_uninstall_finds_our_entries_when_the_receipts_are_lost(home: Home, machine: Machine, bring: Bring) -> None:
    bring()
    put(home, machine)
    shutil.rmtree(receipt.folder(home))
    take(home, machine)
    assert [path for path in machine.user.rglob("*") if path.is_file()
            and b"agent-utilities-memory" in path.read_bytes()] == []


def test_damaged_receipts_are_an_error_and_nothing_is_changed(home: Home, machine: Machine, bring: Bring) -> None:
    bring("claude")
    put(home, machine, "claude")
    (receipt.folder(home) / "receipts.json").write_text("{")
    before = tree(machine.user)
    with pytest.raises(InstallError, match="cannot be read"):
        plan.uninstall(home, machine)
    assert tree(machine.user) == before


def test_a_file_that_changes_between_plan_and_apply_is_left_alone(home: Home, machine: Machine, bring: Bring) -> None:
    bring("claude")
    path = machine.user / ".claude" / "settings.json"
    path.write_text("{}")
    made = plan.install(home, machine, ("claude",))
    path.write_text('{"new": 1}')
    outcome, = apply(home, made)
    assert "just changed" in outcome.problem
    assert path.read_text() == '{"new": 1}'


def test_an_install_that_is_killed_before_the_write_is_finished_by_the_next(
        home: Home, machine: Machine, bring: Bring) -> None:
    bring("claude")
    path = machine.user / ".claude" / "settings.json"
    path.write_text("{}")
    step, = plan.install(home, machine, ("claude",)).steps
    assert step.entry is not None
    receipt.save(home, {str(path): step.entry})
    put(home, machine, "claude")
    assert json.loads(path.read_text())["hooks"]
    take(home, machine, "claude")
    assert path.read_text() == "{}"


def test_mode_and_symlink_stay(home: Home, machine: Machine, bring: Bring, tmp_path: Path) -> None:
    bring("claude")
    real = tmp_path / "dotfiles.json"
    real.write_text("{}\n")
    real.chmod(0o640)
    path = machine.user / ".claude" / "settings.json"
    path.symlink_to(real)
    put(home, machine, "claude")
    assert path.is_symlink()
    assert "hooks" in real.read_text()
    assert real.stat().st_mode & 0o777 == 0o640
    take(home, machine, "claude")
    assert path.is_symlink()
    assert real.read_text() == "{}\n"


@pytest.mark.parametrize("name", ["a b", "O'Brien", 'say "hi"', "Zoë 日本", "$HOME `x`", "semi;colon&"])
def test_the_command_line_runs_from_any_home(name: str, home: Home, tmp_path: Path) -> None:
    folder = tmp_path / name
    (folder / ".claude").mkdir(parents=True)
    tool = folder / "bin" / "agent-utilities-memory"
    tool.parent.mkdir()
    code = 'import sys, pathlib; pathlib.Path(sys.argv[1] + ".seen").write_text(repr(sys.argv[2:]))'
    tool.write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} -c '{code}' \"$0\" \"$@\"\n")  # the checkout may have blanks in its path
    tool.chmod(0o755)
    machine = Machine(user=folder, data=folder / "data", command=(str(tool),), home_option=str(folder / "data"))
    put(Home(folder / "data"), machine, "claude")
    data = json.loads((folder / ".claude" / "settings.json").read_text())
    command = data["hooks"]["Stop"][0]["hooks"][0]["command"]
    subprocess.run(["/bin/sh", "-c", command], check=True, cwd=tmp_path)
    seen = Path(str(tool) + ".seen").read_text()
    assert seen == repr(["hook", "checkpoint", "--agent", "claude", "--home", str(folder / "data")])
    assert put(Home(folder / "data"), machine, "claude")[0].step.action == "keep"
    take(Home(folder / "data"), machine)
    assert not (folder / ".claude" / "settings.json").exists()


@pytest.mark.parametrize(("agent", "variable"), [
    ("claude", "CLAUDE_CONFIG_DIR"), ("codex", "CODEX_HOME"), ("grok", "GROK_HOME"), ("hermes", "HERMES_HOME"),
    ("opencode", "OPENCODE_CONFIG_DIR"), ("devin", "XDG_CONFIG_HOME"), ("opencode", "XDG_CONFIG_HOME"),
])
def test_the_agents_own_variables_are_honoured(agent: str, variable: str, home: Home, machine: Machine, tmp_path: Path) -> None:
    elsewhere = tmp_path / "else where"
    moved = replace(machine, env={variable: str(elsewhere)})
    AGENTS[agent].folder(moved).mkdir(parents=True)
    assert all(outcome.done for outcome in put(home, moved, agent))
    assert all(Path(path).is_relative_to(elsewhere) for path in receipt.load(home))
    assert list(machine.user.iterdir()) == []
    take(home, moved)
    assert [path for path in elsewhere.rglob("*") if path.is_file()] == []


def test_a_project_installation_is_apart_from_the_users(home: Home, machine: Machine, bring: Bring, tmp_path: Path) -> None:
    bring()
    project = tmp_path / "work"
    project.mkdir()
    here = replace(machine, project=project)
    user = tree(machine.user)
    made = plan.install(home, here)
    assert set(made.unsupported) == {"agent_terminal_ui", "cowork", "hermes"}
    assert all(outcome.done for outcome in apply(home, made))
    assert tree(machine.user) == user
    assert (project / ".claude" / "settings.local.json").exists()
    assert (project / ".windsurf" / "rules" / "agent-utilities-memory.md").read_text().startswith("---\ntrigger: always_on")
    put(home, machine, "claude")
    take(home, here)
    assert tree(project) == {}
    assert (machine.user / ".claude" / "settings.json").exists()


def test_uninstall_without_names_finds_projects_too(home: Home, machine: Machine, bring: Bring, tmp_path: Path) -> None:
    bring("claude")
    project = tmp_path / "work"
    project.mkdir()
    put(home, replace(machine, project=project), "claude")
    take(home, machine)
    assert tree(project) == {}


def test_an_unwritable_file_is_told_and_the_others_are_done(home: Home, machine: Machine, bring: Bring) -> None:
    bring("claude", "codex")
    (machine.user / ".claude" / "settings.json").mkdir()
    outcomes = put(home, machine, "claude", "codex")
    assert [outcome.done for outcome in outcomes] == [False, True, True]
    assert outcomes[0].problem.startswith("cannot be read")


def test_status_tells_wired_outdated_missing_and_unreadable(home: Home, machine: Machine, bring: Bring) -> None:
    bring("claude", "codex", "gemini")
    put(home, machine, "claude", "codex")
    (machine.user / ".gemini" / "settings.json").write_text("{")
    moved = replace(machine, command=("/elsewhere/agent-utilities-memory",))
    states = {a.agent: [wire.state for wire in a.wires if wire.kind == "hooks"] for a in status(home, machine).agents}
    assert states["claude"] == ["wired"]
    assert states["codex"] == ["wired", "wired"]
    assert states["gemini"] == ["unreadable"]
    assert states["opencode"] == ["missing"]
    assert status(home, moved, ("claude",)).agents[0].wires[0].state == "outdated"
    assert status(home, machine, ("claude",)).agents[0].wired
    assert not status(home, machine).runs
    assert status(home, replace(machine, command=(sys.executable,))).runs


def test_everything_ours_is_readable_by_its_owner_only(home: Home, machine: Machine, bring: Bring) -> None:
    bring()
    put(home, machine)
    for path in [*receipt.folder(home).rglob("*"), *(o.path for o in plan.install(home, machine).steps)]:
        assert path.stat().st_mode & 0o077 == 0 or path.name == "lock" or path.is_dir(), path


def test_what_is_written_is_strict_json_without_a_byte_order_mark_and_with_whole_numbers(
        home: Home, machine: Machine, bring: Bring) -> None:
    bring()
    put(home, machine)
    for path in machine.user.rglob("*.json"):
        data = json.loads(path.read_bytes().decode("utf-8"))
        assert json.dumps(data).count('"timeout": "') == 0
    tomllib.loads((machine.user / ".codex" / "config.toml").read_text())


def test_no_hook_decides_about_tools() -> None:
    for agent in hook_templates.agents():
        for name in hook_templates.names(agent):
            assert "PreToolUse" not in hook_templates.read(agent, name)
            assert "BeforeTool" not in hook_templates.read(agent, name)


def test_toml_entries_that_lost_their_comment_lines_are_found(home: Home, machine: Machine, bring: Bring) -> None:
    bring("codex", "agent_terminal_ui")
    put(home, machine)
    for path in (machine.user / ".codex" / "config.toml", machine.user / ".config" / "agent-terminal-ui" / "hooks.toml"):
        rows = [row for row in path.read_text().splitlines() if not row.startswith("#")]
        path.write_text("model = \"x\" # mine\n" + "\n".join(rows) + "\n[mine]\na = 1 # kept\n")
    take(home, machine)
    for path in (machine.user / ".codex" / "config.toml", machine.user / ".config" / "agent-terminal-ui" / "hooks.toml"):
        text = path.read_text()
        assert tomllib.loads(text) == {"model": "x", "mine": {"a": 1}}
        assert "# mine" in text
        assert "# kept" in text


def test_a_section_that_we_made_and_somebody_filled_stays(home: Home, machine: Machine, bring: Bring) -> None:
    bring("hermes")
    put(home, machine, "hermes")
    path = machine.user / ".hermes" / "config.yaml"
    path.write_text(path.read_text() + "  memory_enabled: false # mine\nother: 1\n")
    take(home, machine)
    assert path.read_text() == "memory:\n  memory_enabled: false # mine\nother: 1\n"


def test_a_handler_of_ours_in_somebodys_group_goes_alone(home: Home, machine: Machine, bring: Bring) -> None:
    bring("claude")
    put(home, machine, "claude")
    path = machine.user / ".claude" / "settings.json"
    data = json.loads(path.read_text())
    mine = {"type": "command", "command": "mine"}
    data["hooks"]["Stop"][0]["hooks"].insert(0, mine)
    data["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] = 60
    path.write_text(json.dumps(data))
    assert put(home, machine, "claude")[0].step.action == "keep"
    take(home, machine)
    assert json.loads(path.read_text()) == {"hooks": {"Stop": [{"hooks": [mine]}]}}


def test_a_hook_that_was_taken_out_comes_back_with_the_next_install(home: Home, machine: Machine, bring: Bring) -> None:
    bring("claude")
    put(home, machine, "claude")
    path = machine.user / ".claude" / "settings.json"
    whole = path.read_bytes()
    data = json.loads(whole)
    del data["hooks"]["SessionStart"]
    path.write_text(json.dumps(data, indent=2) + "\n")
    put(home, machine, "claude")
    assert set(json.loads(path.read_text())["hooks"]) == set(json.loads(whole)["hooks"])
    assert path.read_text().count("session-start") == 1


def test_a_wrapper_that_a_person_wrote_around_our_command_is_replaced_not_doubled(
        home: Home, machine: Machine, bring: Bring) -> None:
    bring("claude")
    path = machine.user / ".claude" / "settings.json"
    wrapped = "FOO=1 nice /opt/tools/agent-utilities-memory hook checkpoint --agent claude"
    path.write_text(json.dumps({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": wrapped}]}]}}, indent=2))
    put(home, machine, "claude")
    assert path.read_text().count("hook checkpoint --agent claude") == 2  # Stop and PreCompact, each once
