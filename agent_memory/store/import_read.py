"""Exported files as items, line by line: what cannot be read is named with its line and reason, the rest goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from agent_memory.errors import NotFoundError, UsageError
from agent_memory.store.items import VERSION

MAX_LINE: Final = 16 << 20
"""Longer lines (bytes) are refused unread."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A line (from 1; the number of the item in a JSON document) that was not taken, and why."""

    line: int
    reason: str


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _parse(data: bytes) -> Any:
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_no_constant)
    except UnicodeDecodeError as problem:
        raise ValueError(f"not UTF-8 at byte {problem.start}") from problem
    except json.JSONDecodeError as problem:
        raise ValueError(f"not JSON: {problem.msg} at column {problem.colno}") from problem
    except RecursionError as problem:
        raise ValueError("nested too deep") from problem


def read_items(path: Path) -> Iterator[tuple[int, dict[str, Any] | Refused]]:
    """Items of a ``jsonl`` or ``json`` export, old or new, each with its line.

    Raises:
        NotFoundError: there is no such file.
        UsageError: the file cannot be read, is a JSON document of a newer version, or is no export.
    """
    try:
        document = _document(path)
        if document is not None:
            for number, item in enumerate(document, 1):
                yield number, item if isinstance(item, dict) else Refused(number, "not an object")
            return
        yield from _lines(path)
    except FileNotFoundError as problem:
        raise NotFoundError(f"no such file: {path}", hint="nothing was imported") from problem
    except OSError as problem:
        raise UsageError(f"cannot read {path}: {problem.strerror}", hint="nothing more was imported") from problem


def _document(path: Path) -> list[Any] | None:
    """The items of a JSON document; None if the file has one object a line."""
    with path.open("rb") as file:
        first = file.readline(MAX_LINE).removeprefix(b"\xef\xbb\xbf").strip()
        rest = file.read(1)
    if first.startswith(b"{") and (rest or first.endswith(b"}")):
        try:
            value = _parse(first)
        except ValueError:
            value = None
        if isinstance(value, dict) and "items" not in value:
            return None
    elif not first.startswith((b"{", b"[")):
        return None
    try:
        value = _parse(path.read_bytes().removeprefix(b"\xef\xbb\xbf"))
    except ValueError:
        return None  # one object a line, the first of them broken
    if isinstance(value, list):
        return value
    if isinstance(value, dict) and isinstance(value.get("items"), list):
        version = value.get("version")
        if isinstance(version, int) and version > VERSION:
            raise UsageError(f"{path} has version {version}, this program reads up to {VERSION}",
                             hint="nothing was imported; update and try again")
        return list(value["items"])
    return None


def _lines(path: Path) -> Iterator[tuple[int, dict[str, Any] | Refused]]:
    with path.open("rb") as file:
        number = 0
        while line := file.readline(MAX_LINE + 1):
            number += 1
            if len(line) > MAX_LINE and not line.endswith(b"\n"):
                while (more := file.readline(MAX_LINE)) and not more.endswith(b"\n"):
                    pass
                yield number, Refused(number, "longer than 16 MB")
                continue
            line = line.removeprefix(b"\xef\xbb\xbf").strip()
            if not line:
                continue
            try:
                item = _parse(line)
            except ValueError as problem:
                yield number, Refused(number, str(problem))
                continue
            yield number, item if isinstance(item, dict) else Refused(number, "not an object")
