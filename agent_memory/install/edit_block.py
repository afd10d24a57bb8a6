"""Keeps one marked block in a text file that belongs to somebody else, such as a Markdown rules file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from agent_memory.install import own

BEGIN: Final = f"<!-- {own.ID}: begin, written by this program; changes inside are lost -->"
END: Final = f"<!-- {own.ID}: end -->"
_BLOCK = re.compile(
    rf"(?P<gap>(?:\r?\n)*)<!-- {own.ID}: begin[^\n]*?-->.*?<!-- {own.ID}: end -->(?P<line>\r?\n)?", re.S)


def add(text: str, template: str) -> tuple[str, dict[str, str]]:
    """(the text with the block at its end or in the place of an older one, the line breaks put before it).

    Line endings follow the text. The block's own content cannot end it early.
    """
    line = "\r\n" if "\r\n" in text else "\n"
    body = template.replace(END, END.replace("<", "‹")).strip("\r\n").replace("\r\n", "\n")
    block = f"{BEGIN}\n{body}\n{END}".replace("\n", line)
    found = _BLOCK.search(text)
    if found:
        return text[:found.start()] + found["gap"] + block + (found["line"] or "") + text[found.end():], {}
    gap = "" if not text else line if text.endswith("\n") else line * 2
    return text + gap + block + line, {"gap": gap}


def remove(text: str, made: Mapping[str, str] | None = None) -> str:
    """``text`` without our blocks and the line breaks that were put before them."""
    while found := _BLOCK.search(text):
        gap = found["gap"]
        keep = gap.removesuffix((made or {}).get("gap", "\r\n" if gap.endswith("\r\n") else "\n"))
        text = text[:found.start()] + keep + text[found.end():]
    return text


def ours(text: str) -> list[str]:
    """Our blocks in ``text``, as they stand there."""
    return [found[0].strip("\r\n") for found in _BLOCK.finditer(text)]
