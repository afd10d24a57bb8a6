"""Puts a fresh render into a file without moving what belongs to a person.

Three texts meet: the render, the file as it is, and the last agreed text. Units of ours come from the render, in its
order (or in the person's, where they re-ordered a section); headings, title and front matter that the person changed
stay changed. Each gap of the file stands where it stood: between the same two units if they are still neighbours,
else behind the unit it followed, or at the end of its section if it stood there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from agent_memory.materialize.parse import Parsed, Unit, join, parse

_EDITABLE = frozenset({"front", "title", "heading"})
_DELETABLE = frozenset({"front", "title", "/i:intro"})
START, END = "\x00start", "\x00end"


@dataclass(frozen=True, slots=True)
class Merged:
    """The text to write, the sections whose order is the person's, and the units whose words are."""

    text: str
    order: tuple[str, ...] = ()
    own: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gap:
    """What stands between two units of a file: lines, and loose bullets."""

    before: str
    after: str
    pieces: tuple[str | Unit, ...]

    def filled(self) -> bool:
        """True if there is more than blank lines."""
        return any(isinstance(piece, Unit) or piece.strip() for piece in self.pieces)


def merge(render: str, file: Parsed | None, agreed: Parsed | None, *, renamed: Mapping[str, str | None] | None = None,
          order: Collection[str] = (), own: Collection[str] = ()) -> Merged:
    """The text that says what ``render`` says and keeps what the person wrote into ``file``.

    ``renamed`` gives bullets of the file the keys they have in the render by now (a new bullet that became a memory);
    None makes a bullet the person's own line. ``order`` are the sections that were re-ordered before, ``own`` the
    headings, title and front matter that were changed before.
    """
    if file is None or not any(line.strip() for line in file.lines):
        return Merged(render)
    fresh, mine = parse(render), _rename(file, renamed or {})
    merger = _Merger(fresh, mine, agreed, set(order))
    merger.own = {unit.key for unit in mine.units if merger.changed(unit, unit.key in own)}
    text = join(merger.lines(), mine)
    return Merged(text, tuple(sorted(merger.order & set(merger.fresh_units))), tuple(sorted(merger.own)))


def _rename(parsed: Parsed, renamed: Mapping[str, str | None]) -> Parsed:
    if not renamed:
        return parsed
    units = []
    keys = {unit.key for unit in parsed.units} - set(renamed)
    for unit in parsed.units:
        key = renamed.get(unit.key, unit.key)
        if key is None:
            continue
        if unit.key in renamed:
            if key in keys:
                key = f"copy:{unit.key}"  # the memory stands here already; the copy goes
            keys.add(key)
        units.append(replace(unit, key=key))
    return replace(parsed, units=tuple(units))


def gaps(parsed: Parsed) -> list[Gap]:
    """The gaps of a file, in order: before, between and behind its units that are not loose."""
    found: list[Gap] = []
    pieces: list[str | Unit] = []
    before, at = START, 0
    for unit in parsed.units:
        pieces += parsed.lines[at:unit.start]
        at = unit.end
        if unit.loose:
            pieces.append(unit)
            continue
        found.append(Gap(before, unit.key, tuple(pieces)))
        pieces, before = [], unit.key
    pieces += parsed.lines[at:]
    return [*found, Gap(before, END, tuple(pieces))]


def foreign(parsed: Parsed) -> bool:
    """True if a file holds more than units of ours."""
    return any(gap.filled() for gap in gaps(parsed))


