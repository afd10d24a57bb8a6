r"""Memory text as Markdown of one list item, and back, without a loss and without a forged structure.

A line break of the text is a hard break (a backslash at the end of the line), so an item is always one paragraph, and
a soft break that a person's editor wraps in is a space. Characters that could start a block, a tag, a comment, a link
or an entity are escaped by a backslash (https://spec.commonmark.org/0.31.2/#backslash-escapes); code spans on one line
stay as they are, because backslashes mean themselves in there.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence

from agent_memory.text.normal import without_surrogates

MARKS = ("🔴", "🟡", "🟢")
_PUNCTUATION = frozenset(string.punctuation)
_ESCAPABLE = _PUNCTUATION | set(MARKS)
_BREAKS = re.compile("\r\n?|[\u2028\u2029\x85\x0b\x0c]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_LINE_END_SPACE = re.compile(r"[ \t]+(?=\n|\Z)")
_TICKS = re.compile("`+")
_ORDERED = re.compile(r"(\d{1,9})([.)])(?=[ \t]|\Z)")
_ENTITY = re.compile(r"&(?=#|[A-Za-z])")
_SPECIAL = re.compile(r"[<\\&\]\[%`]")
_BLOCK_START = frozenset("#-+*>=|:~_[")


def canonical(text: str) -> str:
    """``text`` as a view can carry it: line feeds only, no control characters, no space at line ends, trimmed.

    >>> canonical(" a\\r\\nb \\x00 ")
    'a\\nb'
    """
    text = _BREAKS.sub("\n", without_surrogates(text))
    text = _CONTROL.sub("", text).expandtabs(4)
    return _LINE_END_SPACE.sub("", text).strip()


def _forges(line: str, i: int) -> bool:
    """True if the character at ``i`` (outside of code) could build a structure there."""
    char, after = line[i], line[i + 1:i + 2]
    match char:
        case "<":
            return True
        case "\\":
            return not after or after in _ESCAPABLE
        case "&":
            return _ENTITY.match(line, i) is not None
        case "]":
            return after != "" and after in "([:"
        case "[":
            return after == "[" or line[max(i - 1, 0):i] == "["
        case "%":
            return after == "%" or line[max(i - 1, 0):i] == "%"
    return False


def _opener(line: str, *, first: bool) -> int:
    """Index of the character at the start of a line that would open a block, box or mark; -1 if there is none."""
    start = len(line) - len(line.lstrip(" "))
    head = line[start:start + 1]
    if head and (head in _BLOCK_START or (first and head in MARKS)):
        return start
    if ordered := _ORDERED.match(line, start):
        return ordered.end(1)
    return -1


def _closing(line: str, start: int, length: int) -> int:
    """End of the code span whose opening run of ``length`` ticks ends at ``start``; 0 if nothing closes it."""
    return next((run.end() for run in _TICKS.finditer(line, start) if len(run[0]) == length), 0)


def _encode_line(line: str, *, opens: bool, first: bool, last: bool) -> str:
    """One line; ``opens`` if blocks may start here, ``first`` behind the bullet, ``last`` of the item."""
    forced = {_opener(line, first=first)} if opens else set()
    if last and line.endswith(")*"):
        forced.add(len(line) - 1)
    fence = opens and line.lstrip(" ").startswith("```")
    if not fence and not forced - {-1} and not _SPECIAL.search(line):
        return line
    out: list[str] = []
    i = 0
    while i < len(line):
        if line[i] == "`":
            run = _TICKS.match(line, i)
            assert run is not None
            end = 0 if fence else _closing(line, run.end(), len(run[0]))
            out.append(line[i:end] if end else "\\`" * len(run[0]))
            i = end or run.end()
            continue
        out.append(f"\\{line[i]}" if i in forced or _forges(line, i) else line[i])
        i += 1
    return "".join(out)


def encode(text: str, *, marked: bool = False) -> list[str]:
    """Lines of a paragraph that shows canonical ``text``; ``marked`` if a priority mark stands before it.

    >>> encode("# a <b>")
    ['\\\\# a \\\\<b>']
    """
    lines = text.split("\n")
    end = len(lines) - 1
    return [
        _encode_line(line, opens=number > 0 or not marked, first=number == 0, last=number == end)
        + ("" if number == end else "\\")
        for number, line in enumerate(lines)
    ]


def decode(lines: Sequence[str]) -> str:
    r"""The text that the lines of a paragraph show; the inverse of `encode`, and forgiving about wrapped lines.

    >>> decode(["a\\", "b", "c \\<d> `\\<`"])
    'a\nb c <d> `\\<`'
    """
    text = wrapped = ""
    for number, raw in enumerate(lines):
        line = raw.rstrip(" \t")
        last = number == len(lines) - 1
        hard = not last and (len(line) - len(line.rstrip("\\"))) % 2 == 1
        wrapped = wrapped + " " + line.lstrip(" \t") if wrapped else line
        if hard or last:
            text += _decode_line(wrapped[:-1] if hard else wrapped) + ("" if last else "\n")
            wrapped = ""
    return canonical(text)


def _decode_line(line: str) -> str:
    if "\\" not in line:
        return line
    out: list[str] = []
    i = 0
    while i < len(line):
        char = line[i]
        if char == "\\" and line[i + 1:i + 2] and line[i + 1] in _ESCAPABLE:
            out.append(line[i + 1])
            i += 2
        elif char == "`":
            run = _TICKS.match(line, i)
            assert run is not None
            end = _closing(line, run.end(), len(run[0])) or run.end()
            out.append(line[i:end])
            i = end
        else:
            out.append(char)
            i += 1
    return "".join(out)
