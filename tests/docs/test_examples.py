"""The commands in the pages run as they stand: each page's shell blocks, in order, in a throw-away home."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from bare_environment import bare_environment

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "docs" / "tutorial" / "first-memory.md",
         *sorted((ROOT / "docs" / "how-to").glob("*.md"))]
BLOCK = re.compile(r"^```sh\n(.*?)^```", re.S | re.M)
COMMAND = "agent-utilities-memory"
NOT_RUN = {"watch", "mcp", "install", "uninstall", "hook"}
"""Commands that wait for a person or write into agents' folders; they have tests of their own."""


def _commands(page: Path) -> list[list[str]]:
    found = []
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for line in block.replace("\\\n", " ").splitlines():
            words = shlex.split(line, comments=True)
            if words and words[0] == COMMAND and (len(words) == 1 or words[1] not in NOT_RUN):
                found.append(words[1:])
    return found


class Desk:
    """A working folder with the demo's transcripts and a home that knows them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT / "docs" / "tutorial" / "demo", folder / "docs" / "tutorial" / "demo")
        shutil.copy(ROOT / "docs" / "tutorial" / "demo" / "claude" / "monday-orders.jsonl", folder / "session.jsonl")
        self.environment = bare_environment()
        self.environment |= {"AGENT_MEMORY_HOME": str(folder / "home"), "HOME": str(folder), "PYTHONIOENCODING": "utf-8"}
        for source in ("claude", "codex"):
            for file in sorted((folder / "docs" / "tutorial" / "demo" / source).glob("*.jsonl")):
                self.run(["observe", "--source", source, "--file", str(file)])
        self.run(["materialize"])
        self.run(["export", "--output", "memory.jsonl"])
        (folder / "old-memory").mkdir()

    def run(self, words: list[str]) -> str:
        target = None
        if ">" in words:
            at = words.index(">")
            words, target = words[:at], words[at + 1]
        done = subprocess.run([sys.executable, "-m", "agent_memory", *words], cwd=self.folder, env=self.environment,
                              capture_output=True, check=False, timeout=120, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, (words, done.stderr.decode())
        if target:
            (self.folder / target).write_bytes(done.stdout)
        return done.stdout.decode()

    def memory_id(self, status: str) -> str:
        for line in self.run(["export", "--everything"]).splitlines():
            item = json.loads(line)
            if item["type"] == "observation" and item.get("status") == status:
                return str(item["id"])
        raise AssertionError(f"no {status} memory")

    def filled(self, words: list[str]) -> list[str]:
        """The command with what a page leaves open put in."""
        status = "retired" if words[0] == "restore" else "active"
        out = []
        for word in words:
            if re.fullmatch(r"01\w+…|ID", word):
                if status == "retired":
                    self.run(["forget", self.memory_id("active")])
                out.append(self.memory_id(status))
            elif word == "NAME":
                out.append("latest")
            else:
                out.append(word.replace("$PWD", str(self.folder)))
        if words[:2] == ["backup", "restore"]:
            out.append("--yes")
        return out


@pytest.mark.parametrize("page", [p for p in PAGES if _commands(p)], ids=lambda p: p.stem)
def test_commands_of_the_page_run(page: Path, tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for words in _commands(page):
        if words == ["migrate-engine", "ladybug"] and importlib.util.find_spec("ladybug") is None:
            pytest.skip("ladybug is not installed")  # looked for, not imported: one process takes one engine
        desk.run(desk.filled(words))
