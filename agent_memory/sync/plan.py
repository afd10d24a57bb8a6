"""Decides what a person's edits mean: (files, graph, agreed texts) in, actions out. Pure.

Every rule compares with what the graph says now, so that planning again after the actions were applied finds nothing
left to do: a pass that was killed half-way is simply run again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time

from agent_memory import clock, ids
from agent_memory.materialize.bullets import without_remark
from agent_memory.materialize.escape import canonical
from agent_memory.materialize.parse import Unit
from agent_memory.materialize.sections import date_of, kind_in
from agent_memory.materialize.snapshot import is_goal
from agent_memory.materialize.views import active, observations, profile, reflections
from agent_memory.model.memory import VISIBLE, Kind, MemoryNode, MemoryType, Priority, Scope, Status
from agent_memory.sync.actions import (
    Action,
    AddMemory,
    ChangeText,
    Conflict,
    MoveMemory,
    RestoreMemory,
    RetireMemory,
    SetDone,
    SetPriority,
)
from agent_memory.sync.read import ViewState
from agent_memory.sync.remarks import remarks
from agent_memory.text.normal import content_hash

_PRIORITIES = {priority.emoji: priority for priority in Priority}
_ALL_PROJECTS = (observations.NAME, reflections.NAME)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do, which key each bullet of an edited view has by now (None: it stays a line of the person), remarks."""

    actions: tuple[Action, ...] = ()
    renamed: Mapping[str, Mapping[str, str | None]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def retired(self) -> list[str]:
        """Ids that would be retired."""
        return [a.id for a in self.actions if isinstance(a, RetireMemory)]


@dataclass(frozen=True, slots=True)
class Standing:
    """One bullet with an id in one edited view: as agreed (None: new there) and as it is (None: gone)."""

    view: ViewState
    agreed: Unit | None
    now: Unit | None


def plan(views: Sequence[ViewState], memories: Mapping[str, MemoryNode], *, now: datetime,
         put_back: bool = False) -> Plan:
    """Plan one pass.

    Args:
        views: all views; those that are unreadable or not edited say nothing.
        memories: the current revision of every memory, of any status.
        now: when new bullets count as said, unless they stand below a day.
        put_back: vanished and emptied views are written again instead of retiring what they showed.
    """
    return _Planner(views, memories, now, put_back).plan()


class _Planner:
    def __init__(self, views: Sequence[ViewState], memories: Mapping[str, MemoryNode], now: datetime,
                 put_back: bool) -> None:
        self.edited = [v for v in views if v.edited and not v.unreadable and not (put_back and v.gone)]
        self.agreed_ids = frozenset().union(*(v.ids for v in views)) if views else frozenset()
        self.memories = memories
        self.now = now
        self.actions: list[Action] = []
        self.renamed: dict[str, dict[str, str | None]] = {}
        self.notes: list[str] = []
        self.hashes: dict[tuple[str, str], str] = {}
        for memory in sorted(memories.values(), key=lambda m: (m.status in VISIBLE, m.id)):
            self.hashes[self._place(memory.scope, memory.project), content_hash(memory.text)] = memory.id

    def plan(self) -> Plan:
        standing: dict[str, list[Standing]] = {}
        fresh: list[tuple[ViewState, Unit]] = []
        for view in self.edited:
            self.renamed[view.name] = {}
            self.notes += remarks(view)
            self._collect(view, standing, fresh)
        for key, places in standing.items():
            self._memory(key, places)
        for view, unit in fresh:
            self._add(view, unit)
        return Plan(tuple(self.actions), self.renamed, tuple(self.notes))

    # -- what stands where

    def _collect(self, view: ViewState, standing: dict[str, list[Standing]],
                 fresh: list[tuple[ViewState, Unit]]) -> None:
        before = {u.bullet.id: u for u in view.agreed.bullets() if u.bullet and u.bullet.id} if view.agreed else {}
        after: dict[str, Unit] = {}
        unknown: list[Unit] = []
        for unit in view.file.bullets() if view.file else ():
            bullet = unit.bullet
            if bullet is None or bullet.info or not _text(unit, None):
                continue
            if bullet.id and (bullet.id in self.memories or bullet.id in before):
                after[bullet.id] = unit
            else:
                unknown.append(unit)
        unknown = [u for u in unknown if not self._left_behind(view, before, after, u)]
        self._adopt(view, before, after, unknown, fresh)
        for key in (*before, *(k for k in after if k not in before)):
            if key in after or view.agreed is not None:
                standing.setdefault(key, []).append(Standing(view, before.get(key), after.get(key)))

    def _left_behind(self, view: ViewState, before: Mapping[str, Unit], after: Mapping[str, Unit], unit: Unit) -> bool:
        """True for the old copy of a bullet that was pasted to another place of its view: the pasted one counts."""
        for key, base in before.items():
            moved = after.get(key)
            if moved is None or _same_place(moved, base) or not _same_place(unit, base):
                continue
            if _text(unit, base) == _text(base, base) == _text(moved, base):
                self.renamed[view.name][unit.key] = f"m:{key}"
                return True
        return False

    def _adopt(self, view: ViewState, before: Mapping[str, Unit], after: dict[str, Unit], unknown: Sequence[Unit],
               fresh: list[tuple[ViewState, Unit]]) -> None:
        """Give bullets without an id the id of a memory that says the same: its comment was lost, or it was pasted."""
        lost = {_text(unit, None): key for key, unit in before.items() if key not in after}
        for unit in unknown:
            assert unit.bullet is not None
            if unit.copied in after and _text(after[unit.copied], None) == unit.bullet.text:
                self.renamed[view.name][unit.key] = f"m:{unit.copied}"
                continue
            for bullet in dict.fromkeys((unit.bullet, without_remark(unit.bullet))):
                place = self._place(*_home_of(view, unit))
                key = lost.pop(bullet.text, "") or self.hashes.get((place, content_hash(bullet.text)), "")
                if key:
                    self.renamed[view.name][unit.key] = f"m:{key}"
                    after.setdefault(key, replace(unit, bullet=bullet))
                    break
            else:
                fresh.append((view, unit))

    @staticmethod
    def _place(scope: Scope, project: str) -> str:
        return project if scope is Scope.PROJECT else ""

    # -- one memory

    def _memory(self, key: str, places: Sequence[Standing]) -> None:
        memory = self.memories.get(key)
        if memory is None:
            self._unknown(places)
            return
        shown = [p for p in places if p.now is not None]
        changed = [p for p in shown if p.now and self._changed(memory, p, places)]
        words = self._words(memory, changed, places)
        if shown:
            self._fields(memory, shown)
        gone = [p for p in places if p.now is None]
        if gone and not words and not any(p.agreed is None or _moved(p) for p in shown):
            told = next((p for p in gone if _text(p.agreed, p.agreed) == canonical(memory.text)), gone[0])
            self._deleted(memory, told, kept=[p for p in shown if p.now and p.agreed and _differs(p)])
        if shown and not words:
            self._pasted_back(memory, shown)

    def _unknown(self, places: Sequence[Standing]) -> None:
        """A bullet whose memory was purged. Changed words are a new memory, unchanged ones go with it."""
        for place in places:
            if place.now is None:
                continue
            if place.agreed is not None and _text(place.now, None) == _text(place.agreed, None):
                self.renamed[place.view.name][place.now.key] = f"gone:{place.now.key}"
            else:
                self._add(place.view, place.now)

    def _changed(self, memory: MemoryNode, place: Standing, places: Sequence[Standing]) -> bool:
        """True if the person changed the words in this place."""
        assert place.now is not None
        base = place.agreed or next((p.agreed for p in places if p.agreed), None)
        return _text(place.now, base) != (_text(base, base) if base else canonical(memory.text))

    def _words(self, memory: MemoryNode, changed: Sequence[Standing], places: Sequence[Standing]) -> bool:
        """Take over changed words; False if there are none. What another side says is kept beside them."""
        if not changed:
            return False
        base = next((p.agreed for p in places if p.agreed), None)
        texts = {_text(p.now, p.agreed or base): p for p in reversed(changed) if p.now}
        present = canonical(memory.text)
        agreed = _text(base, base) if base else present
        hidden = memory.status not in VISIBLE
        if present in texts:
            winner = present
        else:
            winner = next(iter(reversed(texts)))
            view = texts[winner].view.name
            if present != agreed and not hidden:
                self._conflict(memory, view, present, "changed in the graph and in the view")
            self.actions.append(ChangeText(memory.id, view, winner))
        if hidden:
            self.actions.append(RestoreMemory(memory.id, texts[winner].view.name,
                                              f"was {memory.status.word} while a person wrote on"))
        for text, place in texts.items():
            if text != winner and self._saved(memory, text) is None:
                self._conflict(memory, place.view.name, text, "changed in two views")
        return True

    def _saved(self, memory: MemoryNode, text: str) -> str | None:
        found = self.hashes.get((self._place(memory.scope, memory.project), content_hash(text)))
        return found if found != memory.id else None

    def _conflict(self, memory: MemoryNode, view: str, other: str, reason: str) -> None:
        key = ids.derive(self.now, "conflict", memory.id, other)
        self.actions.append(Conflict(memory.id, view, key, other, reason))

    def _deleted(self, memory: MemoryNode, place: Standing, kept: Sequence[Standing]) -> None:
        if kept or memory.status not in VISIBLE or place.agreed is None:
            return
        if canonical(memory.text) != _text(place.agreed, place.agreed):
            if memory.status is not Status.CONTESTED:
                self.actions.append(Conflict(memory.id, place.view.name, "", "",
                                             "deleted in the view, changed in the graph"))
            return
        self.actions.append(RetireMemory(memory.id, place.view.name))

    def _pasted_back(self, memory: MemoryNode, shown: Sequence[Standing]) -> None:
        """A bullet that stands where it was not agreed to stand, though its memory was forgotten."""
        new = next((p for p in shown if p.agreed is None and p.view.agreed is not None), None)
        if new and memory.status not in VISIBLE and memory.id not in self.agreed_ids:
            self.actions.append(RestoreMemory(memory.id, new.view.name, "put back by a person"))

    def _fields(self, memory: MemoryNode, shown: Sequence[Standing]) -> None:
        """Mark, box and place: the first view in which the person changed one wins."""
        for place in shown:
            assert place.now is not None
            bullet, base = place.now.bullet, place.agreed.bullet if place.agreed else None
            assert bullet is not None
            priority = _PRIORITIES.get(bullet.mark)
            if priority and priority is not memory.priority and (base is None or base.mark != bullet.mark):
                self.actions.append(SetPriority(memory.id, place.view.name, priority))
                break
        for place in shown:
            assert place.now is not None
            bullet, base = place.now.bullet, place.agreed.bullet if place.agreed else None
            assert bullet is not None
            if bullet.done is not None and bullet.done != memory.done and (base is None or base.done != bullet.done):
                self.actions.append(SetDone(memory.id, place.view.name, bullet.done))
                break
        for place in shown:
            if move := self._move(memory, place):
                self.actions.append(move)
                break

    def _move(self, memory: MemoryNode, place: Standing) -> MoveMemory | None:
        unit, base, view = place.now, place.agreed, place.view
        if unit is None or view.agreed is None:
            return None
        kind = None
        if not unit.loose and (base is None or base.section != unit.section):
            wanted = kind_in(unit.section)
            kind = wanted if wanted and wanted is not memory.kind else None
            if unit.section == "goals" and not is_goal(memory):
                return MoveMemory(memory.id, view.name, Kind.CONTEXT, *_home_of(view, unit), goal=True)
        if view.name in _ALL_PROJECTS or (base is not None and base.project == unit.project):
            return MoveMemory(memory.id, view.name, kind) if kind else None
        scope, project = _home_of(view, unit)
        if scope is Scope.PROJECT:
            fits = memory.scope is scope and memory.project == project
        else:
            fits = memory.scope is not Scope.PROJECT or not memory.project
        if fits or (view.name == active.NAME and unit.section != "goals"):
            return MoveMemory(memory.id, view.name, kind) if kind else None
        return MoveMemory(memory.id, view.name, kind, scope, project if scope is Scope.PROJECT else None)

    # -- new bullets

    def _add(self, view: ViewState, unit: Unit) -> None:
        bullet = unit.bullet
        assert bullet is not None
        text = _text(unit, None)
        scope, project = _home_of(view, unit)
        same = (self._place(scope, project), content_hash(text))
        if known := self.hashes.get(same):
            self.renamed[view.name][unit.key] = f"m:{known}"
            return
        kind = kind_in(unit.section) or Kind.NOTE
        tags: tuple[str, ...] = ()
        if unit.section in ("goals", "reached") or (bullet.done is not None and kind in (Kind.NOTE, Kind.CONTEXT)):
            kind, tags = Kind.CONTEXT, ("goal",)
        at = self._said_at(unit)
        key = ids.derive(at, "person", view.name, text, clock.text(self.now))
        self.hashes[same] = key
        self.renamed[view.name][unit.key] = f"m:{key}"
        self.actions.append(AddMemory(key, view.name, text, kind, _type_of(view, kind), scope, project,
                                      _PRIORITIES.get(bullet.mark, Priority.YELLOW), tags, bool(bullet.done), at))

    def _said_at(self, unit: Unit) -> datetime:
        """Noon of the day below which a bullet was written, else now; never later than now."""
        day = date_of(unit.section)
        if day is None or day >= self.now.astimezone(UTC).date():
            return self.now
        return datetime.combine(day, time(12), UTC)


def _text(unit: Unit | None, base: Unit | None) -> str:
    """The words of a bullet. A remark in brackets that we did not put there is part of them."""
    if unit is None or unit.bullet is None:
        return ""
    bullet, agreed = unit.bullet, base.bullet if base else None
    if bullet.suffix and agreed is not None and not agreed.suffix:
        return canonical(f"{bullet.text} *({bullet.suffix})*")
    return bullet.text


def _same_place(one: Unit, other: Unit) -> bool:
    return one.section == other.section and one.project == other.project


def _moved(place: Standing) -> bool:
    """True if the bullet stands in another part of its view than was agreed; a heading of the person is no part."""
    return (place.now is not None and not place.now.loose and place.agreed is not None
            and not _same_place(place.now, place.agreed))


def _differs(place: Standing) -> bool:
    return _text(place.now, place.agreed) != _text(place.agreed, place.agreed)


def _home_of(view: ViewState, unit: Unit) -> tuple[Scope, str]:
    """Scope and project of what is written in a place."""
    project = view.project or unit.project
    return (Scope.PROJECT, project) if project else (Scope.PERSONAL, "")


def _type_of(view: ViewState, kind: Kind) -> MemoryType:
    if view.name == reflections.NAME:
        return MemoryType.REFLECTION
    if view.name == profile.NAME:
        return {Kind.PREFERENCE: MemoryType.PREFERENCE, Kind.PATTERN: MemoryType.PRINCIPLE}.get(kind,
                                                                                                MemoryType.OBSERVATION)
    return MemoryType.OBSERVATION


def too_many(retired: Collection[str], memories: Mapping[str, MemoryNode]) -> bool:
    """True if a plan retires more than three and more than a fifth of what is visible: that looks like an accident."""
    alive = sum(1 for m in memories.values() if m.status in VISIBLE)
    return len(retired) > 3 and len(retired) * 5 > alive
