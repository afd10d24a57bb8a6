"""Sets one nested key in a YAML file where it is not set yet, and takes it out again.

PyYAML says where things stand (its marks); the text is changed by inserting or replacing a line. The template is two
levels deep: ``section:`` and ``  key: value``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import yaml  # type: ignore[import-untyped]

from agent_memory.errors import EditRefused
from agent_memory.install import own

MARK: Final = f"# {own.ID}"
_LINE = re.compile(rf"^[^\n]*{MARK}(?:: (?P<was>[^\r\n]*))?\r?(?:\n|\Z)", re.M)


def _compose(text: str) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        raise EditRefused(f"not valid YAML (line {mark.line + 1})" if mark else "not one YAML document") from problem


def _load(text: str) -> Any:
    try:
        return yaml.safe_load(text)
    except (yaml.YAMLError, ValueError) as problem:
        raise EditRefused("not valid YAML") from problem


def _member(node: yaml.Node | None, key: str) -> tuple[yaml.Node, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        return next(((name, value) for name, value in node.value if name.value == key), None)
    return None


def _wanted(template: str) -> tuple[str, str, str]:
    (section, values), = yaml.safe_load(template).items()
    (key, value), = values.items()
    return section, key, value


def add(text: str, template: str) -> tuple[str, dict[str, str]]:
    """(the text with the key set, whether a last line break had to be made).

    Raises:
        EditRefused: not YAML, the key has another value, or the section is written in a way that takes no line.
    """
    section, key, value = _wanted(template)
    root = _compose(text)
    line = "\r\n" if "\r\n" in text else "\n"
    if root is not None and (not isinstance(root, yaml.MappingNode) or root.flow_style):
        raise EditRefused("the file is not a block mapping")
    made: dict[str, str] = {}
    found = _member(root, section)
    if found is None:
        if re.search(r"^\.\.\.\s*$", text, re.M):
            raise EditRefused("the document has an end mark")
        if text and not text.endswith("\n"):
            made["line break"] = line
        result = f"{text}{made.get('line break', '')}{section}: {MARK}{line}  {key}: {value} {MARK}{line}"
    else:
        result = _into(text, found[1], section, key, value, line)
    data = _load(result)
    expected = {**(_load(text) or {}), section: {**((_load(text) or {}).get(section) or {}), key: value}}
    if data != expected:
        raise EditRefused(f"{section}.{key} cannot be set safely", hint=f"set {section}.{key} to {value} by hand")
    return result, made


def _into(text: str, node: yaml.Node, section: str, key: str, value: str, line: str) -> str:
    present = _member(node, key)
    if present is not None:
        scalar = present[1]
        if not isinstance(scalar, yaml.ScalarNode) or scalar.value.lower() not in ("", "null", "~"):
            told = scalar.value if isinstance(scalar, yaml.ScalarNode) else "something else"
            raise EditRefused(f"{section}.{key} is already {told!r}",
                              hint=f"only one can be active; set {section}.{key} to {value} to switch")
        start, end = scalar.start_mark.index, scalar.end_mark.index
        stop = text.find("\n", end)
        stop = len(text) if stop < 0 else stop
        rest = text[end:stop].rstrip("\r")
        if rest.strip():
            raise EditRefused(f"{section}.{key} is followed by a comment", hint=f"set it to {value} by hand")
        space = "" if text[start - 1] in " \t" else " "
        return f"{text[:start]}{space}{value} {MARK}: {space}{text[start:end]}{rest}{text[end + len(rest):]}"
    if not isinstance(node, yaml.MappingNode) or node.flow_style or not node.value:
        raise EditRefused(f"{section} is not a block mapping", hint=f"set {section}.{key} to {value} by hand")
    start = text.rfind("\n", 0, node.start_mark.index) + 1
    return f"{text[:start]}{text[start:node.start_mark.index]}{key}: {value} {MARK}{line}{text[start:]}"


def remove(text: str, made: Mapping[str, str] | None = None) -> str:
    """``text`` without our lines; a value that was empty before is empty again.

    Raises:
        EditRefused: not YAML.
    """
    _compose(text)
    shorter = _without_lines(text, (made or {}).get("line break", ""))
    try:
        _load(shorter)
    except EditRefused:
        # Somebody has added to the section that we made: its line stays, without our comment.
        kept = re.sub(rf"^([^\s#][^\n]*?:) {MARK}(\r?)$", r"\1\2", text, flags=re.M)
        shorter = _without_lines(kept, "")
        _load(shorter)
    return shorter


def _without_lines(text: str, line: str) -> str:
    while found := _LINE.search(text):
        if found["was"] is not None:
            was = found[0].index(own.ID + " " + MARK) if own.ID + " " + MARK in found[0] else -1
            if was < 0:
                break
            original = found["was"]
            head = found[0][:was]
            if original.startswith(" "):
                head = head[:-1]
                original = original[1:]
            ending = found[0][len(found[0].rstrip("\r\n")):]
            text = text[:found.start()] + head + original + ending + text[found.end():]
            continue
        head = text[:found.start()]
        if line and found.end() == len(text):
            head = head.removesuffix(line) if not _LINE.search(head) else head
        text = head + text[found.end():]
    return text


def ours(text: str) -> list[str]:
    """Our lines in ``text``."""
    return [found[0].strip() for found in _LINE.finditer(text)]
