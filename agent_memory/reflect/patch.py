"""A model's patch in a strict envelope: all of it is right, or none of it is used.

    {"version": 1, "operations": [{"op": "merge", "keep": 3, "others": [5], "into": "", "reason": "…"}]}

Numbers are those the model was shown. A patch is refused as a whole if anything in it is malformed, unknown, used
twice, touches what a person pinned or wrote, loses a number or a negation in a merge, replaces a later memory by an
earlier one, promotes tool output to a rule, or takes away more than half of what was shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from agent_memory.llm.asking import Unusable
from agent_memory.model.lifecycle import supersede
from agent_memory.model.memory import MemoryNode, MemoryType, Status
from agent_memory.reflect.contradictions import contest
from agent_memory.reflect.likeness import features
from agent_memory.reflect.near import merge
from agent_memory.reflect.promote import promote
from agent_memory.reflect.snapshot import Origin, Snapshot, fixed, touched
from agent_memory.reflect.step import Step, quote

VERSION = 1
_OPS = ("merge", "promote", "retire", "contest")
_INTO = {"preference": MemoryType.PREFERENCE, "principle": MemoryType.PRINCIPLE, "reflection": MemoryType.REFLECTION}
_KEYS = frozenset({"op", "keep", "others", "into", "reason"})
_LONGEST_REASON = 300

SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "version": {"type": "integer", "enum": [VERSION]},
        "operations": {"type": "array", "items": {
            "type": "object",
            "properties": {
                "op": {"type": "string", "enum": list(_OPS)},
                "keep": {"type": "integer"},
                "others": {"type": "array", "items": {"type": "integer"}},
                "into": {"type": "string", "enum": ["", *_INTO]},
                "reason": {"type": "string"}},
            "required": sorted(_KEYS), "additionalProperties": False}}},
    "required": ["version", "operations"], "additionalProperties": False}
"""What a model must answer with."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One proposal, with the memories its numbers stand for."""

    op: str
    keep: MemoryNode
    others: tuple[MemoryNode, ...]
    into: MemoryType | None
    reason: str


def read(value: object, shown: Sequence[MemoryNode]) -> list[Operation]:
    """The operations of a patch; ``shown`` holds number 1 first.

    Raises:
        Unusable: the envelope is broken anywhere; the message tells the model where.
    """
    if not isinstance(value, dict) or set(value) != {"version", "operations"}:
        raise Unusable('the answer must have exactly "version" and "operations"')
    if (value["version"] is not True and value["version"] != VERSION) or isinstance(value["version"], bool):
        raise Unusable(f'"version" must be {VERSION}')
    if not isinstance(value["operations"], list):
        raise Unusable('"operations" must be a list')
    found: list[Operation] = []
    used: set[str] = set()
    for place, item in enumerate(value["operations"], 1):
        operation = _operation(item, shown, f"operation {place}")
        ids = {operation.keep.id, *(m.id for m in operation.others)}
        if len(ids) != 1 + len(operation.others) or ids & used:
            raise Unusable(f"operation {place} uses a number twice")
        used |= ids
        found.append(operation)
    return found


def _operation(item: object, shown: Sequence[MemoryNode], where: str) -> Operation:
    if not isinstance(item, dict) or set(item) != _KEYS:
        raise Unusable(f"{where} must have exactly {', '.join(sorted(_KEYS))}")
    if item["op"] not in _OPS or not isinstance(item["op"], str):
        raise Unusable(f"{where}: unknown op")
    if not isinstance(item["others"], list):
        raise Unusable(f'{where}: "others" must be a list')
    if not isinstance(item["reason"], str) or not item["reason"].strip() or len(item["reason"]) > _LONGEST_REASON:
        raise Unusable(f"{where}: give a reason of at most {_LONGEST_REASON} characters")
    into = item["into"] if isinstance(item["into"], str) else "?"
    if (into in _INTO) != (item["op"] == "promote") or (into and into not in _INTO):
        raise Unusable(f'{where}: "into" must be a type for promote, and empty for all others')
    wanted = {"merge": len(item["others"]) >= 1, "promote": True, "retire": len(item["others"]) == 1,
              "contest": len(item["others"]) == 1}
    if not wanted[item["op"]]:
        raise Unusable(f'{where}: wrong number of "others"')
    return Operation(item["op"], _memory(item["keep"], shown, where),
                     tuple(_memory(n, shown, where) for n in item["others"]), _INTO.get(into),
                     " ".join(item["reason"].split()))


