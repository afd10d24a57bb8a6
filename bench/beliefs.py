"""Which memories may be returned at all: a small invented world, and questions with exactly what may come back.

`beliefs.csv` has the memories of five projects and of their person (project ``*``): replaced, forgotten, expired, and
some that say nothing of use. `beliefs_questions.csv` asks from inside a project; no expected id means that nothing may
come back. Cut and floor (recall/weigh.py) are chosen on the half ``dev``; the half ``test`` is what is held to.
"""

from __future__ import annotations

import csv
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from agent_memory import Memory, ids
from agent_memory.model import lifecycle
from agent_memory.model.change import Change, PutNode
from agent_memory.model.graph import Agent, Project
from agent_memory.model.memory import Kind, MemoryNode, MemoryType, Priority, Scope
from agent_memory.projects import project_id
from agent_memory.text.normal import content_hash
from bench.recall_page import Table

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
START = NOW - timedelta(days=60)
HERE = Path(__file__).parent
HEADINGS = ("half", "questions", "precision", "recall", "nothing where nothing is right", "forbidden ones returned")


@dataclass(frozen=True)
class Question:
    """``allowed`` are ids of beliefs.csv; empty means that nothing may be returned."""

    half: str
    project: str
    allowed: frozenset[str]
    about: str
    text: str


@dataclass(frozen=True)
class Judged:
    """Precision and recall are means over questions: an empty answer is precise only where nothing is right."""

    questions: int
    precision: float
    recall: float
    abstained: float
    forbidden: int
    """Hits that may never be seen from there: replaced, forgotten, expired, or of another project."""


def questions(half: str = "") -> list[Question]:
    """The labelled questions, of one half or all."""
    with (HERE / "beliefs_questions.csv").open(encoding="utf-8", newline="") as file:
        return [Question(row["half"], row["project"], frozenset(row["expected"].split()), row["about"], row["question"])
                for row in csv.DictReader(file) if half in ("", row["half"])]


def build(home: Path) -> tuple[Memory, dict[str, tuple[str, str, str]]]:
    """The world in a home; and by memory id: its name in the file, its project and its state."""
    with (HERE / "beliefs.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    memory = Memory(home, now=lambda: NOW)
    changes: list[Change] = [PutNode(Agent("claude", "Claude Code"))]
    for name in dict.fromkeys(row["project"] for row in rows if row["project"] != "*"):
        key = f"root:/home/ada/{name}"
        changes.append(PutNode(Project(project_id(key), name, f"/home/ada/{name}", "", (key,), START)))
    made = {row["id"]: _node(number, row) for number, row in enumerate(rows)}
    for node in made.values():
        changes += lifecycle.learn(node)
    for row in rows:
        state, _, other = row["state"].partition(":")
        if state == "superseded":
            changes += lifecycle.supersede(made[other], made[row["id"]], "said anew", "bench", NOW - timedelta(days=1))
        elif state == "retired":
            changes += lifecycle.retire(made[row["id"]], "forgotten", "bench", NOW - timedelta(days=1))
    memory.store.append(changes, at=NOW, actor="bench")
    memory.store.catch_up()
    return memory, {made[row["id"]].id: (row["id"], row["project"], row["state"]) for row in rows}


def _node(number: int, row: dict[str, str]) -> MemoryNode:
    at, own = START + timedelta(hours=7 * number), row["project"] == "*"
    return MemoryNode(
        id=ids.derive(at, "belief", row["id"]), revision=1,
        type=MemoryType.PREFERENCE if own and row["kind"] == "preference" else MemoryType.OBSERVATION,
        kind=Kind(row["kind"]), text=row["text"], raw="", content_hash=content_hash(row["text"]), topic_key="",
        scope=Scope.PERSONAL if own else Scope.PROJECT,
        project="" if own else project_id(f"root:/home/ada/{row['project']}"), tags=(), agent="claude", session="",
        message="", file="", line=0, line_end=0, sha256="", sources=(), observer="person", rule="", operation="",
        created_at=at, recorded_at=at, valid_from=None, priority=Priority(number % 3 + 1),
        expires_at=NOW - timedelta(days=2) if row["state"] == "expired" else None)


def judge(memory: Memory, known: dict[str, tuple[str, str, str]], asked: Sequence[Question]) -> Judged:
    """Ask with the limits that recall has by itself."""
    precision, recall, abstained, forbidden = [], [], [], 0
    for question in asked:
        hits = [known[h.id] for h in memory.recall(question.text, project=question.project)]
        names = {name for name, _, _ in hits}
        right = len(names & question.allowed)
        forbidden += sum(1 for _, project, state in hits if state or project not in ("*", question.project))
        if question.allowed:
            recall.append(right / len(question.allowed))
        else:
            abstained.append(float(not hits))
        precision.append(right / len(hits) if hits else float(not question.allowed))
    return Judged(len(asked), statistics.fmean(precision), statistics.fmean(recall), statistics.fmean(abstained),
                  forbidden)


def table() -> Table:
    """Both halves as a table."""
    made = Table("Which memories may be returned: 136 memories, 131 questions", HEADINGS)
    with tempfile.TemporaryDirectory(prefix="bench-beliefs-") as folder:
        memory, known = build(Path(folder))
        for half in ("dev", "test"):
            found = judge(memory, known, questions(half))
            made.add(half, (half, str(found.questions), f"{found.precision:.3f}", f"{found.recall:.3f}",
                            f"{found.abstained:.3f}", str(found.forbidden)))
    return made
