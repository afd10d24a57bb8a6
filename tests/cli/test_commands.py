"""What every command has in common: help, home, errors, JSON, encodings, exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agent_memory.cli.main import COMMANDS

SINGLE = [name for name in COMMANDS if name != "backup"]


def run(*arguments: str, home: Path | None = None, env: dict[str, str] | None = None,
        stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("AGENT_MEMORY_")} | (env or {})
    if home is not None:
        environment["AGENT_MEMORY_HOME"] = str(home)
    return subprocess.run([sys.executable, "-m", "agent_memory", *arguments], capture_output=True, env=environment,
                          input=stdin, check=False, timeout=120)


def test_help_lists_every_command_without_importing_it() -> None:
    done = run("--help")
    assert done.returncode == 0
    for name in COMMANDS:
        assert name in done.stdout.decode()


@pytest.mark.parametrize("name", ["recall", "status", "context", "verify"])
def test_home_can_stand_before_and_after_the_command(name: str, tmp_path: Path) -> None:
    words = ["--query", "x"] if name == "recall" else []
    after = run(name, *words, "--home", str(tmp_path / "a"))
    before = run("--home", str(tmp_path / "a"), name, *words)
    assert after.returncode == before.returncode
    assert after.stdout == before.stdout


@pytest.mark.parametrize("arguments", [("recall", "--query", "anything"), ("status",), ("usage",), ("verify",),
                                       ("reflect",), ("materialize",), ("sync",), ("observe",), ("backup", "list"),
                                       ("export", "--format", "json")])
def test_an_empty_home_is_no_error_and_json_is_one_object(arguments: tuple[str, ...], tmp_path: Path) -> None:
    words = arguments if arguments[0] == "export" else (*arguments, "--json")
    done = run(*words, home=tmp_path / "home")
    assert done.returncode == 0, done.stderr.decode()
    assert json.loads(done.stdout)["version"] == 1


def test_recall_json_of_nothing_is_an_empty_list(tmp_path: Path) -> None:
    done = run("recall", "--query", "x", "--json", home=tmp_path)
    assert json.loads(done.stdout) == {"version": 1, "hits": []}


@pytest.mark.parametrize(("arguments", "code", "word"), [
    (("observe", "--source", "nobody", "--file", "x.jsonl"), 2, "nobody"),
    (("observe", "--source", "claude", "--file", "x.jsonl"), 1, "x.jsonl"),
    (("observe", "--source", "claude"), 2, "--file"),
    (("recall",), 2, "look for"),
    (("recall", "--query", "x", "--project", "nowhere"), 1, "nowhere"),
    (("forget",), 2, "what to forget"),
    (("restore", "01jd0000000000000000000000"), 1, "01jd0"),
    (("history", "x"), 2, "too short"),
    (("nonsense",), 2, "nonsense"),
    (("backup", "restore", "none", "--yes"), 1, "none"),
])
def test_an_error_names_the_value_and_the_next_step(arguments: tuple[str, ...], code: int, word: str,
                                                    tmp_path: Path) -> None:
    done = run(*arguments, home=tmp_path / "home")
    assert done.returncode == code, done.stderr.decode()
    assert word in done.stderr.decode()
    assert done.stdout == b""


def test_errors_are_json_where_json_was_asked_for(tmp_path: Path) -> None:
    done = run("recall", "--query", "x", "--project", "nowhere", "--json", home=tmp_path)
    told = json.loads(done.stdout)
    assert told["error"]["code"] == "not-found"
    assert told["error"]["hint"]


def test_a_bad_setting_is_named(tmp_path: Path) -> None:
    done = run("status", home=tmp_path, env={"AGENT_MEMORY_RECALL_LIMIT": "many"})
    assert done.returncode == 2
    assert "recall_limit" in done.stderr.decode()


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_every_text_can_be_printed_in_every_encoding(encoding: str, tmp_path: Path) -> None:
    demo = Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "demo" / "claude" / "friday-search.jsonl"
    for words in (["observe", "--source", "claude", "--file", str(demo)], ["materialize"], ["status"],
                  ["recall", "--query", "umlauts Grüner Tee", "--all-projects", "--why"], ["export"]):
        done = run(*words, home=tmp_path / "home", env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
        assert done.returncode == 0, (words, done.stderr)


def test_a_home_with_a_space_a_quote_and_a_foreign_letter_works(tmp_path: Path) -> None:
    home = tmp_path / "my 'home' é 日本"
    demo = Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "demo" / "claude" / "friday-search.jsonl"
    assert run("observe", "--source", "claude", "--file", str(demo), "--home", str(home)).returncode == 0
    assert run("materialize", "--home", str(home)).returncode == 0
    done = run("context", "--cwd", "/home/mira/code/teashop", "--home", str(home))
    assert "unaccent" in done.stdout.decode()
    assert json.loads(run("verify", "--json", "--home", str(home)).stdout)["ok"]


def test_no_colour_without_a_terminal(tmp_path: Path) -> None:
    assert b"\x1b[" not in run("status", home=tmp_path).stdout
