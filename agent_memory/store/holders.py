"""Which nodes, edges and cursors hold a text, so that a purge can take them out."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from agent_memory.model.change import Change, PutEdge, PutNode, SetCursor
from agent_memory.model.graph import MEMORY_TABLES, Node, key_of, table_of
from agent_memory.model.memory import MemoryNode
from agent_memory.text.normal import normalise

SHORTEST: Final = 4
"""Normalised texts shorter than this are looked for as whole fields only."""

_GRAM: Final = 8
_WHOLE: Final = frozenset({"Message", "ToolEvent", "Symbol", "File", *MEMORY_TABLES.values()})
"""Tables whose nodes go as a whole when one of their fields holds the text; in others the field is emptied."""

_ESCAPE: Final = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(.))', re.S)
_PLAIN: Final = {"n": "\n", "t": "\t", "r": "\r", "b": " ", "f": " "}


def _unescape(text: str) -> str:
    """JSON escapes undone, as far as they go; tool input is JSON inside a text."""
    return _ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else _PLAIN.get(m[2], m[2]), text)


class Finder:
    """Finds normalised texts inside others. Cost follows the length of what is searched, not the number of texts."""

    def __init__(self, texts: Iterable[str]) -> None:
        needles = {normalise(t) for t in texts} - {""}
        self._exact = frozenset(n for n in needles if len(n) < SHORTEST)
        self._few = sorted(n for n in needles if SHORTEST <= len(n) < _GRAM)
        self._long = sorted(n for n in needles if len(n) >= _GRAM)
        self._grams: dict[str, list[str]] = {}
        for needle in self._long:
            self._grams.setdefault(needle[:_GRAM], []).append(needle)

    def __bool__(self) -> bool:
        return bool(self._exact or self._few or self._long)

    def inside(self, text: str) -> bool:
        """True if one of the texts stands in ``text``, in whatever case, spacing and escaping."""
        if not text:
            return False
        return self._inside(normalise(text)) or ("\\" in text and self._inside(normalise(_unescape(text))))

    def _inside(self, text: str) -> bool:
        if text in self._exact or any(n in text for n in self._few):
            return True
        if len(self._long) <= 40:
            return any(n in text for n in self._long)
        return any(text.startswith(n, at) for at in range(len(text) - _GRAM + 1)
                   for n in self._grams.get(text[at:at + _GRAM], ()))


def fields_with(value: Any, finder: Finder) -> list[str]:
    """Names of the text fields of a node, edge or cursor that hold one of the texts."""
    found = []
    for spot in dataclasses.fields(value):
        content = getattr(value, spot.name)
        if (isinstance(content, str) and finder.inside(content)) or (
                isinstance(content, tuple) and any(isinstance(c, str) and finder.inside(c) for c in content)):
            found.append(spot.name)
    return found


def goes_whole(node: Node) -> bool:
    """True if a node that holds the text is removed, false if only its field is emptied."""
    return table_of(node) in _WHOLE


@dataclass(frozen=True, slots=True)
class Hit:
    """A node that holds one of the texts, by table and key; ``fields`` where."""

    table: str
    key: str
    fields: tuple[str, ...]
    whole: bool


def hits(nodes: Iterable[Node], finder: Finder) -> Iterator[Hit]:
    """Nodes that hold one of the texts."""
    for node in nodes:
        if found := fields_with(node, finder):
            yield Hit(table_of(node), key_of(node), tuple(found), goes_whole(node))


def blanked(change: Change, finder: Finder) -> tuple[str, ...]:
    """Fields of a change that have to be emptied because they hold one of the texts; keys are never emptied."""
    match change:
        case PutNode(node) if not goes_whole(node):
            return tuple(f for f in fields_with(node, finder) if f not in ("id", "subject", "session", "project"))
        case PutEdge(edge) if finder.inside(edge.reason):
            return ("reason",)
        case SetCursor(cursor):
            return tuple(f for f in fields_with(cursor, finder) if f in ("state", "seen"))
    return ()


def lineage(memory: MemoryNode) -> tuple[str, ...]:
    """The texts by which a revision is known."""
    return tuple(t for t in (memory.text, memory.raw) if t.strip())
