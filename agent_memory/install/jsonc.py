"""JSON with comments and trailing commas (JSONC, JWCC), as a tree of values with their places in the text.

The text itself is never written back from the tree, so numbers, escapes, order and layout need no model here: an
editor uses the places and touches nothing else. Grammar: RFC 8259 plus ``//`` and ``/* */`` comments and one comma
after the last member (https://nigeltao.github.io/blog/2021/json-with-commas-comments.html).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Final

from agent_memory.errors import EditRefused

DEPTH: Final = 200
"""Deeper nesting than this is refused; no real configuration comes near."""

_TOKEN: Final = re.compile(
    r"(?P<blank>[ \t\r\n]+)"
    r"|(?P<comment>//[^\r\n]*|/\*.*?\*/)"
    r'|(?P<string>"(?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*")'
    r"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.+-]))"
    r"|(?P<word>(?:true|false|null)(?!\w))"
    r"|(?P<mark>[\[\]{},:])", re.S)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text that is neither blank nor a comment."""

    kind: str
    start: int
    end: int


@dataclass(slots=True)
class Node:
    """A value: its machine, for containers the items inside, for scalars the value."""

    kind: str  # object, array, scalar, number
    start: int
    end: int = 0
    value: Any = None
    items: list[Item] = field(default_factory=list)

    def get(self, key: str) -> Node | None:
        """The value of a member; with a key said twice the last one, as every reader does."""
        return next((item.node for item in reversed(self.items) if item.key == key), None)


@dataclass(slots=True)
class Item:
    """A member of an object (with a key) or an element of an array; ``start`` is that of the key."""

    key: str | None
    node: Node
    start: int
    comma: int = -1  # where the comma after it stands, or -1

    @property
    def end(self) -> int:
        """Where the value ends; a comma is not part of it."""
        return self.node.end


def _where(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    return f"line {line}, column {position - text.rfind(chr(10), 0, position)}"


def tokens(text: str) -> list[Token]:
    """The tokens of ``text``.

    Raises:
        EditRefused: a character that belongs to no token; the message says where.
    """
    found: list[Token] = []
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise EditRefused(f"not valid JSON ({_where(text, position)})")
        if match.lastgroup not in ("blank", "comment"):
            found.append(Token(match.lastgroup or "", match.start(), match.end()))
        position = match.end()
    return found


class _Reader:
    """Builds the tree from tokens, one value at a time."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.next = 0

    def mark(self) -> str:
        if self.next >= len(self.tokens):
            raise EditRefused("not valid JSON (it ends too early)")
        token = self.tokens[self.next]
        return self.text[token.start] if token.kind == "mark" else token.kind

    def take(self, *allowed: str) -> Token:
        if self.mark() not in allowed:
            raise EditRefused(f"not valid JSON ({_where(self.text, self.tokens[self.next].start)})")
        self.next += 1
        return self.tokens[self.next - 1]

    def value(self, depth: int = 0) -> Node:
        if depth > DEPTH:
            raise EditRefused(f"nested deeper than {DEPTH} levels")
        token = self.take("{", "[", "string", "number", "word")
        if token.kind != "mark":
            raw = self.text[token.start:token.end]
            # A number stays text: reading it could lose digits, or refuse very long ones.
            value = raw if token.kind == "number" else json.loads(raw)
            return Node("scalar" if token.kind != "number" else "number", token.start, token.end, value)
        is_object = self.text[token.start] == "{"
        node = Node("object" if is_object else "array", token.start)
        close = "}" if is_object else "]"
        while self.mark() != close:
            node.items.append(self.item(is_object, depth))
            if self.mark() != ",":
                break
            node.items[-1].comma = self.take(",").start
        node.end = self.take(close).end
        return node

    def item(self, is_object: bool, depth: int) -> Item:
        if not is_object:
            node = self.value(depth + 1)
            return Item(None, node, node.start)
        key = self.take("string")
        self.take(":")
        return Item(json.loads(self.text[key.start:key.end]), self.value(depth + 1), key.start)


def parse(text: str) -> Node:
    """The one value in ``text``.

    Raises:
        EditRefused: not JSON with comments, or more than one value.
    """
    reader = _Reader(text)
    node = reader.value()
    if reader.next != len(reader.tokens):
        raise EditRefused(f"not valid JSON ({_where(text, reader.tokens[reader.next].start)})")
    return node


def plain(node: Node) -> Any:
    """The tree as Python data; numbers stay as they were written, marked as such."""
    if node.kind == "object":
        return {item.key: plain(item.node) for item in node.items}
    if node.kind == "array":
        return [plain(item.node) for item in node.items]
    return ("number", node.value) if node.kind == "number" else node.value


def comments(text: str) -> list[str]:
    """Every comment of valid ``text``, in order."""
    return [match[0] for match in _TOKEN.finditer(text) if match.lastgroup == "comment"]


def solid(text: str, position: int) -> int:
    """Where what stands before ``position`` ends: the same place without the blanks before it.

    A comment is not cut: blanks at its end belong to it.

    >>> solid("{ // a \\n  }", 10), solid("{  }", 3)
    (7, 1)
    """
    end = 0
    for match in _TOKEN.finditer(text, 0, position):
        if match.lastgroup != "blank":
            end = match.end()
    return end
