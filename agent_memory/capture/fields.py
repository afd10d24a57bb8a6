"""Reads fields of foreign JSON without trusting their types."""

from __future__ import annotations

import json
from typing import Any

from agent_memory.capture.lines import Line


def parse(line: Line) -> dict[str, Any] | None:
    """The JSON object of a line, NULs of a crash before it ignored; None if it is none."""
    return loads(line.raw.lstrip(b"\x00 \t\r\n"))


def loads(raw: bytes | str) -> dict[str, Any] | None:
    """A JSON object from bytes or text, None for anything else. Bytes that are no UTF-8 are replaced."""
    try:
        record = json.loads(raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw)
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def text(value: object) -> str:
    """The value if it is text, else ""."""
    return value if isinstance(value, str) else ""


def mapping(value: object) -> dict[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def dicts(value: object) -> list[dict[str, Any]]:
    """The objects of a list; nothing for anything else."""
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []


def number(value: object) -> int | None:
    """The value if it is a whole number, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def joined(content: object) -> str:
    """The text of content as most hosts write it: a string, or a list of strings and of blocks with ``text``."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return text(content.get("text"))
    if not isinstance(content, list):
        return ""
    parts = (b if isinstance(b, str) else text(b.get("text")) for b in content if isinstance(b, str | dict))
    return "\n\n".join(p for p in parts if p)
