"""Ask a model what rules cannot see: paraphrases, quiet reversals, what is worth keeping for good.

It is shown numbered memories of one wall (project, or meant for everywhere) in chunks of bounded size, new ones with
their nearest older neighbours, and answers with a patch (patch.py). A question never grows with the graph, and the
number of questions in a run is bounded.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from agent_memory.errors import BudgetExhausted, ModelError
from agent_memory.llm.asking import Model
from agent_memory.llm.base import Question, Turn, tokens
from agent_memory.model.memory import MemoryNode, MemoryType
from agent_memory.reflect import patch
from agent_memory.reflect.likeness import features
from agent_memory.reflect.snapshot import Snapshot, fixed, wall
from agent_memory.reflect.step import Step

CHUNK_MEMORIES = 60
CHUNK_TOKENS = 6_000
QUESTIONS = 8
"""Questions in one run at most; the newest memories come first."""
_NEW_IN_CHUNK = 30
_NEIGHBOURS = 3


class ModelConsultant:
    """Consults a language model (llm/asking.py)."""

    def __init__(self, model: Model, *, questions: int = QUESTIONS) -> None:
        self._model = model
        self._questions = questions
        self.actor = f"reflector/{model.name}/1"

    def propose(self, snapshot: Snapshot, new: Sequence[MemoryNode]) -> tuple[list[Step], tuple[str, ...]]:
        """Ask about new memories, chunk by chunk; a patch that is refused or missing leaves its chunk as it was."""
        found: list[Step] = []
        notes: dict[str, None] = {}
        for number, ids in enumerate(_chunks(snapshot, new)):
            if number >= self._questions:
                notes["Not all new memories were shown to the model; the next run goes on with rules."] = None
                break
            live = {m.id for m in snapshot.live()}
            shown = [snapshot.memories[i] for i in ids if i in live]
            if len(shown) < 2:
                continue
            try:
                steps, note = self._ask(snapshot, shown)
            except BudgetExhausted as problem:
                notes[f"The model was not asked to reflect: {problem.message}."] = None
                break
            except ModelError as problem:
                notes[f"{problem.message}; memories stay as the rules left them."] = None
                continue
            if note:
                notes[note] = None
            for step in steps:
                snapshot.advance(step.changes)
            found += steps
        return found, tuple(notes)

    def _ask(self, snapshot: Snapshot, shown: list[MemoryNode]) -> tuple[list[Step], str]:
        answer = self._model.ask(_question(shown), lambda value: patch.read(value, shown), purpose="reflect")
        if not answer.value:
            return [], ""
        why = patch.refusal(answer.value, snapshot, len(shown))
        if why:
            return [], f"A patch of the model was dropped as a whole: {why}."
        return patch.steps(answer.value, snapshot, self.actor), ""


@cache
def _instructions() -> str:
    return (files("agent_memory.reflect") / "prompts" / "reflect.md").read_text(encoding="utf-8")


def _question(shown: Sequence[MemoryNode]) -> Question:
    lines = [_line(number, memory) for number, memory in enumerate(shown, 1)]
    return Question((Turn("system", _instructions()), Turn("user", "\n".join(lines))), patch.SCHEMA, "patch", 2_000)


def _line(number: int, memory: MemoryNode) -> str:
    said = f"{memory.created_at:%Y-%m-%d}, {memory.type.value}, {memory.kind.value}, sessions {memory.sessions}"
    return f"[{number}] ({said}{', fixed' if fixed(memory) else ''}) {' '.join(memory.text.split())}"


def _chunks(snapshot: Snapshot, new: Sequence[MemoryNode]) -> Iterator[list[str]]:
    """Ids to show together: new memories of one wall, newest first, with their nearest others; then oldest first."""
    walls: dict[tuple[str, str], list[MemoryNode]] = defaultdict(list)
    lasting = snapshot.lasting()
    for memory in snapshot.live():
        if memory.type is MemoryType.OBSERVATION or memory.id not in lasting:
            walls[wall(memory)].append(memory)
    fresh = {m.id for m in new}
    for _, members in sorted(walls.items()):
        index: dict[str, list[MemoryNode]] = defaultdict(list)
        for memory in members:
            for word in set(features(memory.text).words):
                index[word].append(memory)
        ahead = sorted((m for m in members if m.id in fresh), key=lambda m: (m.created_at, m.id))
        while ahead:
            chunk = _fill(ahead, index)
            yield [m.id for m in sorted(chunk, key=lambda m: (m.created_at, m.id))]


def _fill(ahead: list[MemoryNode], index: dict[str, list[MemoryNode]]) -> list[MemoryNode]:
    """Take memories off the end of ``ahead`` into one chunk, each with its nearest others, while there is room."""
    chunk: dict[str, MemoryNode] = {}
    size = taken = 0
    while ahead and taken < _NEW_IN_CHUNK:
        for memory in [ahead[-1], *_nearest(ahead[-1], index)]:
            cost = tokens(memory.text) + 24
            if memory.id in chunk:
                continue
            if len(chunk) >= CHUNK_MEMORIES or size + cost > CHUNK_TOKENS:
                break
            chunk[memory.id] = memory
            size += cost
        if ahead[-1].id not in chunk and chunk:
            break  # it begins the next chunk
        ahead.pop()  # taken, or larger than a whole question
        taken += 1
    return list(chunk.values())


def _nearest(memory: MemoryNode, index: dict[str, list[MemoryNode]]) -> list[MemoryNode]:
    shared: Counter[str] = Counter()
    by_id: dict[str, MemoryNode] = {}
    for word in sorted(set(features(memory.text).words)):
        for other in index[word][-200:]:
            if other.id != memory.id:
                shared[other.id] += 1
                by_id[other.id] = other
    return [by_id[i] for i, _ in sorted(shared.items(), key=lambda x: (-x[1], x[0]))[:_NEIGHBOURS]]
