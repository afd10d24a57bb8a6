"""From a Document to the text of a view. Equal documents give equal bytes."""

from __future__ import annotations

import json
import re

from agent_memory.materialize.escape import canonical, encode
from agent_memory.materialize.sections import date_of
from agent_memory.model.view import Bullet, Document, Section

_YAML_BREAKS = re.compile("[\x7f-\x9f\u2028\u2029\ufeff]")


def one_line(text: str) -> str:
    """Canonical ``text`` on one line.

    >>> one_line("a\\n b")
    'a b'
    """
    return " ".join(canonical(text).split())


def _quoted(text: str) -> str:
    """A double-quoted YAML scalar: JSON, with the characters escaped that YAML takes for breaks."""
    return _YAML_BREAKS.sub(lambda m: f"\\u{ord(m[0]):04x}", json.dumps(canonical(text), ensure_ascii=False))


def front_lines(document: Document) -> list[str]:
    """The YAML front matter with its fences; empty if the document has none."""
    if not document.front:
        return []
    lines = ["---"]
    for key, value in document.front:
        if isinstance(value, str):
            lines.append(f"{key}: {_quoted(value)}")
        else:
            lines.append(f"{key}:")
            lines += [f"  - {_quoted(item)}" for item in value]
    return [*lines, "---"]


def _heading(level: int, title: str) -> str:
    text = encode(one_line(title), marked=True)[0]
    if text.endswith("#"):
        text = f"{text[:-1]}\\#"
    return f"{'#' * level} {text}"


def marker(name: str) -> str:
    """The comment below a heading that says what the section means, whatever the heading is called.

    >>> marker("goals"), marker("project:p-1")
    ('<!-- s:goals -->', '<!-- project:p-1 -->')
    """
    return f"<!-- {name} -->" if name.startswith("project:") else f"<!-- s:{name} -->"


def bullet_lines(bullet: Bullet) -> list[str]:
    """The lines of one list item."""
    box = "" if bullet.done is None else ("[x] " if bullet.done else "[ ] ")
    mark = f"{bullet.mark} " if bullet.mark else ""
    lines = encode(canonical(bullet.text), marked=bool(bullet.mark))
    lines[-1] += f" *({bullet.suffix})*" if bullet.suffix else ""
    if bullet.id:
        lines[-1] += f" <!-- m:{bullet.id} -->"
    elif bullet.info:
        lines[-1] += f" <!-- i:{bullet.info} -->"
    return [f"- {box}{mark}{lines[0]}", *(f"  {line}" for line in lines[1:])]


def _prose_lines(text: str, key: str) -> list[str]:
    lines = encode(canonical(text))
    lines[-1] += f" <!-- i:{key} -->"
    return lines


def _section_lines(section: Section) -> list[str]:
    lines = [_heading(section.level, section.title)]
    if not (date_of(section.name) and section.title == section.name):  # a day says what it is
        lines.append(marker(section.name))
    if section.prose:
        lines += ["", *_prose_lines(section.prose, "prose")]
    if section.bullets:
        lines.append("")
        for bullet in section.bullets:
            lines += bullet_lines(bullet)
    return lines


def render(document: Document) -> str:
    """The text of a view, with line feeds and one at the end."""
    lines = front_lines(document)
    if lines:
        lines.append("")
    lines.append(_heading(1, document.title))
    if document.intro:
        lines += ["", *_prose_lines(document.intro, "intro")]
    for section in document.sections:
        lines += ["", *_section_lines(section)]
    return "\n".join(lines) + "\n"
