"""Adds entries to a JSON or JSONC file, and takes them out again, by the smallest change of the text.

A template is a JSON object. Its objects lead to places; each element of its lists is appended to the list at that
place, a member of the second level that has this program's name is put into the object there, and containers on the
way are made where they are missing. Our entries are found by the command line in them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agent_memory.errors import EditRefused
from agent_memory.install import jsonc, own
from agent_memory.install.jsonc import Item, Node

Path = tuple[str, ...]


def additions(template: Mapping[str, Any], at: Path = ()) -> Iterator[tuple[Path, str | None, Any]]:
    """(place of the container, key, value) for each thing that a template adds; elements of lists have no key.

    Raises:
        ValueError: a value that is neither an object nor a list; a template with it is a bug.
    """
    for key, value in template.items():
        if key == own.ID and len(at) == 1:
            yield at, key, value
        elif isinstance(value, Mapping):
            yield from additions(value, (*at, key))
        elif isinstance(value, list):
            yield from (((*at, key), None, element) for element in value)
        else:
            raise ValueError(f"template key {key!r} is neither an object nor a list")


def add(text: str, template: str) -> tuple[str, dict[str, str]]:
    """(the text with the template's entries, made containers).

    ``made`` maps the JSON text of a container's path to what stood between its brackets before, or to "new".

    Raises:
        EditRefused: not JSON, or something of another kind stands at a place.
    """
    made: dict[str, str] = {}
    if not text.strip():
        text = "{}\n"
        made["[]"] = "new"
    for path, key, value in additions(json.loads(template)):
        text = _append(text, path, key, value, made)
    return text, made


def _append(text: str, path: Path, name: str | None, element: Any, made: dict[str, str]) -> str:
    node = jsonc.parse(text)
    if node.kind != "object":
        raise EditRefused("the file holds no JSON object")
    for depth, key in enumerate(path):
        child = node.get(key)
        if child is None:
            value: Any = [element] if name is None else {name: element}
            for place in range(len(path), depth, -1):
                made.setdefault(json.dumps(path[:place]), "new")
            for outer in reversed(path[depth + 1:]):
                value = {outer: value}
            _note_blank(text, node, path[:depth], made)
            return _insert(text, node, value, key)
        wanted = "array" if name is None and depth == len(path) - 1 else "object"
        if child.kind != wanted:
            raise EditRefused(f"{'.'.join(path[:depth + 1])} is not {'a list' if wanted == 'array' else 'an object'}")
        node = child
    if name is not None and node.get(name) is not None:
        raise EditRefused(f"{'.'.join((*path, name))} is not an entry of this program",
                          hint="rename or remove it and run install again")
    _note_blank(text, node, path, made)
    return _insert(text, node, element, name)


def _note_blank(text: str, node: Node, path: Path, made: dict[str, str]) -> None:
    """Remember what stood inside an empty container, since adding and removing would not give it back."""
    inner = text[node.start + 1:node.end - 1]
    if not inner.strip():
        made.setdefault(json.dumps(path), inner)


def newline(text: str) -> str:
    """The line ending of ``text``."""
    return "\r\n" if "\r\n" in text else "\n"


def _line_indent(text: str, position: int) -> str:
    start = text.rfind("\n", 0, position) + 1
    return text[start:position][:len(text[start:position]) - len(text[start:position].lstrip(" \t"))]


def _unit(text: str) -> str:
    """One step of indentation: that of the first indented line, else two spaces."""
    for line in text.splitlines():
        blank = line[:len(line) - len(line.lstrip(" \t"))]
        if blank and line.strip():
            return blank
    return "  "


def _insert(text: str, node: Node, value: Any, key: str | None) -> str:
    """``text`` with one more item at the end of the container ``node``."""
    line = newline(text)
    outer = _line_indent(text, node.start)
    inner = text[node.start + 1:node.end - 1]
    label = "" if key is None else json.dumps(key, ensure_ascii=False) + ": "
    many_lines = "\n" in inner or not inner.strip()
    if not many_lines:
        body = label + json.dumps(value, ensure_ascii=False)
        lead = " "
    else:
        unit = _unit(text)
        indent = outer + unit
        if node.items and "\n" in text[node.start:node.items[0].start]:
            indent = _line_indent(text, node.items[0].start)
        dumped = json.dumps(value, ensure_ascii=False, indent=unit)
        body = label + dumped.replace("\n", line + indent)
        lead = line + indent
    if not inner.strip():
        return text[:node.start + 1] + lead + body + line + outer + text[node.end - 1:]
    last = node.items[-1] if node.items else None
    end = jsonc.solid(text, node.end - 1)
    if last is None or last.comma >= 0:
        return text[:end] + lead + body + ("," if last else "") + text[end:]
    return text[:last.end] + "," + text[last.end:end] + lead + body + text[end:]


def _is_ours(node: Node) -> bool:
    """True if a handler object calls our hook, in whichever of its fields."""
    if node.kind != "object":
        return False
    strings = [item.node.value for item in node.items if isinstance(item.node.value, str)]
    command, arguments = node.get("command"), node.get("args")
    if command is not None and arguments is not None and arguments.kind == "array":
        strings.append(" ".join(str(part) for part in [command.value, *(i.node.value for i in arguments.items)]))
    return any(own.is_command(string) for string in strings)


def _is_server(node: Node, item: Item, depth: int) -> bool:
    """True for our MCP entry: ``{"mcpServers": {NAME: …}}``. Deeper ones were made by a person, for a project."""
    return (depth == 1 and item.key == own.ID and node.get(own.ID) is item.node
            and own.server_line(jsonc.plain(item.node)) != "")


def _find(node: Node, path: tuple[str | int, ...] = ()) -> tuple[str | int, ...] | None:
    """Path of the first entry that is ours; a group whose only handlers are ours counts as a whole."""
    for index, item in enumerate(node.items):
        step: str | int = item.key if item.key is not None else index
        if _is_server(node, item, len(path)):
            return (*path, step)
        if node.kind == "array":
            if _is_ours(item.node):
                return (*path, step)
            handlers = item.node.get("hooks") if item.node.kind == "object" else None
            if handlers is not None and handlers.items and all(_is_ours(h.node) for h in handlers.items):
                return (*path, step)
        found = _find(item.node, (*path, step))
        if found is not None:
            return found
    return None


def _walk(root: Node, path: Sequence[str | int]) -> tuple[Node, int]:
    """(container, index in it) of the item at ``path``."""
    node = root
    for step in path[:-1]:
        found = node.get(step) if isinstance(step, str) else node.items[step].node
        assert found is not None
        node = found
    last = path[-1]
    if isinstance(last, int):
        return node, last
    return node, max(i for i, item in enumerate(node.items) if item.key == last)


def remove(text: str, made: Mapping[str, str] | None = None) -> str:
    """``text`` without our entries, and without the containers that were made for them and are empty now.

    ``made`` is what ``add`` gave; without it (no receipt) empty containers around our entries go too, and "" is the
    answer when nothing is left of a file that was made by us.

    Raises:
        EditRefused: not JSON.
    """
    if not text.strip():
        return text
    while (path := _find(jsonc.parse(text))) is not None:
        text = _cut(text, path)
        places = tuple(step for step in path[:-1] if isinstance(step, str))
        if len(places) == len(path) - 1:  # else a foreign group around our handler stays
            text = _tidy(text, places, made)
    root = jsonc.parse(text)
    if made is not None and made.get("[]") == "new" and not root.items and not jsonc.comments(text):
        return ""
    return text


def _tidy(text: str, path: Path, made: Mapping[str, str] | None) -> str:
    """Remove, or lay out as before, the containers of ``path`` that have become empty."""
    while True:
        root = jsonc.parse(text)
        node = root
        if path:
            container, index = _walk(root, path)
            node = container.items[index].node
        before = "new" if made is None else made.get(json.dumps(path))
        inner = text[node.start + 1:node.end - 1]
        if node.items or inner.strip() or before is None:
            return text
        if before != "new" or not path:
            return text[:node.start + 1] + ("" if before == "new" else before) + text[node.end - 1:]
        text = _cut(text, path)
        path = path[:-1]


def _cut(text: str, path: Sequence[str | int]) -> str:
    """``text`` without the item at ``path`` and the comma it needed."""
    container, index = _walk(jsonc.parse(text), path)
    item = container.items[index]
    before = container.items[index - 1] if index else None
    start = jsonc.solid(text, item.start)
    tight = _without(text, item, start, before)
    try:
        if jsonc.comments(tight) == jsonc.comments(text) and _same(tight, text, path):
            return tight
    except EditRefused:
        pass  # a line comment before the item needs the line break after it
    return _without(text, item, item.start, before)


def _without(text: str, item: Item, start: int, before: Item | None) -> str:
    if item.comma >= 0:
        between = text[item.end:item.comma]  # a comment may stand there, and need its line break
        return text[:start] + (between if between.strip() else "") + text[item.comma + 1:]
    if before is not None and before.comma >= 0:
        return text[:before.comma] + text[before.comma + 1:start] + text[item.end:]
    return text[:start] + text[item.end:]


def _same(after: str, before: str, path: Sequence[str | int]) -> bool:
    """True if nothing but the item at ``path`` differs."""
    one, two = jsonc.parse(after), jsonc.parse(before)
    container, index = _walk(two, path)
    del container.items[index]
    return bool(jsonc.plain(one) == jsonc.plain(two))


def ours(text: str) -> list[tuple[Path, Any]]:
    """(machine, element) of each of our entries in ``text``, in order."""
    found: list[tuple[Path, Any]] = []
    while text.strip() and (path := _find(root := jsonc.parse(text))) is not None:
        container, index = _walk(root, path)
        machine = tuple(step for step in path if isinstance(step, str))
        item = container.items[index]
        found.append((machine, jsonc.plain(item.node)))
        text = _cut(text, path)
    return found
