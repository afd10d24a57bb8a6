"""Whether a start payload holds what a task needs: labelled tasks over the sessions that come with this project.

All sessions are moved into one folder, so that one project knows about a dozen subjects and the payload must choose.
`start_lines.json` names sessions and tasks; a pattern is a line that must be there. Counted are the first 2,000
characters, which every host shows, then the budgets of hosts.
"""

from __future__ import annotations

import json
import re
import statistics
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from agent_memory import Memory
from agent_memory.recall.limits import DEFAULT_BUDGET, VITAL
from bench.recall_page import Table

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
HERE = Path(__file__).resolve().parent
SESSIONS = HERE.parent / "tests" / "fixtures" / "observer"
DEMO = HERE.parent / "docs" / "tutorial" / "demo"
FOLDER = "/home/ada/code/everything"
BUDGETS = (6_000, 9_500, DEFAULT_BUDGET)
_CWD = re.compile(r'("cwd": ?)"[^"]*"')


@dataclass(frozen=True)
class Task:
    """What will be worked on, and patterns of the lines that must be there."""

    text: str
    must: tuple[str, ...]


def tasks() -> list[Task]:
    """The labelled tasks."""
    data = json.loads((HERE / "start_lines.json").read_text(encoding="utf-8"))
    return [Task(t["task"], tuple(t["must"])) for t in data["tasks"]]


def build(folder: Path) -> Memory:
    """A home that learned from all sessions, with its views written."""
    memory = Memory(folder / "home", now=lambda: NOW)
    names = json.loads((HERE / "start_lines.json").read_text(encoding="utf-8"))["sessions"]
    files = [(json.loads((SESSIONS / f"{name}.expected.json").read_text(encoding="utf-8"))["agent"],
              SESSIONS / f"{name}.jsonl") for name in names]
    files += [(agent, path) for agent in ("claude", "codex") for path in sorted((DEMO / agent).glob("*.jsonl"))]
    for agent, path in files:
        moved = folder / path.name
        moved.write_text(_CWD.sub(rf'\1"{FOLDER}"', path.read_text(encoding="utf-8")), encoding="utf-8")
        memory.observe_file(agent, moved)
    memory.reflect()
    memory.materialize()
    return memory


def missing(text: str, task: Task) -> list[str]:
    """Patterns that no line of a payload holds."""
    lines = [line for line in text.splitlines() if line.startswith("- ")]
    return [p for p in task.must if not any(re.search(p, line, re.I) for line in lines)]


def shares(memory: Memory, budget: int) -> tuple[float, float]:
    """Mean share over tasks of the lines that are there: within the first 2,000 characters, and within the budget."""
    first, whole = [], []
    for task in tasks():
        text = memory.context(cwd=FOLDER, task=task.text, budget_chars=budget).text
        first.append(1 - len(missing(text[:VITAL], task)) / len(task.must))
        whole.append(1 - len(missing(text, task)) / len(task.must))
    return statistics.fmean(first), statistics.fmean(whole)


def table() -> Table:
    """A row a budget."""
    made = Table(f"What a session must know at its start: {len(tasks())} tasks, one crowded project",
                 ("budget, characters", "in the first 2,000", "in the whole payload"))
    with tempfile.TemporaryDirectory(prefix="bench-start-") as folder:
        memory = build(Path(folder))
        for budget in BUDGETS:
            first, whole = shares(memory, budget)
            made.add(str(budget), (f"{budget:,}", f"{first:.3f}", f"{whole:.3f}"))
    return made
