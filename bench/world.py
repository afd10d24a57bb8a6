"""Homes with many observations, made through the journal and the bulk load like a rebuild would make them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from agent_memory import ids
from agent_memory.model import lifecycle
from agent_memory.model.change import Change, PutEdge, PutNode
from agent_memory.model.graph import Agent, Edge, Project
from agent_memory.model.memory import Kind, MemoryNode, MemoryType, Priority, Scope
from agent_memory.model.transcript import Session
from agent_memory.paths import Home
from agent_memory.projects import project_id
from agent_memory.store.open import Store
from agent_memory.text.normal import content_hash

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
FOLDER = "/home/ada/code/bench"
_CHUNK = 5_000
_WORDS = 12_000


def words(rng: random.Random) -> list[str]:
    """Invented words, so that rare and common ones can be drawn with a natural skew."""
    parts = ["ba", "cor", "den", "fli", "gra", "hum", "jet", "kol", "lim", "mor", "nat", "pel", "qui", "ros", "sta",
             "tri", "und", "ver", "wol", "zet"]
    return sorted({"".join(rng.choice(parts) for _ in range(rng.randint(2, 4))) for _ in range(_WORDS)})


def sentence(rng: random.Random, vocabulary: list[str]) -> str:
    """About twenty words; low indexes are drawn far more often."""
    size = len(vocabulary)
    return " ".join(vocabulary[min(int(rng.paretovariate(0.6)) - 1, size - 1) if rng.random() < 0.4
                               else rng.randrange(size)] for _ in range(20)).capitalize() + "."


def observations(count: int) -> Iterator[list[Change]]:
    """Batches that make one project, a session for each hundred observations, and the observations."""
    rng = random.Random(7)
    vocabulary = words(rng)
    key = f"root:{FOLDER}"
    project = project_id(key)
    start = NOW - timedelta(days=400)
    batch: list[Change] = [PutNode(Agent("claude", "Claude Code")),
                           PutNode(Project(project, "bench", FOLDER, "", (key,), start))]
    session = ""
    for number in range(count):
        at = start + timedelta(seconds=number * 400 * 86_400 / count)
        if number % 100 == 0:
            session = ids.derive(at, "session", str(number))
            batch += [PutNode(Session(session, "claude", f"s{number}", project, "", FOLDER, "main", "", "", "", at)),
                      PutEdge(Edge("in_project", "Session", session, "Project", project, at))]
        batch += lifecycle.learn(_memory(number, at, session, project, sentence(rng, vocabulary)))
        if len(batch) >= _CHUNK:
            yield batch
            batch = []
    yield batch


def _memory(number: int, at: datetime, session: str, project: str, text: str) -> MemoryNode:
    kinds = (Kind.DECISION, Kind.LESSON, Kind.FACT, Kind.CONTEXT, Kind.PREFERENCE)
    return MemoryNode(
        id=ids.derive(at, "bench", str(number)), revision=1, type=MemoryType.OBSERVATION, kind=kinds[number % 5],
        text=text, raw="", content_hash=content_hash(text), topic_key="", scope=Scope.PROJECT, project=project, tags=(),
        agent="claude", session=session, message="", file=f"{FOLDER}/s{number // 100}.jsonl", line=number % 100 + 1,
        line_end=number % 100 + 1, sha256="", sources=(), observer="rules/1", rule="bench", operation="", created_at=at,
        recorded_at=at, valid_from=None, priority=Priority(number % 3 + 1))


def build(root: Path, count: int) -> Store:
    """A home with ``count`` observations, graph and search file included."""
    store = Store(Home(root), wait=600)
    for batch in observations(count):
        store.append(batch, at=NOW, actor="bench")
    store.catch_up()
    return store
