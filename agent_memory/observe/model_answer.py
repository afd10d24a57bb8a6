"""From a model's answer to candidates: what it may not say is dropped, with the reason."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from agent_memory.llm.asking import Unusable
from agent_memory.model.candidate import MAX_TEXT, Candidate, Dropped
from agent_memory.model.memory import Kind, Priority, Scope, kind_of
from agent_memory.model.transcript import Message, Role, ToolEvent
from agent_memory.observe.model_windows import Record, Window
from agent_memory.text.marker import neutralise
from agent_memory.text.normal import content_hash, without_surrogates

RULE = "model"
_KINDS = ("decision", "preference", "lesson", "fact", "context", "pattern", "architecture", "note")
_NUMBER = re.compile(r"\d{2,}")

SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "observations": {"type": "array", "items": {
            "type": "object",
            "properties": {
                "text": {"type": "string"},
                "kind": {"type": "string", "enum": list(_KINDS)},
                "priority": {"type": "string", "enum": ["red", "yellow", "green"]},
                "scope": {"type": "string", "enum": ["project", "personal"]},
                "lines": {"type": "array", "items": {"type": "integer"}}},
            "required": ["text", "kind", "priority", "scope", "lines"], "additionalProperties": False}},
        "taken_back": {"type": "array", "items": {"type": "integer"}}},
    "required": ["observations", "taken_back"], "additionalProperties": False}
"""What a model must answer with; ``lines`` and ``taken_back`` are numbers it was shown."""


@dataclass(frozen=True, slots=True)
class Read:
    """An answer as data: raw items, and numbers of notes that no longer stand."""

    items: tuple[Mapping[str, Any], ...]
    taken_back: tuple[int, ...]


def read(value: object) -> Read:
    """The shape of an answer.

    Raises:
        Unusable: it is not what the schema says; the message tells the model what is wrong.
    """
    if isinstance(value, list):
        value = {"observations": value}  # a bare list is clear enough
    if not isinstance(value, dict) or not isinstance(value.get("observations"), list):
        raise Unusable('there is no list "observations"')
    items = [i for i in value["observations"] if isinstance(i, dict) and isinstance(i.get("text"), str)]
    if value["observations"] and not items:
        raise Unusable('no item of "observations" is an object with a "text"')
    back = value.get("taken_back")
    return Read(tuple(items), tuple(n for n in back if _is_number(n)) if isinstance(back, list) else ())


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def candidates(answer: Read, window: Window, known: Sequence[Candidate]) -> tuple[list[Candidate], list[Dropped]]:
    """Check each item against what was shown."""
    kept: list[Candidate] = []
    dropped: list[Dropped] = []
    hashes = {content_hash(c.text) for c in known}
    for item in answer.items:
        made = _candidate(item, window)
        if isinstance(made, Candidate) and content_hash(made.text) in hashes:
            made = _drop(made.text, "said before", made.cites)
        if isinstance(made, Candidate):
            hashes.add(content_hash(made.text))
            kept.append(made)
        else:
            dropped.append(made)
    return kept, dropped


def _candidate(item: Mapping[str, Any], window: Window) -> Candidate | Dropped:
    text = neutralise(" ".join(without_surrogates(item["text"]).split()))
    numbers = [n for n in item.get("lines") or () if _is_number(n)] if isinstance(item.get("lines"), list) else []
    shown = [(n, line) for n in dict.fromkeys(numbers) if (line := window.shown(n)) is not None]
    cites = tuple(sorted((line.record for _, line in shown), key=_authority))
    kind = kind_of(str(item.get("kind", "")))
    if not text or len(text) > MAX_TEXT:
        return _drop(text, "too long" if text else "empty", cites)
    if not cites:
        return _drop(text, "cites no line it was shown", cites)
    if not any(window.is_new(n) for n, _ in shown):
        return _drop(text, "rests on earlier lines only", cites)
    if kind is None:
        return _drop(text, f"unknown kind {str(item.get('kind'))[:40]!r}", cites)
    if kind in (Kind.DECISION, Kind.PREFERENCE) and all(isinstance(r, ToolEvent) for r in cites):
        return _drop(text, "tool output", cites)
    if invented := [n for n in _NUMBER.findall(text) if n not in window.text()]:
        return _drop(text, f"{invented[0]} stands in no line it was shown", cites)
    said = any(isinstance(r, Message) and r.role is Role.PERSON for r in cites)
    scope = Scope.PERSONAL if said and item.get("scope") == "personal" else Scope.PROJECT
    return Candidate(text, kind, _priority(item.get("priority")), cites, RULE, 0.7 if said else 0.6, scope)


def _authority(record: Record) -> tuple[int, int]:
    """A person's words come first, then an agent's, then tools: the first cite is where it was said."""
    if isinstance(record, ToolEvent):
        return (2, record.seq)
    return (0 if record.role is Role.PERSON else 1, record.seq)


def _priority(word: object) -> Priority:
    return {"red": Priority.RED, "yellow": Priority.YELLOW}.get(str(word).lower(), Priority.GREEN)


def _drop(text: str, reason: str, cites: Sequence[Record]) -> Dropped:
    where = cites[0] if cites else None
    return Dropped(text[:MAX_TEXT], RULE, reason, where.line if where else 0, where.file if where else "")
