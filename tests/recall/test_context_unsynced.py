"""What a person changed in a view counts at the next start, before any sync."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from agent_memory import Memory

DEMO = Path(__file__).resolve().parents[2] / "docs" / "tutorial" / "demo" / "claude" / "monday-orders.jsonl"
SHOP = "/home/mira/code/teashop"
OLD, NEW = "Always use pnpm here, never npm.", "Always use pnpm 9 here, never npm or yarn."


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("taught") / "home"
    memory = Memory(root)
    memory.observe_file("claude", DEMO)
    memory.materialize()
    return root


@pytest.fixture
def root(taught: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(taught, tmp_path / "home"))


def start(root: Path) -> str:
    return Memory(root).context(agent="codex", cwd=SHOP, task="pnpm").text


def edit(root: Path, view: str, pattern: str, new: str) -> None:
    path = root / "memory" / view
    text, count = re.subn(pattern, new, path.read_text(encoding="utf-8"), flags=re.M)
    assert count
    path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("view", ["projects/teashop.md", "active.md", "observations.md"])
def test_words_changed_in_one_view_replace_the_old_ones_everywhere(root: Path, view: str) -> None:
    assert OLD in start(root)
    edit(root, view, re.escape(OLD), NEW)
    assert NEW in start(root)
    assert OLD not in start(root)


def test_a_bullet_deleted_in_one_view_is_gone_though_another_still_has_it(root: Path) -> None:
    edit(root, "projects/teashop.md", rf"^.*{re.escape(OLD)}.*\n", "")
    assert OLD not in start(root)


def test_a_bullet_moved_to_another_view_is_still_there(root: Path) -> None:
    path = root / "memory" / "projects" / "teashop.md"
    (line,) = re.findall(rf"^.*{re.escape(OLD)}.*$", path.read_text(encoding="utf-8"), flags=re.M)
    edit(root, "projects/teashop.md", rf"^{re.escape(line)}\n", "")
    edit(root, "profile.md", r"^<!-- s:preference -->$", f"<!-- s:preference -->\n\n{line}")
    assert OLD in start(root)


def test_a_new_bullet_shows_without_its_secret(root: Path) -> None:
    key = "ghp_" + "FAKE5678" * 4 + "9012"
    edit(root, "projects/teashop.md", r"^## Decisions$", f"## Decisions\n\n- 🔴 The deploy key is {key} for now")
    assert "The deploy key is" in start(root)
    assert key not in start(root)
