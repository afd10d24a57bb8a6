"""Facts that no longer hold: a later statement says so, or takes them back.

The older one is superseded only if the later one speaks of the same subject, does not weigh less, and nobody has
judged the pair; what a person pinned or wrote is contested instead (contradictions.py), never taken away.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from agent_memory.model.lifecycle import supersede
from agent_memory.model.memory import Kind, MemoryNode
from agent_memory.reflect.likeness import Features, features, opposite, other_value, overlap
from agent_memory.reflect.reversal import Replaced, replaced
from agent_memory.reflect.snapshot import Origin, Snapshot, fixed, touched, wall
from agent_memory.reflect.step import ACTOR, Step, quote

_CAN_END = frozenset({Kind.DECISION, Kind.PREFERENCE, Kind.PATTERN, Kind.ARCHITECTURE, Kind.FACT, Kind.CONTEXT,
                      Kind.NOTE})
_MOST = 8
"""A statement that would end more memories than this speaks of something else."""
_RULING = frozenset({Kind.DECISION, Kind.PREFERENCE, Kind.PATTERN, Kind.ARCHITECTURE})


def endings(snapshot: Snapshot) -> Iterator[Step]:
    """Steps that supersede what a later statement names as no longer true."""
    live = [m for m in snapshot.live() if m.id not in snapshot.lasting()]
    index: dict[tuple[tuple[str, str], str], list[MemoryNode]] = defaultdict(list)
    for memory in live:
        if memory.kind in _CAN_END and not fixed(memory):
            for token in _tokens(features(memory.text)):
                index[(wall(memory), token)].append(memory)
    gone: set[str] = set()
    for later in live:
        if later.kind not in _CAN_END or snapshot.origins.get(later.id) is Origin.TOOL:
            continue
        for change in replaced(later.text):
            named = _named_by(later, change, index)
            for older in named if len(named) <= _MOST else []:
                if older.id not in gone and later.id not in gone and not snapshot.related(older, later):
                    gone.add(older.id)
                    reason = f"{change.old} gave way to {change.new}" if change.new else f"{change.old} no longer holds"
                    yield Step("supersede", f"{quote(older)} no longer holds: {quote(later)} says that {reason}.",
                               (later, older), tuple(supersede(later, older, reason, ACTOR, snapshot.now)))


def _tokens(found: Features) -> frozenset[str]:
    return frozenset(found.words) | found.guards


def _named_by(later: MemoryNode, change: Replaced,
              index: dict[tuple[tuple[str, str], str], list[MemoryNode]]) -> list[MemoryNode]:
    """Older memories of one wall that affirm what ``change`` ends, and speak of the same subject."""
    old, new = _tokens(features(change.old)), _tokens(features(change.new))
    if not old or old <= new:
        return []
    rest = _tokens(features(later.text)) - old - new
    here = wall(later)
    rarest = min((index.get((here, token), []) for token in sorted(old)), key=len)
    return [m for m in rarest
            if m is not later and touched(m) < later.created_at and old <= _tokens(features(m.text))
            and _same_subject(m, later, old, rest) and not weighs_less(later, m) and _affirms(m, old)]


def _affirms(memory: MemoryNode, old: frozenset[str]) -> bool:
    """True if the text says that the old thing holds; itself speaking against it is not that."""
    return features(memory.text).negations == 0 and not any(
        _tokens(features(c.old)) & old for c in replaced(memory.text))


def _same_subject(older: MemoryNode, later: MemoryNode, old: frozenset[str], rest: frozenset[str]) -> bool:
    if older.topic_key and older.topic_key == later.topic_key:
        return True
    own = _tokens(features(older.text)) - old
    if not own:
        return True
    if not rest:
        return len(own) <= 2 and older.kind in _RULING
    return len(own & rest) * 3 >= min(len(own), len(rest)) * 2


def weighs_less(later: MemoryNode, older: MemoryNode) -> bool:
    """True if a later statement is too weak to end an earlier one: a remark against a preference, one against many."""
    if older.kind is Kind.PREFERENCE and later.kind not in (Kind.PREFERENCE, Kind.DECISION):
        return True
    return older.sessions >= 3 and later.sessions == 1 and later.confidence < older.confidence


def same_topic(snapshot: Snapshot) -> Iterator[Step]:
    """Steps that supersede the older of two statements on one topic that cannot both hold."""
    lasting = snapshot.lasting()
    topics: dict[tuple[object, ...], list[MemoryNode]] = defaultdict(list)
    for memory in snapshot.live():
        if memory.topic_key and memory.id not in lasting and memory.kind in _CAN_END:
            topics[(memory.topic_key, wall(memory), memory.type)].append(memory)
    for members in topics.values():
        members.sort(key=lambda m: (touched(m), m.id))
        gone: set[str] = set()
        for place, older in enumerate(members):
            for later in reversed(members[place + 1:]):
                why = clash(older, later)
                if (older.id in gone or not why or fixed(older) or snapshot.related(older, later)
                        or touched(older) == touched(later) or weighs_less(later, older)):
                    continue
                gone.add(older.id)
                yield Step("supersede", f"{quote(older)} no longer holds: {quote(later)} was said later on the same "
                           f"topic ({why}).", (later, older), tuple(supersede(later, older, why, ACTOR, snapshot.now)))


def clash(a: MemoryNode, b: MemoryNode) -> str:
    """Why two statements on one topic cannot both hold; "" if they can."""
    first, second = features(a.text), features(b.text)
    if opposite(first, second):
        return "one says the opposite of the other"
    value = other_value(first, second)
    if value:
        return f"{value[0]} against {value[1]}"
    shared = overlap(first, second)
    names = (first.guards - second.guards, second.guards - first.guards)
    swapped = (len(shared.only_a) + len(names[0]), len(shared.only_b) + len(names[1]))
    if swapped == (1, 1) and shared.common >= 2 and first.negations == second.negations:
        left, = (*shared.only_a, *names[0])
        right, = (*shared.only_b, *names[1])
        return f"{left} against {right}"
    return ""
