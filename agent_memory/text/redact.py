"""Takes out of a text, or of structured data, what must not be stored: private spans, secrets, a person's patterns.

Redacting is idempotent, and it is done before any write. What was found is counted by rule, never shown. The rules
are listed in docs/reference/redaction.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent_memory.text.private import PrivateSpans
from agent_memory.text.redact_light import light_spans, settle
from agent_memory.text.secrets_fields import is_secret_value
from agent_memory.text.secrets_library import library_spans
from agent_memory.text.secrets_vendor import Span, dense
from agent_memory.text.user_patterns import compile_patterns, user_spans

_BYTES = re.compile(r"(?<![\d.\w])\d{1,3}(?:\s{0,8},\s{0,8}\d{1,3}){7,}+")
_NUMBER = re.compile(r"\d+")
_SECRET_NAME = re.compile(r"(?:passw(?:or)?[dt]|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|"
                          r"auth[_-]?key|credentials?|client[_-]?secret|signing[_-]?key|authorization|cookie)\Z", re.I)
_OPTION = re.compile(r"--?(?:[a-z-]*(?:password|passwd|passphrase|token|secret|api-?key))\Z", re.I)


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text that may be stored, and how often each rule took something out."""

    text: str
    counts: Mapping[str, int] = field(default_factory=dict)


def _byte_spans(text: str) -> Iterator[Span]:
    """Secrets that are written as a list of byte values, as some agents store tool output."""
    if text.count(",") < 7:
        return
    for run in _BYTES.finditer(text):
        places = [(n.start() + run.start(), n.end() + run.start()) for n in _NUMBER.finditer(run[0])]
        values = [int(text[a:b]) for a, b in places]
        if max(values) > 255 or sum(32 <= v < 127 or v in (9, 10, 13) for v in values) * 2 < len(values):
            continue
        decoded = bytes(values).decode("latin-1")
        hidden = _private_spans(decoded)
        for span in (*light_spans(decoded), *library_spans(decoded), *hidden):
            if span.end > span.start:
                yield Span(places[span.start][0], places[min(span.end, len(places)) - 1][1], span.rule)


def _private_spans(text: str) -> list[Span]:
    """Private spans with their places, for texts that are not replaced as text."""
    spans = PrivateSpans()
    if spans.hide(text) == text:
        return []
    start = text.lower().find("<")
    end = text.rfind(">") + 1
    return [Span(max(start, 0), end if spans.depth == 0 and end > start else len(text), "private")]


class Redactor:
    """Redacts with the built-in rules and a person's own patterns; counts over its lifetime in ``counts``."""

    def __init__(self, patterns: Sequence[str] = ()) -> None:
        """Compile ``patterns``; a bad one is a UsageError that names it."""
        self._patterns = compile_patterns(patterns)
        self.counts: dict[str, int] = {}

    def _finders(self, text: str) -> Iterable[Span]:
        pieces = dense(text)
        yield from light_spans(text, pieces)
        yield from library_spans(text, pieces)
        yield from _byte_spans(text)
        if self._patterns:
            yield from user_spans(text, self._patterns)

    def _visible(self, text: str) -> str:
        return settle(text, (self._finders,), self.counts) if text else text

    def text(self, text: str) -> str:
        """One whole message or field."""
        return self.blocks((text,))[0]

    def blocks(self, blocks: Iterable[str]) -> list[str]:
        """The content blocks of one message, in order: a private span may begin in one and end in another."""
        spans = PrivateSpans()
        done = [self._visible(spans.hide(block)) for block in blocks]
        if spans.hidden:
            self.counts["private"] = self.counts.get("private", 0) + spans.hidden
        return done

    def value(self, value: Any) -> Any:
        """Structured data: every text in it, values behind secret names, options of a command, lists of bytes."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(k) if isinstance(k, str) else k: self._field(k, v) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return self._list(list(value))
        return value

    def _field(self, name: Any, value: Any) -> Any:
        if isinstance(name, str) and isinstance(value, str) and _SECRET_NAME.search(name) \
                and is_secret_value(name, value, quoted=True):
            self.counts["field"] = self.counts.get("field", 0) + 1
            return "[redacted:field]"
        return self.value(value)

    def _list(self, values: list[Any]) -> list[Any]:
        if len(values) >= 8 and all(type(v) is int and 0 <= v < 256 for v in values):
            written = ", ".join(map(str, values))
            found = self._visible(written)
            return values if found == written else [found]
        out: list[Any] = []
        for index, value in enumerate(values):
            before = values[index - 1] if index else None
            if isinstance(value, str) and isinstance(before, str) and _OPTION.match(before) \
                    and is_secret_value("password", value, quoted=True):
                self.counts["option"] = self.counts.get("option", 0) + 1
                out.append("[redacted:option]")
            else:
                out.append(self.value(value))
        return out


def redact(text: str, patterns: Sequence[str] = ()) -> Redacted:
    """``text`` as it may be stored.

    >>> redact("use <private>our customer Acme</private> key ghp_0123456789abcdefghijABCDEFGHIJ012345").text
    'use [redacted:private] key [redacted:github-token]'
    """
    redactor = Redactor(patterns)
    return Redacted(redactor.text(text), dict(redactor.counts))


def redact_value(value: Any, patterns: Sequence[str] = ()) -> tuple[Any, Mapping[str, int]]:
    """Structured data as it may be stored, and how often each rule took something out.

    >>> redact_value({"cmd": ["deploy", "--token", "s3cr3t-value"], "n": 3})[0]
    {'cmd': ['deploy', '--token', '[redacted:option]'], 'n': 3}
    """
    redactor = Redactor(patterns)
    return redactor.value(value), dict(redactor.counts)
