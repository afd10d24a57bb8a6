"""What a tool answers: plain data with stable names, lists that are never null, and the text of it."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from typing import Any, Final

from agent_memory import clock
from agent_memory.errors import AgentMemoryError
from agent_memory.model.memory import MemoryNode
from agent_memory.notes.relations import Relation
from agent_memory.recall.hit import Hit

LONGEST: Final = 60_000
"""Characters of an answer; longer texts in it are cut and say so."""
_CUT: Final = 4_000


def plain(value: Any) -> Any:
    """``value`` as JSON data: memories and relations in their short form, times as ISO text, states as words."""
    match value:
        case MemoryNode():
            return memory(value)
        case Relation():
            return relation(value)
        case Hit():
            return value.as_json()
        case datetime():
            return clock.text(value)
        case Enum():
            return getattr(value, "word", value.value)
        case None | bool() | int() | float() | str():
            return value
        case Mapping():
            return {str(k): plain(v) for k, v in value.items()}
        case list() | tuple() | set() | frozenset():
            return [plain(v) for v in value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    return str(value)


def memory(node: MemoryNode) -> dict[str, Any]:
    """A memory as tools show it."""
    return {"id": node.id, "revision": node.revision, "type": node.type.value, "kind": node.kind.value,
            "text": node.raw or node.text, "status": node.status.word, "priority": node.priority.word,
            "scope": node.scope.value, "topic_key": node.topic_key, "tags": list(node.tags), "pinned": node.pinned,
            "seen": node.seen, "created_at": clock.text(node.created_at),
            "review_after": None if node.review_after is None else clock.text(node.review_after)}


def relation(found: Relation) -> dict[str, Any]:
    """A relation as tools show it."""
    ends = {name: {"id": m.id, "text": m.raw or m.text, "status": m.status.word}
            for name, m in (("a", found.source), ("b", found.target))}
    return {"id": found.id, "relation": found.relation, "status": found.status, "confidence": found.confidence,
            "reason": found.reason, **ends}


def error(problem: AgentMemoryError) -> dict[str, Any]:
    """An error as tools show it."""
    return {"error": {"code": problem.code, "message": problem.message, "hint": problem.hint}}


def text(data: Mapping[str, Any]) -> str:
    """The data as compact JSON text that any stream can carry."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace").decode()


def bounded(data: dict[str, Any]) -> dict[str, Any]:
    """The data with its longest texts cut, if it is too long for an answer."""
    if len(text(data)) <= LONGEST:
        return data
    most = _CUT
    while most > 100 and len(text(cut := _shorten(data, most))) > LONGEST:
        most //= 2
        data = cut
    shown: dict[str, Any] = _shorten(data, most)
    while len(text(shown)) > LONGEST:
        lists = ((k, v) for k, v in shown.items() if isinstance(v, list))
        name, longest = max(lists, key=lambda pair: len(text({"": pair[1]})), default=("", []))
        if not longest:
            break
        shown = {**shown, name: longest[:len(longest) // 2], "cut": True}
    return shown


def _shorten(value: Any, most: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= most else value[:most] + f" … [{len(value) - most} characters more]"
    if isinstance(value, dict):
        return {k: _shorten(v, most) for k, v in value.items()}
    return [_shorten(v, most) for v in value] if isinstance(value, list) else value
