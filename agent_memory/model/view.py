"""What a Markdown view says: a document of sections and bullets, before it is text."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Bullet:
    """One list item. ``id`` is the memory it shows, ``info`` the key of a generated line that is not a memory.

    ``mark`` is the priority emoji or "", ``done`` is None for plain items, else the state of a task box.
    ``suffix`` holds derived remarks (confidence, seen count) that are not part of the text; it is markup of ours.
    An item without ``id`` and ``info`` was written by a person.
    """

    text: str
    id: str = ""
    mark: str = ""
    done: bool | None = None
    suffix: str = ""
    info: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its bullets. ``name`` is the stable meaning of the heading (a kind, a date, "goals", …).

    The name ``project:ID`` opens the part of a view that belongs to one project, up to the next heading of the same
    or a higher level. ``prose`` is generated text below the heading.
    """

    title: str
    name: str
    bullets: tuple[Bullet, ...] = field(default=())
    level: int = 2
    prose: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A view as rendered: front matter in order, title, introduction, sections."""

    name: str  # file name below the views folder, with forward slashes
    title: str
    front: tuple[tuple[str, str | tuple[str, ...]], ...] = field(default=())
    intro: str = ""
    sections: tuple[Section, ...] = field(default=())
