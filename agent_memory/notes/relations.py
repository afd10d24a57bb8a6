"""How two memories relate: proposed by anyone or by the scan, decided by a judgement, obeyed by every read path."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from agent_memory.errors import AmbiguousError, NotFoundError, UsageError
from agent_memory.model import lifecycle
from agent_memory.model.change import Change, PutEdge
from agent_memory.model.graph import RELATIONS, Edge, table_of
from agent_memory.model.memory import VISIBLE, MemoryNode, MemoryType, Status
from agent_memory.notes.model_relations import Proposal, Proposer
from agent_memory.notes.saving import contradiction
from agent_memory.reflect.likeness import Features, features
from agent_memory.reflect.snapshot import lineage, wall
from agent_memory.reflect.supersede import clash
from agent_memory.store.base import GraphStore
from agent_memory.store.open import Store

_NEIGHBOURS: Final = 48
_SHOWN: Final = 200
_CONTESTING: Final = frozenset({"supersedes", "conflicts_with"})


@dataclass(frozen=True, slots=True)
class Relation:
    """What was said about two memories. ``id`` names it for `judge`; ``status`` is pending, judged or ignored."""

    id: str
    relation: str
    status: str
    confidence: float
    reason: str
    at: datetime
    source: MemoryNode
    target: MemoryNode
    settled: bool = False  # one side no longer stands


@dataclass(frozen=True, slots=True)
class ScanReport:
    """New pairs that the scan proposes, how many memories were compared, and whether they were written.

    ``more`` pairs are left for the next scan; ``notes`` are plain sentences about the model.
    """

    proposed: tuple[Relation, ...]
    compared: int
    dry_run: bool
    more: int = 0
    notes: tuple[str, ...] = ()


def relation_id(a: str, b: str) -> str:
    """The id of what is said about a pair, whichever comes first: 12 hex digits."""
    return hashlib.sha256("\x00".join(sorted((a, b))).encode()).hexdigest()[:12]


def compare(store: Store, a: MemoryNode, b: MemoryNode, relation: str, *, confidence: float, reason: str,
            now: datetime, actor: str) -> Relation:
    """Propose how ``a`` relates to ``b``; pending until judged.

    Raises:
        UsageError: an unknown relation, a confidence beyond 0 to 1, one memory given twice, or walls between them.
    """
    name = relation_word(relation)
    if not 0.0 <= confidence <= 1.0:
        raise UsageError(f"confidence {confidence} is not between 0 and 1", hint="Nothing was changed.")
    if a.id == b.id:
        raise UsageError("a memory cannot be compared with itself", hint="Nothing was changed.")
    if wall(a)[0] == wall(b)[0] == "project" and a.project != b.project:
        raise UsageError("the two memories belong to different projects", hint="Nothing was changed.")
    with store.read() as graph:
        judged = [e for e in _between(graph, a.id, b.id) if e.status == "judged"]
    if judged:
        known = judged[-1]
        raise UsageError(f"the pair was judged already: {known.kind} ({known.reason or 'no reason given'})",
                         hint=f"Nothing was changed. `conflicts judge {relation_id(a.id, b.id)}` judges it anew.")
    edge = _edge(a, b, name, "pending", confidence, reason, now)
    changes: list[Change] = [PutEdge(edge),
                             lifecycle.happening(a.id, "compared", name, f"with {b.id}: {reason}", actor, now)]
    if name in _CONTESTING:
        changes += contested(a, b, reason or f"{name} was proposed", actor, now)
    store.commit(changes, at=now, actor=f"{actor}: compare")
    return Relation(relation_id(a.id, b.id), name, "pending", confidence, reason, now, a, b)


def relation_word(word: str) -> str:
    """The relation of that name.

    Raises:
        UsageError: there is none.
    """
    name = word.strip().lower().replace("-", "_").replace(" ", "_")
    if name not in RELATIONS:
        raise UsageError(f"unknown relation {word!r}", hint=f"Nothing was changed. Relations: {', '.join(RELATIONS)}.")
    return name


def contested(a: MemoryNode, b: MemoryNode, why: str, actor: str, now: datetime) -> list[Change]:
    """Both memories say that they are contested."""
    changes: list[Change] = []
    for memory, other in ((a, b), (b, a)):
        if memory.status is Status.ACTIVE:
            changes += lifecycle.set_status(memory, Status.CONTESTED, f"{why} (with {other.id})", actor, now)
    return changes


def judge(store: Store, given: str, *, relation: str, reason: str, now: datetime, actor: str,
          winner: str = "") -> Relation:
    """Decide what holds between a pair. *supersedes* retires the target on every read path.

    Args:
        store: the store.
        given: the relation's id or its first characters.
        relation: what holds; "" keeps what was proposed.
        reason: why.
        now: the present.
        actor: who judges.
        winner: for *supersedes*, id of the memory that stays; "" for the source.

    Raises:
        NotFoundError, AmbiguousError, UsageError: nothing was changed.
    """
    found = one(store, given)
    name = relation_word(relation) if relation.strip() else found.relation
    source, target = found.source, found.target
    if winner.strip():
        chosen = [m for m in (source, target) if m.id.startswith(winner.strip().lower())]
        if len(chosen) != 1:
            raise UsageError(f"{winner!r} is none of the two memories", hint="Nothing was changed. They are "
                             f"{source.id} and {target.id}.")
        if chosen[0].id == target.id:
            source, target = target, source
    with store.read() as graph:
        edges = _between(graph, source.id, target.id)
        others = _open_contests(graph, (source.id, target.id))
    changes: list[Change] = []
    for edge in edges:
        if edge.status != "ignored" and (edge.kind != name or lineage(edge.source) != source.id):
            changes.append(PutEdge(replace(edge, status="ignored", at=now, reason=f"judged {name}")))
            if edge.kind == "supersedes" and edge.status == "judged":  # taken back: what it ended stands again
                source, target, more = _stands_again(lineage(edge.target), source, target, actor, now)
                changes += more
    changes.append(lifecycle.happening(source.id, "judged", name, f"with {target.id}: {reason}", actor, now))
    if name == "supersedes":
        if target.status in VISIBLE or target.status is Status.STALE:
            changes += lifecycle.supersede(source, target, reason or "judged", actor, now)
        else:
            changes.append(PutEdge(_edge(source, target, name, "judged", 1.0, reason, now)))
        ended = [source]
    else:
        changes.append(PutEdge(_edge(source, target, name, "judged", 1.0, reason, now)))
        ended = [] if name == "conflicts_with" else [source, target]
        if name == "conflicts_with":
            changes += contested(source, target, reason or "judged", actor, now)
    for memory in ended:
        against = others.get(memory.id, set()) - {source.id, target.id}
        if memory.status is Status.CONTESTED and not against:
            changes += lifecycle.set_status(memory, Status.ACTIVE, f"judged {name}", actor, now)
    store.commit(changes, at=now, actor=f"{actor}: judge")
    return Relation(found.id, name, "judged", 1.0, reason, now, source, target)


def _stands_again(memory_id: str, source: MemoryNode, target: MemoryNode, actor: str,
                  now: datetime) -> tuple[MemoryNode, MemoryNode, list[Change]]:
    """The pair, and the changes, when a judgement no longer retires one of them."""
    changes: list[Change] = []
    pair = []
    for memory in (source, target):
        if memory.id == memory_id and memory.status is Status.SUPERSEDED:
            changes += [*lifecycle.set_status(memory, Status.ACTIVE, "judged anew", actor, now),
                        lifecycle.state(memory, {"valid_until": None})]
            memory = replace(memory, status=Status.ACTIVE, valid_until=None)
        pair.append(memory)
    return pair[0], pair[1], changes


def ignore(store: Store, given: str, *, reason: str, now: datetime, actor: str) -> Relation:
    """Leave a proposal aside for good; the pair is never proposed again, and nothing is contested by it any more."""
    found = one(store, given)
    if found.status == "judged":
        raise UsageError("the pair was judged already", hint="Nothing was changed. `conflicts judge` judges it anew.")
    with store.read() as graph:
        edges = _between(graph, found.source.id, found.target.id)
        others = _open_contests(graph, (found.source.id, found.target.id))
    changes: list[Change] = [PutEdge(replace(e, status="ignored", at=now, reason=reason or e.reason)) for e in edges
                             if e.status == "pending"]
    pair = {found.source.id, found.target.id}
    for memory in (found.source, found.target):
        if memory.status is Status.CONTESTED and not others.get(memory.id, set()) - pair:
            changes += lifecycle.set_status(memory, Status.ACTIVE, reason or "the conflict was ignored", actor, now)
    changes.append(lifecycle.happening(found.source.id, "judged", "ignored", f"with {found.target.id}: {reason}", actor,
                                       now))
    store.commit(changes, at=now, actor=f"{actor}: ignore")
    return replace(found, status="ignored", reason=reason or found.reason)


def every(store: Store, *, status: str = "pending", project: str | None = None) -> list[Relation]:
    """What was said about pairs, newest first. ``status`` is pending, judged, ignored or all; ``project`` an id, None
    for all. A pending pair of which one side no longer stands is left out.

    Raises:
        UsageError: unknown status.
    """
    wanted = status.strip().lower() or "pending"
    if wanted not in ("pending", "judged", "ignored", "all"):
        raise UsageError(f"unknown status {status!r}", hint="Known are: pending, judged, ignored, all.")
    with store.read() as graph:
        edges = graph.edges(RELATIONS)
        memories = {i: m for i in {lineage(k) for e in edges for k in (e.source, e.target)}
                    if (m := graph.memory(i)) is not None}
    found = [r for r in _relations(edges, memories) if wanted in ("all", r.status)
             and (project is None or project in (r.source.project, r.target.project))
             and not (wanted == "pending" and r.settled)]
    return sorted(found, key=lambda r: (r.at, r.id), reverse=True)


def _relations(edges: Sequence[Edge], memories: dict[str, MemoryNode]) -> Iterator[Relation]:
    """One relation a pair: what was judged before what is pending, before what was ignored."""
    rank = {"judged": 0, "pending": 1, "ignored": 2}
    best: dict[str, Edge] = {}
    for edge in edges:
        key = relation_id(lineage(edge.source), lineage(edge.target))
        known = best.get(key)
        if known is None or (rank.get(edge.status, 3), -edge.at.timestamp()) < (rank.get(known.status, 3),
                                                                                 -known.at.timestamp()):
            best[key] = edge
    for key, edge in best.items():
        source, target = memories.get(lineage(edge.source)), memories.get(lineage(edge.target))
        if source is not None and target is not None and source.id != target.id:
            settled = not (source.status in VISIBLE and target.status in VISIBLE)
            yield Relation(key, edge.kind, edge.status, edge.confidence, edge.reason, edge.at, source, target, settled)


def one(store: Store, given: str) -> Relation:
    """The relation of that id or beginning.

    Raises:
        NotFoundError, AmbiguousError.
    """
    wanted = given.strip().lower()
    found = [r for r in every(store, status="all") if wanted and r.id.startswith(wanted)]
    if not found:
        raise NotFoundError(f"no conflict has the id {given!r}", hint="Nothing was changed. See `conflicts list`.")
    if len(found) > 1:
        raise AmbiguousError(f"{given!r} starts several ids",
                             hint=f"Nothing was changed: {', '.join(r.id for r in found[:8])}")
    return found[0]


def scan(store: Store, *, now: datetime, project: str | None, dry_run: bool, limit: int = _SHOWN,
         model: Proposer | None = None, clean: Callable[[str], str] = str) -> ScanReport:
    """Propose pairs that contradict each other by their words, and with a ``model`` those that it names.

    A pair that was ever related is left alone. Where words and model name the same pair, it is proposed as the model
    says, its reason without what ``clean`` takes out. Nothing is judged, and no lease is held while the model is asked.
    """
    with store.read() as graph:
        live = [m for m in graph.memories() if m.status in VISIBLE and m.type is not MemoryType.MEMENTO
                and (project is None or m.project in (project, ""))]
        known = _related(graph)
    found: dict[frozenset[str], Proposal] = {}
    for a, b, why in contradicting(live):
        pair = frozenset((a.id, b.id))
        if pair not in known:
            found.setdefault(pair, Proposal(b, a, "conflicts_with", 0.6, why))
    notes: tuple[str, ...] = ()
    if model is not None:
        said, notes = model.propose(live, known)
        for p in said:
            reason = f"{clean(p.reason)} (proposed by the model)".strip()
            found[frozenset((p.source.id, p.target.id))] = replace(p, reason=reason)
        with store.read() as graph:  # somebody else may have written while the model was asked
            known = _related(graph)
        found = {pair: p for pair, p in found.items() if pair not in known}
    proposed = [Relation(relation_id(p.source.id, p.target.id), p.relation, "pending", p.confidence, p.reason, now,
                         p.source, p.target) for p in list(found.values())[:limit]]
    if proposed and not dry_run:
        changes: list[Change] = []
        for r in proposed:
            changes.append(PutEdge(_edge(r.source, r.target, r.relation, "pending", r.confidence, r.reason, now)))
            if r.relation in _CONTESTING:
                changes += contested(r.source, r.target, r.reason, "scan", now)
        store.commit(changes, at=now, actor="conflicts: scan")
    return ScanReport(tuple(proposed), len(live), dry_run, max(0, len(found) - limit), notes)


def _related(graph: GraphStore) -> set[frozenset[str]]:
    """Pairs of ids about which something was ever said."""
    return {frozenset((lineage(e.source), lineage(e.target))) for e in graph.edges((*RELATIONS, "condenses"))}


def contradicting(memories: Sequence[MemoryNode]) -> Iterator[tuple[MemoryNode, MemoryNode, str]]:
    """(older, later, reason) of pairs that cannot both hold: the same words with another value or a negation, or two
    statements on one topic that clash. Compares within groups of equal words and equal topics only."""
    words: dict[tuple[object, ...], list[tuple[MemoryNode, Features]]] = defaultdict(list)
    topics: dict[tuple[object, ...], list[MemoryNode]] = defaultdict(list)
    for memory in sorted(memories, key=lambda m: (m.created_at, m.id)):
        apart = features(memory.raw or memory.text)
        words[(wall(memory), tuple(sorted(set(apart.words))))].append((memory, apart))
        if memory.topic_key:
            topics[(wall(memory), memory.topic_key)].append(memory)
    for group in words.values():
        for place, (a, first) in enumerate(group):
            for b, second in group[place + 1:place + 1 + _NEIGHBOURS]:
                if why := contradiction(first, second):
                    yield a, b, why
    for members in topics.values():
        for place, a in enumerate(members):
            for b in members[place + 1:place + 1 + _NEIGHBOURS]:
                if why := clash(a, b):
                    yield a, b, why



def _between(graph: GraphStore, a: str, b: str) -> list[Edge]:
    keys = [m.key for m in (*graph.revisions(a), *graph.revisions(b))]
    return [e for e in graph.edges(RELATIONS, keys) if {lineage(e.source), lineage(e.target)} == {a, b}]


def _open_contests(graph: GraphStore, ids: Sequence[str]) -> dict[str, set[str]]:
    """For each memory, the living ones that pending or judged contests set against it."""
    found: dict[str, set[str]] = defaultdict(set)
    for memory_id in ids:
        keys = [m.key for m in graph.revisions(memory_id)]
        for edge in graph.edges(tuple(_CONTESTING), keys):
            if edge.status == "ignored" or (edge.kind == "supersedes" and edge.status == "judged"):
                continue
            for other in {lineage(edge.source), lineage(edge.target)} - {memory_id}:
                node = graph.memory(other)
                if node is not None and node.status in VISIBLE:
                    found[memory_id].add(other)
    return found


def _edge(a: MemoryNode, b: MemoryNode, relation: str, status: str, confidence: float, reason: str,
          now: datetime) -> Edge:
    return Edge(relation, table_of(a), a.key, table_of(b), b.key, now, status=status, confidence=confidence,
                reason=reason)
