"""From the text of a view, as a person may have changed it, to its units and what stands between them.

A unit is a line or paragraph of ours: front matter, title, section heading, generated paragraph, bullet. Everything
else (prose, tables, code, comments, headings of the person, and bullets below those) stands in the gaps between units
and belongs to the person. Block structure comes from markdown-it's source map, so that a list item in a code block or
in a comment is none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from markdown_it import MarkdownIt
from markdown_it.token import Token

from agent_memory.materialize.bullets import read_bullet, split_comment
from agent_memory.materialize.escape import decode
from agent_memory.materialize.sections import name_of
from agent_memory.model.view import Bullet, Document, Section

_MARKER = re.compile(r"[ ]{0,3}<!--[ \t]*(?:s:([\w:.-]+)|(project:[\w.-]+))[ \t]*-->[ \t]*\Z")
_MARKDOWN = MarkdownIt("commonmark").enable("table").disable("inline")


@dataclass(frozen=True, slots=True)
class Unit:
    """Lines ``start`` to ``end`` (exclusive) of the file. ``key`` is the same in every version of the view.

    ``section`` and ``project`` say where a bullet stands; ``loose`` bullets stand below a heading that is not ours and
    stay where they are. ``copied`` is the id that a second bullet carries though another one has it already.
    """

    kind: str  # front, title, heading, prose, bullet
    key: str
    start: int
    end: int
    level: int = 0
    text: str = ""  # of title, heading and prose
    section: str = ""
    project: str = ""
    bullet: Bullet | None = None
    loose: bool = False
    copied: str = ""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A view as text: its lines without their endings, and its units in order."""

    lines: tuple[str, ...]
    units: tuple[Unit, ...]
    newline: str = "\n"
    bom: bool = False
    ends: bool = True  # the last line has an ending

    def bullets(self) -> list[Unit]:
        """The bullets, in order."""
        return [u for u in self.units if u.kind == "bullet"]


def join(lines: Sequence[str], like: Parsed) -> str:
    """Text from lines with the line endings and the byte order mark of ``like``."""
    body = like.newline.join(lines)
    return ("\ufeff" if like.bom else "") + body + (like.newline if like.ends and lines else "")


def _front_end(lines: Sequence[str]) -> int:
    """Number of lines of the front matter; 0 if there is none or it does not end."""
    if not lines or lines[0].rstrip() != "---":
        return 0
    return next((i + 1 for i in range(1, len(lines)) if lines[i].rstrip() in ("---", "...")), 0)


def parse(text: str) -> Parsed:
    """The units of a view. Never fails: what is not understood belongs to the person."""
    bom = text.startswith("\ufeff")
    text = text.removeprefix("\ufeff")
    crlf = text.count("\r\n")
    cr, lf = text.count("\r") - crlf, text.count("\n") - crlf
    newline = "\r\n" if crlf and crlf >= max(cr, lf) else "\r" if cr > lf else "\n"
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    ends = text.endswith("\n") or not text
    lines = tuple((text[:-1] if text.endswith("\n") else text).split("\n")) if text else ()
    reader = _Reader(lines)
    reader.read()
    return Parsed(lines, tuple(reader.units), newline, bom, ends)


