"""The commands as people run them: real processes, a throw-away home."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """A person with Claude Code and Codex, whose home folder has an awkward name."""
    folder = tmp_path / "Zoë O'Brien"
    (folder / ".claude").mkdir(parents=True)
    (folder / ".claude" / "settings.json").write_text('{\n  // mine\n  "theme": "dark",\n}\n')
    (folder / ".codex").mkdir()
    return folder


def run(user: Path, *words: str, cwd: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return subprocess.run([sys.executable, "-m", "agent_memory", *words], capture_output=True, text=True, encoding="utf-8",
                          env={**kept, "HOME": str(user), "PYTHONUTF8": "1", **env}, cwd=cwd or user, check=False)


def test_one_command_connects_what_is_there_and_another_gives_it_back(user: Path) -> None:
    before = (user / ".claude" / "settings.json").read_bytes()
    done = run(user, "install")
    assert done.returncode == 0, done.stderr
    assert "Claude Code" in done.stdout
    assert "Grok Build: not found, skipped" in done.stderr
    assert "Hooks need review" in done.stderr
    assert "// mine" in (user / ".claude" / "settings.json").read_text()
    assert "Claude Code: wired" in run(user, "install", "--status").stdout
    assert run(user, "uninstall").returncode == 0
    assert (user / ".claude" / "settings.json").read_bytes() == before
    assert list((user / ".codex").iterdir()) == []


def test_dry_run_shows_the_change_and_makes_none(user: Path) -> None:
    before = sorted(str(path) for path in user.rglob("*"))
    done = run(user, "install", "--agents", "claude", "--dry-run")
    assert done.returncode == 0
    assert "would be changed" in done.stdout
    assert any(line.startswith("  +") and "hook session-start --agent claude" in line for line in done.stdout.splitlines())
    assert not any(line.startswith("  -") and "theme" not in line for line in done.stdout.splitlines())
    assert sorted(str(path) for path in user.rglob("*")) == before


def test_the_hook_that_was_written_can_be_run_as_the_agent_does(user: Path) -> None:
    run(user, "install", "--agents", "claude", "--home", str(user / "my data"))
    text = (user / ".claude" / "settings.json").read_text(encoding="utf-8").replace("// mine", "").replace(",\n}", "\n}")
    command = json.loads(text)["hooks"]["SessionStart"][0]["hooks"][0]["command"]
    done = subprocess.run(["/bin/sh", "-c", command], input=b'{"session_id": "s1", "cwd": "/"}', capture_output=True,
                          env={"HOME": str(user), "PATH": os.environ["PATH"]}, cwd=user, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (user / "my data").exists()
    assert not (user / ".local").exists()


def test_the_server_is_registered_shown_and_taken_back(user: Path) -> None:
    shown = run(user, "install", "--mcp", "--agents", "claude", "--dry-run")
    assert any(line.startswith("  +") and '"mcpServers"' in line for line in shown.stdout.splitlines())
    assert not (user / ".claude.json").exists()
    assert "Claude Code MCP server: missing" in run(user, "install", "--status").stdout
    assert run(user, "install", "--mcp").returncode == 0
    assert "Claude Code MCP server: wired" in run(user, "install", "--status").stdout
    entry = json.loads((user / ".claude.json").read_text(encoding="utf-8"))["mcpServers"]["agent-utilities-memory"]
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}
    served = subprocess.run([entry["command"], *entry["args"]], input=json.dumps(hello) + "\n", capture_output=True,
                            text=True, env={"HOME": str(user), "PATH": os.environ["PATH"]}, cwd=user, check=False)
    assert json.loads(served.stdout.splitlines()[0])["result"]["serverInfo"]["name"]
    assert run(user, "uninstall").returncode == 0
    assert not (user / ".claude.json").exists()


def test_json_has_a_version_and_one_object_a_file(user: Path) -> None:
    done = json.loads(run(user, "install", "--agents", "claude,codex,grok", "--json").stdout)
    assert done["version"] == 1
    assert done["absent"] == ["grok"]
    assert [(file["agent"], file["done"]) for file in done["files"]] == [("claude", True), ("codex", True), ("codex", True)]
    status = json.loads(run(user, "install", "--status", "--agents", "claude", "--json").stdout)
    assert status["agents"][0]["wired"]
    assert status["runs"]


def test_a_broken_file_gives_exit_1_a_hint_and_the_rest_is_done(user: Path) -> None:
    (user / ".claude" / "settings.json").write_text("{oops")
    done = run(user, "install")
    assert done.returncode == 1
    assert "left alone (not valid JSON (line 1, column 2))" in done.stdout
    assert "fix the file" in done.stderr
    assert (user / ".codex" / "hooks.json").exists()


def test_an_unknown_agent_is_a_usage_error(user: Path) -> None:
    done = run(user, "install", "--agents", "copilot")
    assert done.returncode == 2
    assert "known: claude, codex" in done.stderr


def test_a_project_installation_goes_to_the_root_of_the_repository(user: Path, tmp_path: Path) -> None:
    root = tmp_path / "repo"
    (root / ".git").mkdir(parents=True)
    (root / "deep" / "er").mkdir(parents=True)
    done = run(user, "install", "--agents", "claude", "--project", cwd=root / "deep" / "er")
    assert done.returncode == 0
    assert (root / ".claude" / "settings.local.json").exists()
    assert "keep them out of commits" in done.stderr


def test_output_survives_a_terminal_that_knows_only_ascii(user: Path) -> None:
    assert run(user, "install", PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C").returncode == 0


def test_many_installations_at_once_equal_one(user: Path) -> None:
    kept = {name: os.environ[name] for name in ("PATH",)}
    at_once = [subprocess.Popen([sys.executable, "-m", "agent_memory", "install"], env={**kept, "HOME": str(user)}, cwd=user,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(5)]
    for process in at_once:
        process.wait()
    text = (user / ".claude" / "settings.json").read_text()
    assert text.count("hook session-start --agent claude") == 1
    assert run(user, "uninstall").returncode == 0
    assert (user / ".claude" / "settings.json").read_text() == '{\n  // mine\n  "theme": "dark",\n}\n'