def _memory(number: object, shown: Sequence[MemoryNode], where: str) -> MemoryNode:
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= len(shown):
        raise Unusable(f"{where}: {str(number)[:20]} is not a number that was shown")
    return shown[number - 1]


def refusal(operations: Sequence[Operation], snapshot: Snapshot, shown: int) -> str:
    """Why a well-formed patch must not be used; "" if it may."""
    for operation in operations:
        members = (operation.keep, *operation.others)
        if any(fixed(m) for m in members):
            return f"it touches {quote(next(m for m in members if fixed(m)))}, which is pinned or a person's own"
        reason = _CHECKS[operation.op](operation, snapshot)
        if reason:
            return reason
    taken = sum(len(o.others) for o in operations if o.op in ("merge", "retire"))
    return f"it takes away {taken} of {shown} memories" if taken * 2 > shown else ""


def _check_merge(operation: Operation, snapshot: Snapshot) -> str:
    kept = features(operation.keep.text)
    for other in operation.others:
        lost = features(other.text)
        if lost.numbers - kept.numbers or (lost.negations == 0) != (kept.negations == 0):
            return f"merging {quote(other)} into {quote(operation.keep)} would lose a number or a negation"
        if other.type is not operation.keep.type:
            return f"{quote(other)} and {quote(operation.keep)} are not of one type"
        if snapshot.related(other, operation.keep):
            return f"how {quote(other)} and {quote(operation.keep)} relate has been judged before"
    return ""


def _check_promote(operation: Operation, snapshot: Snapshot) -> str:
    if operation.keep.type is not MemoryType.OBSERVATION or operation.keep.status is not Status.ACTIVE:
        return f"{quote(operation.keep)} is not an active observation"
    condensed = {i for sources in snapshot.lasting().values() for i in sources}
    if operation.keep.id in condensed:
        return f"{quote(operation.keep)} is lasting already"
    if operation.into is MemoryType.REFLECTION:
        return ""
    if snapshot.origins.get(operation.keep.id) is Origin.TOOL:
        return f"{quote(operation.keep)} rests on tool output and cannot become a rule"
    return ""


def _check_pair(operation: Operation, snapshot: Snapshot) -> str:
    other = operation.others[0]
    if snapshot.related(operation.keep, other):
        return f"how {quote(operation.keep)} and {quote(other)} relate has been judged before"
    if operation.op == "retire" and touched(other) >= touched(operation.keep):
        return f"{quote(other)} is not older than {quote(operation.keep)}"
    return ""


_CHECKS = {"merge": _check_merge, "promote": _check_promote, "retire": _check_pair, "contest": _check_pair}


def steps(operations: Sequence[Operation], snapshot: Snapshot, actor: str) -> list[Step]:
    """Turn a patch that may be used into steps."""
    found = []
    for operation in operations:
        keep, others, reason = operation.keep, operation.others, operation.reason
        if operation.op == "merge":
            found.append(merge(keep, list(others), snapshot.now, f"says the same: {reason}", actor))
        elif operation.op == "promote" and operation.into is not None:
            found.append(promote(snapshot, keep, operation.into, reason, actor=actor, others=others))
        elif operation.op == "retire":
            found.append(Step("supersede", f"{quote(others[0])} no longer holds, {quote(keep)} replaces it: {reason}",
                              (keep, *others), tuple(supersede(keep, others[0], reason, actor, snapshot.now))))
        else:
            older, later = sorted((keep, others[0]), key=lambda m: (touched(m), m.id))
            found.append(contest(older, later, reason, "a model cannot tell which holds", snapshot, actor))
    return found