class _Reader:
    """Walks over the blocks of one file and keeps the section it is in."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.units: list[Unit] = []
        self.section = ""
        self.section_level = 0
        self.project = ""
        self.project_level = 0
        self.ours = False
        self.keys: set[str] = set()
        self.fresh = 0
        self.top = 0

    def read(self) -> None:
        self.top = _front_end(self.lines)
        if self.top:
            self._add(Unit("front", "front", 0, self.top))
        tokens = _MARKDOWN.parse("\n".join(self.lines[self.top:]))
        quoted = 0
        for i, token in enumerate(tokens):
            if token.type == "blockquote_open":
                quoted += 1
            elif token.type == "blockquote_close":
                quoted -= 1
            elif quoted:
                continue
            elif token.type == "heading_open" and token.level == 0 and set(token.markup) == {"#"}:
                self._heading(token, tokens[i + 1].content)
            elif token.type == "paragraph_open" and token.level == 0:
                self._paragraph(token, tokens[i + 1].content)
            elif token.type == "list_item_open":
                self._item(tokens, i)

    def _span(self, token: Token) -> tuple[int, int]:
        assert token.map is not None
        return token.map[0] + self.top, token.map[1] + self.top

    def _add(self, unit: Unit) -> bool:
        """Add a unit unless its key was seen; a key that comes twice belongs to the person."""
        if unit.key in self.keys:
            return False
        self.keys.add(unit.key)
        self.units.append(unit)
        return True

    def _heading(self, token: Token, content: str) -> None:
        start, end = self._span(token)
        level = len(token.markup)
        title = decode([content])
        if level == 1 and "title" not in self.keys:
            self._add(Unit("title", "title", start, end, 1, title))
            self.section, self.project, self.ours = "", "", False
            return
        marked = _MARKER.match(self.lines[end]) if end < len(self.lines) else None
        name = (marked[1] or marked[2]) if marked else name_of(title)
        if self.project and level <= self.project_level:
            self.project = ""
        if name.startswith("project:"):
            self.project, self.project_level = name.removeprefix("project:"), level
        unit = Unit("heading", f"{self.project}/{name}", start, end + 1 if marked else end, level, title, name,
                    self.project)
        self.ours = bool(name) and self._add(unit)
        if self.ours or name:
            self.section, self.section_level = name, level
        elif level <= self.section_level:
            self.section = ""  # below a deeper heading of the person the section still says what kind bullets are

    def _paragraph(self, token: Token, content: str) -> None:
        tagged = split_comment(content)
        if tagged.sort != "i" or tagged.after.strip():
            return
        start, end = self._span(token)
        where = f"{self.project}/{self.section}" if self.ours else ""
        self._add(Unit("prose", f"{where}/i:{tagged.key}", start, end, text=decode(tagged.before.split("\n")),
                       section=self.section, project=self.project))

    def _item(self, tokens: Sequence[Token], at: int) -> None:
        start, end = self._span(tokens[at])
        inner = tokens[at].level + 1
        blocks: list[str] = []
        last = start + 1
        tagged = False
        for i in range(at + 1, len(tokens)):
            token = tokens[i]
            if token.level < inner:
                break
            if token.level > inner or token.map is None:
                continue
            if token.type in ("bullet_list_open", "ordered_list_open"):
                break
            first, stop = self._span(token)
            if token.type == "paragraph_open":
                content, stop, tagged = self._own_lines(tokens[i + 1].content, first, stop, tagged)
                blocks.append(content)
            else:
                blocks.append(_raw(token, self.lines[first:stop]))
            last = stop
            if tagged and stop < self._span(token)[1]:
                break
        if not any(block.strip() for block in blocks):
            return
        while last > start + 1 and not self.lines[last - 1].strip():
            last -= 1
        self._bullet(read_bullet(blocks), start, min(last, end))

    def _own_lines(self, content: str, first: int, stop: int, tagged: bool) -> tuple[str, int, bool]:
        """Cut a paragraph of an item where unindented lines follow our comment: those are the person's prose."""
        found = split_comment(content)
        line = found.line if found.sort else (-1 if tagged else stop)
        own = content.split("\n")
        for number in range(max(line + 1, 1), stop - first):
            if not self.lines[first + number].startswith((" ", "\t")):
                return "\n".join(own[:number]), first + number, True
        return content, stop, tagged or bool(found.sort)

    def _bullet(self, bullet: Bullet, start: int, end: int) -> None:
        """Add a bullet. An id that stands here already is that of a copy, so the second is a new bullet."""
        copied = ""
        if bullet.info:
            key = f"{self.project}/{self.section}/i:{bullet.info}"
        elif bullet.id and f"m:{bullet.id}" not in self.keys:
            key = f"m:{bullet.id}"
        else:
            copied, bullet = bullet.id, replace(bullet, id="")
            key = f"new:{self.fresh}"
            self.fresh += 1
        self._add(Unit("bullet", key, start, end, section=self.section, project=self.project, bullet=bullet,
                       loose=not self.ours, copied=copied))


def _raw(token: Token, lines: Sequence[str]) -> str:
    """A block of an item that is no paragraph, as written; escaped so that decoding gives it back."""
    if token.type == "html_block" and split_comment(token.content).sort:
        return token.content.strip("\n")
    shift = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join(line[shift:].replace("\\", "\\\\") + ("\\" if n < len(lines) - 1 else "")
                     for n, line in enumerate(lines))


def document(name: str, text: str) -> Document:
    """The Document that a rendered view says; the inverse of `render` for what `render` writes."""
    parsed = parse(text)
    title = intro = ""
    front: tuple[tuple[str, str | tuple[str, ...]], ...] = ()
    sections: list[Section] = []
    for unit in parsed.units:
        match unit.kind:
            case "front":
                front = _front(parsed.lines[unit.start + 1:unit.end - 1])
            case "title":
                title = unit.text
            case "heading":
                sections.append(Section(unit.text, unit.section, level=unit.level))
            case "prose" if sections:
                sections[-1] = replace(sections[-1], prose=unit.text)
            case "prose":
                intro = unit.text
            case "bullet" if sections and unit.bullet:
                sections[-1] = replace(sections[-1], bullets=(*sections[-1].bullets, unit.bullet))
    return Document(name, title, front, intro, tuple(sections))


def _front(lines: Sequence[str]) -> tuple[tuple[str, str | tuple[str, ...]], ...]:
    """Front matter as `render` writes it; lines in another form are left out."""
    found: list[tuple[str, str | tuple[str, ...]]] = []
    for line in lines:
        try:
            if line.startswith("  - ") and found and isinstance(found[-1][1], tuple):
                found[-1] = (found[-1][0], (*found[-1][1], str(json.loads(line[4:]))))
            elif line.endswith(":"):
                found.append((line[:-1], ()))
            elif ": " in line:
                key, _, value = line.partition(": ")
                found.append((key, str(json.loads(value))))
        except ValueError:
            continue
    return tuple(found)
