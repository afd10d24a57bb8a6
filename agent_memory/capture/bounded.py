"""Keeps the beginning and the end of a long text, without cutting a word, so that no part of a key is left over."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from agent_memory.text.normal import without_surrogates
from agent_memory.text.private import hide_private

MESSAGE: Final = (80_000, 20_000)
"""Characters of a person's or an agent's message that are kept: head, tail."""
OUTPUT: Final = (1_300, 700)
HARNESS: Final = (500, 100)
SUMMARY: Final = (12_000, 4_000)
_FIELD: Final = (900, 300)
_BREAK = re.compile(r"[^A-Za-z0-9_+/=.~:%@&?-]")  # stands in no key


def shorten(text: str, size: tuple[int, int]) -> str:
    """``text`` without private spans, whole if it fits, else its head and tail with the number of characters left out.

    >>> shorten("word " * 40, (10, 8))
    'word word\\n[… 186 characters left out …]\\nword '
    """
    text = without_surrogates(hide_private(text)[0])
    head, tail = size
    if len(text) <= head + tail + 60:
        return text
    stop = next((i for i in range(head, max(0, head - 400), -1) if _BREAK.match(text[i])), 0)
    start = next((i for i in range(len(text) - tail - 1, min(len(text), len(text) - tail + 400))
                  if _BREAK.match(text[i])), len(text) - 1) + 1
    return f"{text[:stop]}\n[… {start - stop} characters left out …]\n{text[start:]}"


def shorten_value(value: Any) -> Any:
    """Structured data with every long text in it shortened."""
    if isinstance(value, str):
        return shorten(value, _FIELD)
    if isinstance(value, dict):
        return {str(k): shorten_value(v) for k, v in list(value.items())[:60]}
    if isinstance(value, list):
        return [shorten_value(v) for v in value[:60]]
    return value


def tool_input(value: Any) -> str:
    """What went into a tool: its command line if it has one, else compact JSON; bounded."""
    if isinstance(value, dict):
        for name in ("command", "cmd"):
            command = value.get(name)
            if isinstance(command, str):
                return shorten(command, OUTPUT)
            if isinstance(command, list) and command and all(isinstance(c, str) for c in command):
                words = command[2:] if len(command) > 2 and command[1] in ("-lc", "-c") else command
                return shorten(" ".join(words), OUTPUT)
    if isinstance(value, str):
        return shorten(value, OUTPUT)
    return shorten(json.dumps(shorten_value(value), ensure_ascii=False, separators=(",", ":")), (2_400, 1_200))
