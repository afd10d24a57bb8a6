"""Adds top-level keys and tables to a TOML file, and takes them out again.

tomlkit reads the file and says what is ours; what we add stands between two comment lines, keys at the top (where a
key belongs to no table), tables at the end. tomlkit's own insertion would move blank lines and mix line endings, so it
is only used to take out entries whose comment lines are gone, for instance after the agent has rewritten the file.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final

import tomlkit
from tomlkit.exceptions import TOMLKitError

from agent_memory.errors import EditRefused
from agent_memory.install import own

BEGIN: Final = f"# {own.ID}: begin"
END: Final = f"# {own.ID}: end"
_BEGIN = re.compile(rf"^{BEGIN}\r?\n", re.M)
_END = re.compile(rf"^{END}(?:\r?\n|\Z)", re.M)


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise EditRefused(f"not valid TOML ({problem})") from problem


def _block(body: str, line: str) -> str:
    return f"{BEGIN}\n{body.strip()}\n{END}\n".replace("\n", line) if body.strip() else ""


def add(text: str, template: str) -> tuple[str, dict[str, str]]:
    """(the text with the template's keys and tables, whether a last line break had to be made).

    Raises:
        EditRefused: not TOML, a key that the template sets is taken, or tables cannot be added to what is there.
    """
    before = _read(text)
    wanted = _read(template)
    line = "\r\n" if "\r\n" in text else "\n"
    for key, value in wanted.items():
        if not isinstance(value, dict | list) or key not in before:
            continue
        if isinstance(value, list) and not all(isinstance(element, dict) for element in value):
            raise EditRefused(f"{key} is already set to {before[key]!r}")
    cut = re.search(r"^\[", template, re.M)
    keys, tables = (template[:cut.start()], template[cut.start():]) if cut else (template, "")
    made: dict[str, str] = {}
    tail = _block(tables, line)
    if tail and text and not text.endswith("\n"):
        made["line break"] = line
        tail = line + tail
    result = _block(keys, line) + text + tail
    try:
        _read(result)
        tomlkit.parse(result)
    except (EditRefused, TOMLKitError) as problem:
        raise EditRefused("our tables do not fit into the file", hint="add them by hand") from problem
    return result, made


def remove(text: str, made: Mapping[str, str] | None = None) -> str:
    """``text`` without our keys and tables.

    Raises:
        EditRefused: not TOML.
    """
    _read(text)
    while (shorter := _without_block(text, (made or {}).get("line break", ""))) is not None:
        text = shorter
    return _without_ours(text)


def _without_block(text: str, line: str) -> str | None:
    """``text`` without one block of ours; None if there is none. A string that imitates our marks is no block."""
    for begin in _BEGIN.finditer(text):
        end = _END.search(text, begin.end())
        if end is None:
            return None
        head = text[:begin.start()]
        if line and end.end() == len(text):
            head = head.removesuffix(line)
        shorter = head + text[end.end():]
        if _rest(shorter) == _rest(text):
            return shorter
    return None


def _rest(text: str) -> Any:
    """The data of ``text`` without what is ours; None if it is not TOML."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
    return _prune(data)


def _prune(data: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for key, value in data.items():
        if _is_ours(value, key):
            continue
        if isinstance(value, dict):
            value = _prune(value)
        elif isinstance(value, list) and any(_is_ours(element) for element in value):
            value = [element for element in value if not _is_ours(element)]
            if not value:
                continue
        if value != {}:
            kept[key] = value
    return kept


def _is_ours(value: Any, key: str = "") -> bool:
    if isinstance(value, list):
        return bool(value) and all(isinstance(part, str) for part in value) and own.is_argv(value)
    return isinstance(value, dict) and (own.is_command(str(value.get("command", "")))
                                        or (key == own.ID and own.server_line(value) != ""))


def _without_ours(text: str) -> str:
    """``text`` without entries of ours that have lost their comment lines."""
    if not ours(text):
        return text
    document = tomlkit.parse(text)
    _delete(document)
    return _without_marks(document.as_string())


def _without_marks(text: str) -> str:
    """``text`` without comment lines of ours that stand alone now; a string that imitates them stays."""
    for mark in sorted([*_BEGIN.finditer(text), *_END.finditer(text)], key=re.Match.start, reverse=True):
        shorter = text[:mark.start()] + text[mark.end():]
        if _rest(shorter) == _rest(text):
            text = shorter
    return text


def _plain(value: Any) -> Any:
    return value.unwrap() if hasattr(value, "unwrap") else value


def _delete(table: Any) -> None:
    for key in list(table):
        value = table[key]
        if _is_ours(_plain(value), key):
            del table[key]
        elif isinstance(value, list):
            for index in reversed(range(len(value))):
                if _is_ours(_plain(value[index])):
                    del value[index]
            if not value:
                del table[key]
        elif isinstance(value, dict):
            _delete(value)


def ours(text: str) -> list[Any]:
    """Our values in ``text``: command lines in pieces and tables."""
    found: list[Any] = []

    def look(value: Any, key: str = "") -> None:
        if _is_ours(value, key):
            found.append(value)
        elif isinstance(value, dict):
            for name, part in value.items():
                look(part, name)
        elif isinstance(value, list):
            for part in value:
                look(part)

    look(_read(text))
    return found