class _Merger:
    def __init__(self, fresh: Parsed, mine: Parsed, base: Parsed | None, order: set[str]) -> None:
        self.fresh, self.mine, self.base = fresh, mine, base
        self.fresh_units = {unit.key: unit for unit in fresh.units}
        self.mine_units = {unit.key: unit for unit in mine.units}
        self.base_units = {unit.key: unit for unit in base.units} if base else {}
        self.loose = {unit.key for unit in mine.units if unit.loose and unit.key in self.fresh_units}
        self.order = order
        self.own: set[str] = set()
        self.keys = self._sequence()

    def changed(self, unit: Unit, before: bool) -> bool:
        """True if the person's words stand in a unit that is otherwise ours; ``before``: they did so already."""
        fresh, base = self.fresh_units.get(unit.key), self.base_units.get(unit.key)
        if unit.kind not in _EDITABLE or fresh is None:
            return False
        lines = self.mine.lines[unit.start:unit.end]
        if lines == self.fresh.lines[fresh.start:fresh.end]:
            return False
        return before or base is None or self.base is None or lines != self.base.lines[base.start:base.end]

    def lines(self) -> list[str]:
        """The merged file."""
        mine = {(gap.before, gap.after): gap for gap in gaps(self.mine)}
        fresh = {(gap.before, gap.after): gap for gap in gaps(self.fresh)}
        sequence = [START, *self.keys, END]
        pairs = dict.fromkeys(pairwise(sequence))
        moved = self._displaced([gap for pair, gap in mine.items() if pair not in pairs and gap.filled()])
        out: list[str] = []
        for before, after in pairs:
            if before != START:
                out += self._unit_lines(before)
            kept = mine.get((before, after))
            lines = self._gap_lines(kept if kept is not None else fresh.get((before, after)))
            if kept is None and (before, after) not in fresh:
                lines = self._usual(before, after)
            for gap in moved.get(before, ()):
                lines = [*_trim(lines), *([""] if before != START else []), *_trim(self._gap_lines(gap)), ""]
                if after == END:
                    lines.pop()
            out += lines
        return out

    def _sequence(self) -> list[str]:
        """Keys of the units to write, in order."""
        keys: list[str] = []
        for name, units in _by_section(self.fresh.units):
            inside = [u.key for u in units if u.kind == "bullet" and u.key not in self.loose]
            if name and self._reordered(name, inside):
                inside = self._persons_order(name, inside)
            heads = [u.key for u in units if u.kind != "bullet" and not self._deleted(u)]
            shown_elsewhere = len(units) > len(heads) and not inside and name not in self.mine_units
            keys += [] if name and shown_elsewhere else heads
            keys += inside
        return keys

    def _deleted(self, unit: Unit) -> bool:
        """True if the person took away a unit that need not come back."""
        return self.base is not None and unit.key in _DELETABLE and unit.key not in self.mine_units

    def _ranks(self, parsed: Parsed | None, name: str) -> list[str]:
        if parsed is None:
            return []
        return [u.key for u in parsed.units
                if u.kind == "bullet" and not u.loose and f"{u.project}/{u.section}" == name]

    def _reordered(self, name: str, inside: Sequence[str]) -> bool:
        mine, base = self._ranks(self.mine, name), self._ranks(self.base, name)
        both = set(mine) & set(base) & set(inside)
        if [k for k in mine if k in both] != [k for k in base if k in both]:
            self.order.add(name)
        return name in self.order

    def _persons_order(self, name: str, inside: Sequence[str]) -> list[str]:
        """The person's order; bullets they have not seen follow the one that the render puts before them."""
        wanted = set(inside)
        result = [key for key in self._ranks(self.mine, name) if key in wanted]
        for number, key in enumerate(inside):
            if key in result:
                continue
            at = result.index(inside[number - 1]) + 1 if number else 0
            result.insert(at, key)
        return result

    def _unit_lines(self, key: str) -> Sequence[str]:
        if key in self.own:
            mine = self.mine_units[key]
            return self.mine.lines[mine.start:mine.end]
        unit = self.fresh_units[key]
        return self.fresh.lines[unit.start:unit.end]

    def _gap_lines(self, gap: Gap | None) -> list[str]:
        lines: list[str] = []
        for piece in gap.pieces if gap else ():
            if isinstance(piece, str):
                lines.append(piece)
            elif piece.key in self.loose:
                fresh = self.fresh_units[piece.key]
                same = piece.bullet == fresh.bullet
                source, unit = (self.mine, piece) if same else (self.fresh, fresh)
                lines += source.lines[unit.start:unit.end]
        return lines

    def _usual(self, before: str, after: str) -> list[str]:
        """The space that a render puts between two units that are not neighbours in it."""
        if END in (before, after) or before == START:
            return []
        first, second = self.fresh_units[before], self.fresh_units[after]
        return [] if first.kind == second.kind == "bullet" else [""]

    def _displaced(self, moved: Sequence[Gap]) -> dict[str, list[Gap]]:
        """Gaps whose neighbours parted, by the unit behind which they go."""
        places: dict[str, list[Gap]] = {}
        position = {key: number for number, key in enumerate(self.keys)}
        known = [u.key for u in self.mine.units if not u.loose]
        previous = dict(zip(known[1:], known, strict=False))
        for gap in moved:
            anchor = gap.before
            while anchor not in position and anchor in previous:
                anchor = previous[anchor]
            if anchor not in position:
                anchor = "front" if "front" in position else START
            elif gap.after == END or self.mine_units[gap.after].kind in ("heading", "title"):
                at = position[anchor]
                while at + 1 < len(self.keys) and self.fresh_units[self.keys[at + 1]].kind == "bullet":
                    at += 1
                anchor = self.keys[at]
            places.setdefault(anchor, []).append(gap)
        return places


def _by_section(units: Sequence[Unit]) -> list[tuple[str, list[Unit]]]:
    """Units in groups: a heading's key and what follows up to the next heading; "" before the first."""
    groups: list[tuple[str, list[Unit]]] = [("", [])]
    for unit in units:
        if unit.kind == "heading":
            groups.append((unit.key, []))
        groups[-1][1].append(unit)
    return groups


def _trim(lines: Sequence[str]) -> list[str]:
    """Without blank lines at both ends."""
    first = next((i for i, line in enumerate(lines) if line.strip()), len(lines))
    last = next((i for i in range(len(lines), first, -1) if lines[i - 1].strip()), first)
    return list(lines[first:last])
