"""Install, install again, edit, uninstall, over random files: what is not ours keeps its bytes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as tuned
from hypothesis import strategies as st

from agent_memory.install import edit, edit_json, jsonc, plan
from agent_memory.install.agents import claude, codex, hermes
from agent_memory.install.apply import apply
from agent_memory.install.machine import Machine
from agent_memory.paths import Home
from tests.install import configurations as make

FEW = tuned(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def _machine(folder: Path) -> tuple[Home, Machine]:
    shutil.rmtree(folder, ignore_errors=True)
    user = folder / "Zoë's home"
    for name in (".claude", ".codex", ".hermes", ".config/agent-terminal-ui"):
        (user / name).mkdir(parents=True)
    return Home(folder / "data"), Machine(user=user, data=folder / "data", command=("/opt/a b/agent-utilities-memory",))


def _install(home: Home, machine: Machine, *names: str) -> list[str]:
    return [outcome.step.action for outcome in apply(home, plan.install(home, machine, names)) if outcome.done]


def _uninstall(home: Home, machine: Machine) -> None:
    assert all(outcome.done for outcome in apply(home, plan.uninstall(home, machine)))


def _foreign(text: str) -> Any:
    """The data without our entries and without empty containers."""
    def prune(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: p for k, v in value.items() if (p := prune(v)) not in ({}, [])}
        return [p for v in value if (p := prune(v)) not in ({}, [])] if isinstance(value, list) else value

    return prune(jsonc.plain(jsonc.parse(edit_json.remove(text))))


@FEW
@given(data=make.files(make.settings()))
def test_json_comes_back_to_the_byte(tmp_path: Path, data: bytes) -> None:
    home, machine = _machine(tmp_path)
    path = claude.folder(machine) / "settings.json"
    path.write_bytes(data)
    assert _install(home, machine, "claude") == ["change"]
    once = path.read_bytes()
    assert _install(home, machine, "claude") == ["keep"]
    assert path.read_bytes() == once
    before, after = edit.decode(data)[1], edit.decode(once)[1]
    assert jsonc.comments(before) == jsonc.comments(after)
    assert _foreign(after) == _foreign(before)
    _uninstall(home, machine)
    assert path.read_bytes() == data


@pytest.mark.parametrize("text", [
    "{ // \n }", "{ // \t\r\n}", '{"a": 1 // x \n}', '{"a": 1, // x \n}', '{"hooks": { // x \n}}',
    '{"hooks": {"Stop": [ // x \n]}}', '{"hooks": {"Stop": [{"a": 1} // x \n]}}', '{"hooks": {"Stop": [{"a": 1}, // x \n]}}',
])
def test_blanks_at_the_end_of_a_comment_belong_to_the_comment(tmp_path: Path, text: str) -> None:
    home, machine = _machine(tmp_path)
    path = claude.folder(machine) / "settings.json"
    path.write_bytes(text.encode())
    assert _install(home, machine, "claude") == ["change"]
    assert jsonc.comments(path.read_bytes().decode()) == jsonc.comments(text)
    _uninstall(home, machine)
    assert path.read_bytes() == text.encode()


@FEW
@given(data=make.files(make.settings()), key=st.sampled_from(["zz", "hooks3"]), value=make.values(), front=st.booleans())
def test_a_users_later_edit_of_json_survives_and_only_ours_goes(
        tmp_path: Path, data: bytes, key: str, value: str, front: bool) -> None:
    home, machine = _machine(tmp_path)
    path = claude.folder(machine) / "settings.json"
    path.write_bytes(data)
    _install(home, machine, "claude")

    def edited(text: str) -> str:
        root = jsonc.parse(text)
        member = f"{json.dumps(key)}: {value}"
        if not root.items:
            return text[:root.start + 1] + member + text[root.start + 1:]
        if front:
            return text[:root.items[0].start] + member + ", " + text[root.items[0].start:]
        last = root.items[-1]
        return text[:last.end] + ", " + member + text[last.end:]

    bom, text = edit.decode(path.read_bytes())
    path.write_bytes(bom + edited(text).encode())
    assert _install(home, machine, "claude") == ["keep"]
    _uninstall(home, machine)
    left = path.read_bytes()
    assert edit_json.ours(edit.decode(left)[1]) == []
    original = edit.decode(data)[1]
    if jsonc.parse(original).items and front:
        assert left == bom + edited(original).encode()
    assert _foreign(edit.decode(left)[1]) == _foreign(edited(original))
    assert sorted(jsonc.comments(edit.decode(left)[1])) == sorted(jsonc.comments(edited(original)))


@FEW
@given(data=make.files(make.toml()))
def test_toml_comes_back_to_the_byte(tmp_path: Path, data: bytes) -> None:
    home, machine = _machine(tmp_path)
    path = codex.folder(machine) / "config.toml"
    hooks = machine.user / ".config" / "agent-terminal-ui" / "hooks.toml"
    path.write_bytes(data)
    hooks.write_bytes(data)
    actions = _install(home, machine, "codex", "agent_terminal_ui")
    if data.startswith(b"\xef\xbb\xbf"):
        assert "change" in actions
    once = path.read_bytes(), hooks.read_bytes()
    _install(home, machine, "codex", "agent_terminal_ui")
    assert (path.read_bytes(), hooks.read_bytes()) == once
    _uninstall(home, machine)
    assert path.read_bytes() == hooks.read_bytes() == data


@FEW
@given(data=make.files(make.toml()), note=st.sampled_from(["# mine\n", "[mine]\nx = 1\n", "\n"]))
def test_a_users_later_edit_of_toml_keeps_its_bytes(tmp_path: Path, data: bytes, note: str) -> None:
    home, machine = _machine(tmp_path)
    path = codex.folder(machine) / "config.toml"
    if data and not data.endswith(b"\n"):
        data += b"\n"
    path.write_bytes(data)
    _install(home, machine, "codex")
    path.write_bytes(path.read_bytes() + note.encode())
    _uninstall(home, machine)
    assert path.read_bytes() == data + note.encode()


@FEW
@given(data=make.files(make.yaml()))
def test_yaml_comes_back_to_the_byte(tmp_path: Path, data: bytes) -> None:
    home, machine = _machine(tmp_path)
    path = hermes.folder(machine) / "config.yaml"
    path.write_bytes(data)
    _install(home, machine, "hermes")
    once = path.read_bytes()
    _install(home, machine, "hermes")
    assert path.read_bytes() == once
    _uninstall(home, machine)
    assert path.read_bytes() == data


@FEW
@given(text=st.text(alphabet="a#\n é<>-!", max_size=40).map(lambda t: t.replace("\r", "")), crlf=st.booleans(),
       more=st.sampled_from(["", "tail\n", "\n\ntail"]))
def test_a_block_leaves_the_text_around_it_as_it_was(text: str, crlf: bool, more: str) -> None:
    text = text.replace("\n", "\r\n") if crlf else text
    editor = edit.EDITORS["block"]
    once, made = editor.add(text, "one\n")
    twice, _ = editor.add(once, "two, longer\n")
    assert len(editor.ours(twice)) == 1
    assert editor.remove(once + more, made) == editor.remove(twice + more, made) == text + more
