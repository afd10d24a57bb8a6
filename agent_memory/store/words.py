"""The fields of a node that hold words, as against ids and hashes, and how to rewrite them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, Final

from agent_memory.model.change import Batch, Change, PutEdge, PutNode, SetCursor
from agent_memory.model.graph import Node
from agent_memory.model.memory import MemoryNode
from agent_memory.text.normal import content_hash

NOT_WORDS: Final = frozenset({
    "id", "session", "message", "project", "content_hash", "sha256", "record", "parent", "subject", "host_id", "agent"})
"""Text fields that hold ids and hashes: a detector of secrets would take them for keys."""

Rewrite = Callable[[str], str]


def words(node: Node) -> list[str]:
    """All words in a node, lists included."""
    found: list[str] = []
    for spot in dataclasses.fields(node):
        value = getattr(node, spot.name)
        if spot.name in NOT_WORDS:
            continue
        if type(value) is str and value:
            found.append(value)
        elif isinstance(value, tuple):
            found += [v for v in value if isinstance(v, str)]
    return found


def rewritten(node: Node, rewrite: Rewrite) -> Node:
    """The node with its words rewritten, the same object if nothing changes; a memory's hash follows its text."""
    changed: dict[str, Any] = {}
    for spot in dataclasses.fields(node):
        value = getattr(node, spot.name)
        if spot.name in NOT_WORDS or not value:
            continue
        if type(value) is str:
            new: Any = rewrite(value)
        elif isinstance(value, tuple):
            new = tuple(rewrite(v) if isinstance(v, str) else v for v in value)
        else:
            continue
        if new != value:
            changed[spot.name] = new
    if "text" in changed and isinstance(node, MemoryNode):
        changed["content_hash"] = content_hash(changed["text"])
    return dataclasses.replace(node, **changed) if changed else node


def rewritten_batch(batch: Batch, rewrite: Rewrite) -> Batch:
    """The batch with all words rewritten, the same object if nothing changes."""
    changes = tuple(_rewritten_change(c, rewrite) for c in batch.changes)
    if all(a is b for a, b in zip(changes, batch.changes, strict=True)):
        return batch
    return dataclasses.replace(batch, changes=changes)


def _rewritten_change(change: Change, rewrite: Rewrite) -> Change:
    match change:
        case PutNode(node):
            new = rewritten(node, rewrite)
            return change if new is node else PutNode(new)
        case PutEdge(edge) if edge.reason and (reason := rewrite(edge.reason)) != edge.reason:
            return PutEdge(dataclasses.replace(edge, reason=reason))
        case SetCursor(cursor) if cursor.state and rewrite(cursor.state) != cursor.state:
            # the parser's own state is JSON: an open tool call less is better than broken JSON
            return SetCursor(dataclasses.replace(cursor, state="{}"))
    return change
