"""The registration of the MCP server: beside hooks, in files of its own, kept, edited, taken back."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as tuned

from agent_memory.install import edit, jsonc, plan, receipt
from agent_memory.install.apply import Outcome, apply
from agent_memory.install.machine import Machine
from agent_memory.install.registry import AGENTS
from agent_memory.install.status import AgentStatus, status
from agent_memory.paths import Home
from tests.install import configurations as make

Bring = Callable[..., None]
SERVED = ("claude", "codex", "grok", "devin", "antigravity", "gemini", "windsurf", "opencode")
NAME = "agent-utilities-memory"
FEW = tuned(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def put(home: Home, machine: Machine, *names: str, server: bool = True) -> tuple[Outcome, ...]:
    return apply(home, plan.install(home, machine, names, server=server))


def take(home: Home, machine: Machine, *names: str) -> tuple[Outcome, ...]:
    return apply(home, plan.uninstall(home, machine, names))


def tree(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def place(agent: str, machine: Machine) -> Path:
    target = AGENTS[agent].server(machine)
    assert target is not None
    return target.path


def entry(agent: str, machine: Machine) -> Any:
    text = place(agent, machine).read_text(encoding="utf-8")
    data = tomllib.loads(text) if agent in ("codex", "grok") else jsonc.plain(jsonc.parse(text))
    return data[{"codex": "mcp_servers", "grok": "mcp_servers", "opencode": "mcp"}.get(agent, "mcpServers")].get(NAME)


def told(home: Home, machine: Machine, agent: str) -> AgentStatus:
    found, = status(home, machine, (agent,)).agents
    return found


def test_the_agents_without_a_place_are_named_and_still_get_hooks(home: Home, machine: Machine, bring: Bring) -> None:
    bring()
    made = plan.install(home, machine, server=True)
    assert made.unserved == tuple(name for name in AGENTS if name not in SERVED)
    assert all(outcome.done for outcome in apply(home, made))
    assert {a.agent for a in status(home, machine).agents if a.served} == set(SERVED)
    assert plan.install(home, machine).unserved == ()


@pytest.mark.parametrize("agent", SERVED)
def test_golden_the_server_beside_what_was_there(agent: str, home: Home, machine: Machine, bring: Bring) -> None:
    bring(agent)
    path = place(agent, machine)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('[mcp_servers.mine]\ncommand = "mine" # keep\n' if path.suffix == ".toml"
                    else '{\n  // mine\n  "mcpServers": {\n    "mine": {"command": "mine"},\n  },\n}\n')
    before = tree(machine.user)
    assert all(outcome.done for outcome in put(home, machine, agent))
    golden = Path(__file__).parents[1] / "golden" / "install" / "server" / f"{agent}.txt"
    text = f"=== {path.relative_to(machine.user)}\n{path.read_text(encoding='utf-8')}"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")
    assert all(outcome.done for outcome in take(home, machine, agent))
    assert tree(machine.user) == before


@pytest.mark.parametrize("agent", SERVED)
def test_nothing_is_left_of_a_file_that_was_not_there(agent: str, home: Home, machine: Machine, bring: Bring) -> None:
    bring(agent)
    before = sorted(machine.user.rglob("*"))
    put(home, machine, agent)
    once = tree(machine.user), receipt.load(home)
    assert {outcome.step.action for outcome in put(home, machine, agent)} == {"keep"}
    assert (tree(machine.user), receipt.load(home)) == once
    take(home, machine, agent)
    assert sorted(machine.user.rglob("*")) == before
    assert receipt.load(home) == {}


@pytest.mark.parametrize("agent", SERVED)
def test_the_server_comes_and_stays_with_hooks_that_are_there(
        agent: str, home: Home, machine: Machine, bring: Bring) -> None:
    bring(agent)
    put(home, machine, agent, server=False)
    assert not place(agent, machine).exists() or not told(home, machine, agent).served
    put(home, machine, agent)
    assert told(home, machine, agent).served
    assert told(home, machine, agent).wired
    both = tree(machine.user)
    put(home, machine, agent, server=False)
    assert tree(machine.user) == both
    take(home, machine, agent)
    assert tree(machine.user) == {}


@pytest.mark.parametrize("agent", SERVED)
def test_a_program_that_has_moved_is_brought_up_to_date_without_asking_for_it_again(
        agent: str, home: Home, machine: Machine, bring: Bring) -> None:
    bring(agent)
    put(home, machine, agent)
    moved = replace(machine, command=("/new place/agent-utilities-memory",), home_option="/data dir")
    outdated = [wire for wire in told(home, moved, agent).wires if wire.kind == "server"]
    assert [wire.state for wire in outdated] == ["outdated"]
    put(home, moved, agent, server=False)
    found = entry(agent, moved)
    argv = found["command"] if agent == "opencode" else [found["command"], *found["args"]]
    assert argv == ["/new place/agent-utilities-memory", "mcp", "--home", "/data dir"]
    take(home, moved, agent)
    assert tree(machine.user) == {}


@pytest.mark.parametrize("agent", ["claude", "gemini", "codex"])
def test_options_that_a_person_added_to_our_entry_stay(agent: str, home: Home, machine: Machine, bring: Bring) -> None:
    bring(agent)
    put(home, machine, agent)
    path = place(agent, machine)
    text = path.read_text()
    edited = (text.replace('args = ["mcp"]', 'args = ["mcp", "--profile", "full"]\nstartup_timeout_sec = 30')
              if agent == "codex" else text.replace('"mcp"\n', '"mcp",\n "--profile", "full"\n'))
    assert edited != text
    path.write_text(edited)
    assert told(home, machine, agent).served
    put(home, machine, agent)
    assert path.read_text() == edited
    take(home, machine, agent)
    assert not path.exists()


@pytest.mark.parametrize("agent", SERVED)
def test_a_server_that_a_person_took_out_stays_out_until_asked_for(
        agent: str, home: Home, machine: Machine, bring: Bring) -> None:
    bring(agent)
    put(home, machine, agent)
    path = place(agent, machine)
    if path.suffix == ".toml":
        path.write_text(re.sub(r'\[mcp_servers.*\n.*\nargs.*\n', '', path.read_text()))
    else:
        data = json.loads(path.read_text())
        del data["mcp" if agent == "opencode" else "mcpServers"]
        path.write_text(json.dumps(data))
    put(home, machine, agent, server=False)
    assert not told(home, machine, agent).served
    assert not any(e.server for e in receipt.load(home).values())
    put(home, machine, agent)
    assert told(home, machine, agent).served


@pytest.mark.parametrize("agent", SERVED)
def test_a_foreign_entry_of_our_name_is_left_alone_with_a_hint(
        agent: str, home: Home, machine: Machine, bring: Bring) -> None:
    bring(agent)
    path = place(agent, machine)
    path.parent.mkdir(parents=True, exist_ok=True)
    key = "mcp" if agent == "opencode" else "mcpServers"
    foreign = (f'[mcp_servers.{NAME}]\ncommand = "else"\n' if path.suffix == ".toml"
               else json.dumps({key: {NAME: {"command": "else", "args": ["mcp"]}}}))
    path.write_text(foreign)
    outcomes = put(home, machine, agent)
    refused, = (outcome for outcome in outcomes if not outcome.done)
    assert refused.hint
    assert "else" in path.read_text()
    assert told(home, machine, agent).wired  # the hooks went in all the same
    take(home, machine, agent)
    assert path.read_text() == foreign


def test_a_notify_program_of_somebody_else_does_not_keep_the_server_out(
        home: Home, machine: Machine, bring: Bring) -> None:
    bring("codex")
    path = machine.user / ".codex" / "config.toml"
    path.write_text('notify = ["other"]\n')
    outcomes = put(home, machine, "codex")
    assert [outcome.done for outcome in outcomes] == [True, False, True]
    assert tomllib.loads(path.read_text())["mcp_servers"][NAME]["args"] == ["mcp"]
    assert [outcome.done for outcome in put(home, machine, "codex")] == [True, False, True]
    take(home, machine, "codex")
    assert path.read_text() == 'notify = ["other"]\n'


def test_answers_that_codex_keeps_below_our_table_go_with_it(home: Home, machine: Machine, bring: Bring) -> None:
    bring("codex")
    path = machine.user / ".codex" / "config.toml"
    path.write_text('model = "o5" # mine\n')
    put(home, machine, "codex")
    path.write_text(path.read_text() + f'\n[mcp_servers.{NAME}.tools.store]\napproval_mode = "approve"\n\n[mine]\nx = 1\n')
    put(home, machine, "codex")
    assert "approval_mode" in path.read_text()
    take(home, machine, "codex")
    text = path.read_text()
    assert NAME not in text
    assert tomllib.loads(text) == {"model": "o5", "mine": {"x": 1}}
    assert "# mine" in text


def test_entries_that_a_person_made_for_single_projects_are_theirs(home: Home, machine: Machine, bring: Bring) -> None:
    bring("claude")
    path = machine.user / ".claude.json"
    own = {"command": "/x/agent-utilities-memory", "args": ["mcp", "--profile", "full"]}
    text = json.dumps({"projects": {"/w": {"mcpServers": {NAME: own}}}, "mcpServers": {"memory": own}})
    path.write_text(text)
    put(home, machine, "claude")
    assert entry("claude", machine)["command"] == "/opt/tools/agent-utilities-memory"
    path.write_text(path.read_text().replace('"projects"', '"seen": 1, "projects"'))
    take(home, machine, "claude")
    assert path.read_text() == text.replace('"projects"', '"seen": 1, "projects"')


@pytest.mark.parametrize("agent", SERVED)
def test_uninstall_finds_the_server_when_the_receipts_are_lost(
        agent: str, home: Home, machine: Machine, bring: Bring) -> None:
    bring(agent)
    put(home, machine, agent)
    (receipt.folder(home) / "receipts.json").unlink()
    take(home, machine)
    assert [path for path in machine.user.rglob("*") if path.is_file()
            and NAME.encode() in path.read_bytes()] == []


@pytest.mark.parametrize("agent", SERVED)
def test_a_project_gets_a_registration_of_its_own_where_the_agent_reads_one(
        agent: str, home: Home, machine: Machine, bring: Bring, tmp_path: Path) -> None:
    bring(agent)
    project = tmp_path / "work"
    project.mkdir()
    made = plan.install(home, replace(machine, project=project), (agent,), server=True)
    assert made.unserved == (("windsurf",) if agent == "windsurf" else ())
    assert all(outcome.done for outcome in apply(home, made))
    assert tree(machine.user) == {}
    if agent != "windsurf":
        assert place(agent, replace(machine, project=project)).is_relative_to(project)
        assert told(home, replace(machine, project=project), agent).served
        assert not told(home, machine, agent).served
    take(home, machine)
    assert tree(project) == {}


def test_the_configuration_folder_of_claude_may_have_moved(home: Home, machine: Machine, tmp_path: Path) -> None:
    moved = replace(machine, env={"CLAUDE_CONFIG_DIR": str(tmp_path / "cc")})
    (tmp_path / "cc").mkdir()
    put(home, moved, "claude")
    assert entry("claude", moved)["type"] == "stdio"
    assert (tmp_path / "cc" / ".claude.json").exists()


@FEW
@given(data=make.files(make.settings()))
def test_json_with_hooks_and_server_comes_back_to_the_byte(home: Home, machine: Machine, bring: Bring, data: bytes) -> None:
    bring("gemini")
    path = place("gemini", machine)
    path.write_bytes(data)
    assert all(outcome.done for outcome in put(home, machine, "gemini"))
    once = path.read_bytes()
    assert jsonc.comments(edit.decode(once)[1]) == jsonc.comments(edit.decode(data)[1])
    assert {outcome.step.action for outcome in put(home, machine, "gemini")} == {"keep"}
    path.write_bytes(once)  # the same bytes, but the receipts are lost: only our entries go
    (receipt.folder(home) / "receipts.json").unlink()
    take(home, machine, "gemini")
    left = edit.decode(path.read_bytes())[1] if path.exists() else "{}"
    assert NAME not in left
    path.write_bytes(data)
    put(home, machine, "gemini")
    take(home, machine, "gemini")
    assert path.read_bytes() == data


@FEW
@given(data=make.files(make.toml()))
def test_toml_with_notify_and_server_comes_back_to_the_byte(home: Home, machine: Machine, bring: Bring, data: bytes) -> None:
    bring("codex")
    path = place("codex", machine)
    path.write_bytes(data)
    put(home, machine, "codex")
    once = path.read_bytes()
    assert NAME.encode() in once
    put(home, machine, "codex")
    assert path.read_bytes() == once
    take(home, machine, "codex")
    assert path.read_bytes() == data
