"""A Markdown view read as chunks, quickly and without a Markdown library, so that unsynced edits count at once.

The exact reader, for sync, is materialize/parse.py; this one only has to find list items, their section and their id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent_memory.materialize.bullets import read_bullet
from agent_memory.materialize.sections import name_of
from agent_memory.model.view import Bullet

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t]*#*\s*\Z")
_MARKER = re.compile(r"<!-- (?:s:(?P<section>\S+)|project:(?P<project>\S+)) -->\s*\Z")
_ITEM = re.compile(r"[-*+][ \t]+")
_FENCE = re.compile(r" {0,3}(```|~~~)")


@dataclass(frozen=True, slots=True)
class Chunk:
    """One list item or paragraph of a view. ``project`` is set inside a part that belongs to one project."""

    view: str  # profile, active, project
    section: str  # stable name, or the folded title of a section that a person made
    title: str
    bullet: Bullet
    order: int
    project: str = ""


@dataclass(slots=True)
class _Where:
    section: str = ""
    title: str = ""
    project: str = ""
    project_level: int = 0
    level: int = 0


def read_view(view: str, text: str) -> list[Chunk]:
    """Chunks of a view in order. Generated lines (counts, links) and empty items are left out."""
    chunks: list[Chunk] = []
    where = _Where()
    for kind, lines in _blocks(text):
        if kind == "heading":
            _enter(where, lines[0])
        elif kind == "marker":
            _mark(where, lines[0])
        else:
            bullet = read_bullet(["\n".join(lines)])
            if bullet.text.strip() and not bullet.info:
                chunks.append(Chunk(view, where.section, where.title, bullet, len(chunks), where.project))
    return chunks


def _enter(where: _Where, line: str) -> None:
    found = _HEADING.match(line)
    assert found is not None
    where.level, where.title = len(found[1]), found[2]
    where.section = name_of(found[2]) or found[2].strip().casefold()
    if where.project and where.level <= where.project_level:
        where.project = ""


def _mark(where: _Where, line: str) -> None:
    found = _MARKER.match(line)
    assert found is not None
    if found["project"]:
        where.project, where.project_level = found["project"], where.level
    else:
        where.section = found["section"]


def _blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """Headings, markers, items and paragraphs. Nested items are items of their own."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    start = _after_front(lines)
    block: list[str] = []
    fenced = False
    for line in lines[start:]:
        bare = line.strip()
        if _FENCE.match(line):
            fenced = not fenced
        structure = "" if fenced else "heading" if _HEADING.match(line) else "marker" if _MARKER.match(line) else ""
        item = None if fenced else _ITEM.match(bare)
        if (structure or item or not bare) and block:
            yield "text", block
            block = []
        if structure:
            yield structure, [line]
        elif item:
            block = [bare[item.end():]]
        elif bare:
            block.append(bare)
    if block:
        yield "text", block


def _after_front(lines: list[str]) -> int:
    if lines and lines[0].strip() == "---":
        for number, line in enumerate(lines[1:], 1):
            if line.strip() in ("---", "..."):
                return number + 1
    return 0
