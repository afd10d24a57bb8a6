"""A person's own patterns of what must not be stored: checked when they are read, bounded when they run."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

from agent_memory.errors import UsageError
from agent_memory.text.secrets_vendor import Span

WINDOW = 2_000
"""Patterns see the text in pieces of this many characters, so that even a bad one costs little."""
OVERLAP = 400
"""Pieces overlap by this much; a longer match across a border may be missed."""
_HINT = "nothing was stored; change or remove this pattern in the settings"


def _unbounded(parsed: Any, inside: bool) -> bool:
    """True if a repeat without end stands in another one: the shape that needs exponential time."""
    for op, value in parsed:
        name = str(op)
        if name in ("MAX_REPEAT", "MIN_REPEAT"):
            low, high, body = value
            endless = int(high) > 50 and int(high) != int(low)
            if (endless and (inside or _branches(body))) or _unbounded(body, inside or endless):
                return True
        elif name == "SUBPATTERN":
            if _unbounded(value[-1], inside):
                return True
        elif name in ("ASSERT", "ASSERT_NOT"):
            if _unbounded(value[1], inside):
                return True
        elif name == "BRANCH":
            if any(_unbounded(branch, inside) for branch in value[1]):
                return True
        elif name == "GROUPREF_EXISTS" and any(_unbounded(b, inside) for b in value[1:] if b):
            return True
    return False


def _branches(body: Any) -> bool:
    """True if alternatives stand in the body of a repeat: ``(a|aa)*`` is as bad as a nested repeat."""
    return any(str(op) == "BRANCH" or (str(op) == "SUBPATTERN" and _branches(value[-1])) for op, value in body)


def compile_patterns(patterns: Sequence[str]) -> tuple[re.Pattern[str], ...]:
    """Compiled patterns.

    Raises:
        UsageError: one is no regular expression, matches the empty text, or can take exponential time. It is named.
    """
    compiled = []
    for number, pattern in enumerate(patterns, 1):
        where = f"redaction pattern {number} ({pattern[:80]!r})"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = re.compile(pattern)
        except (re.error, OverflowError, RecursionError) as error:
            raise UsageError(f"{where} is not a regular expression: {error}", hint=_HINT) from error
        if found.match(""):
            raise UsageError(f"{where} matches the empty text, so it would redact everything", hint=_HINT)
        parser: Any = vars(re)["_parser"]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            parsed = parser.parse(pattern)
        if _unbounded(parsed, inside=False):
            raise UsageError(f"{where} repeats a repetition or alternatives without end and could run for ever",
                             hint=_HINT)
        if sum(pattern.count(c) for c in ("*", "+")) > 8:
            raise UsageError(f"{where} has more than 8 open repeats and could run very long", hint=_HINT)
        compiled.append(found)
    return tuple(compiled)


def user_spans(text: str, patterns: Sequence[re.Pattern[str]]) -> Iterator[Span]:
    """What the patterns match, in no order; spans may overlap."""
    for at in range(0, max(1, len(text) - OVERLAP), WINDOW - OVERLAP):
        piece = text[at:at + WINDOW]
        for pattern in patterns:
            for found in pattern.finditer(piece):
                if found.end() > found.start():
                    yield Span(at + found.start(), at + found.end(), "pattern")
