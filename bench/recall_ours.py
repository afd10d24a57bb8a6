"""Our own recall, as a program uses it: `Memory.add_items`, then `Memory.recall`."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agent_memory import Memory
from agent_memory.recall import links

NOW = datetime(2026, 11, 30, tzinfo=UTC)
Doc = dict[str, Any]


class Ours:
    """A home of its own for each collection. ``model`` is a folder with an encoder, for the semantic arm."""

    def __init__(self, depth: int, *, model: Path | None = None, linked: bool = True) -> None:
        self._depth, self._linked = depth, linked
        self._folder = tempfile.TemporaryDirectory(prefix="bench-recall-")
        self._memory = Memory(Path(self._folder.name), now=lambda: NOW, semantic=str(model) if model else "")

    def index(self, docs: Sequence[Doc]) -> int:
        """Add the documents; gives the bytes of the whole home: journal, graph and search file."""
        self._memory.add_items(docs)
        return sum(f.stat().st_size for f in Path(self._folder.name).rglob("*") if f.is_file())

    def search(self, question: str) -> list[str]:
        """Ids, best first."""
        with _links(self._linked):
            return [h.external_id for h in self._memory.recall(question, limit=self._depth)]

    def close(self) -> None:
        """Remove the home."""
        self._folder.cleanup()


@contextmanager
def _links(on: bool) -> Iterator[None]:
    """Links count as shipped, or not at all: the lexical arm alone."""
    kept = links.BLOCK, links.NEXT
    if not on:
        links.BLOCK = links.NEXT = 0.0  # type: ignore[misc]
    try:
        yield
    finally:
        links.BLOCK, links.NEXT = kept  # type: ignore[misc]


def systems(depth: int, model: Path | None) -> dict[str, Callable[[], Any]]:
    """Makers by name; the semantic one only with a model."""
    made: dict[str, Callable[[], Any]] = {
        "ours: words": lambda: Ours(depth, linked=False),
        "ours: words + links": lambda: Ours(depth),
    }
    if model:
        made["ours: words + links + meaning"] = lambda: Ours(depth, model=model)
    return made
