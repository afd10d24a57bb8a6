"""Redaction with the standard library only, for hooks: private spans, vendor keys, secrets known by their place.

`text/redact.py` adds a detector library, byte lists and a person's own patterns, with the same replacing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from agent_memory.text.private import hide_private
from agent_memory.text.secrets_fields import field_spans
from agent_memory.text.secrets_vendor import Span, vendor_spans

TOKEN = re.compile(r"\[redacted:[a-z0-9-]+\]")
Finder = Callable[[str], Iterable[Span]]


def light_spans(text: str, pieces: str | None = None) -> Iterator[Span]:
    """Secrets that the standard library finds. ``pieces`` as in `vendor_spans`."""
    yield from vendor_spans(text, pieces)
    yield from field_spans(text)


def replace_spans(text: str, spans: Iterable[Span], counts: dict[str, int]) -> tuple[str, bool]:
    """``text`` with a token in place of each span, and whether anything was replaced. Tokens are left as they are."""
    ordered = sorted(spans, key=lambda s: (s.start, -s.end))
    if not ordered:
        return text, False
    kept = [(t.start(), t.end()) for t in TOKEN.finditer(text)]
    out: list[str] = []
    done = 0  # all before is written
    for span in ordered:
        start, end = max(span.start, done), span.end
        inside = [k for k in kept if k[0] < end and k[1] > start]
        for stop, resume in (*inside, (end, end)):
            stop = min(stop, end)
            if stop > start:
                out += (text[done:start], f"[redacted:{span.rule}]")
                counts[span.rule] = counts.get(span.rule, 0) + 1
                done = stop
            start = max(start, resume)
    if not done:
        return text, False
    out.append(text[done:])
    return "".join(out), True


def settle(text: str, finders: Iterable[Finder], counts: dict[str, int]) -> str:
    """``text`` in which no finder finds anything any more. Each round removes characters, so it ends."""
    finders = tuple(finders)
    changed = True
    while changed:
        text, changed = replace_spans(text, [s for find in finders for s in find(text)], counts)
    return text


def redact_light(text: str) -> str:
    """``text`` without private spans and without the secrets that the standard library finds.

    >>> redact_light("<private>x</private> AWS_KEY=AKIAIOSFODNN7EXAMPLE")
    '[redacted:private] AWS_KEY=[redacted:aws-key]'
    """
    return settle(hide_private(text)[0], (light_spans,), {})
