"""Private spans: what a person puts between ``<private>`` and ``</private>`` is never stored.

The tag may be upper case, carry attributes, span lines, stand in full-width brackets and be nested. A span that is
not closed hides everything to the end of its message, over all content blocks, so `PrivateSpans` keeps its depth
between blocks.
"""

from __future__ import annotations

import re

TOKEN = "[redacted:private]"
_TAG = re.compile(r"[<＜]\s*(/?)\s*private\b(?![-_.])([^>＞]*)(?:[>＞]|\Z)", re.I)


class PrivateSpans:
    """Hides private spans in the blocks of one message, given in order.

    >>> spans = PrivateSpans()
    >>> spans.hide("a <private>b"), spans.hide("c"), spans.hide("d</private> e")
    ('a [redacted:private]', '[redacted:private]', '[redacted:private] e')
    """

    def __init__(self) -> None:
        self.depth = 0
        self.hidden = 0

    def hide(self, text: str) -> str:
        """``text`` with its private parts replaced by one mark each."""
        if not self.depth and "private" not in text and "PRIVATE" not in text and "private" not in text.lower():
            return text
        out: list[str] = []
        start = 0  # of the visible part
        if self.depth and text:
            out.append(TOKEN)
            self.hidden += 1
        for tag in _TAG.finditer(text):
            closing = bool(tag[1])
            if not self.depth:
                if closing or tag[2].rstrip().endswith("/"):
                    continue
                out += (text[start:tag.start()], TOKEN)
                self.hidden += 1
                self.depth = 1
            elif closing:
                self.depth -= 1
                if not self.depth:
                    start = tag.end()
            elif not tag[2].rstrip().endswith("/"):
                self.depth += 1
        if not self.depth:
            out.append(text[start:])
        return "".join(out)


def hide_private(text: str) -> tuple[str, int]:
    """One whole message without its private spans, and how many there were.

    >>> hide_private("keep <PRIVATE reason='x'>lose\\nthis</Private> keep <private>to the end")
    ('keep [redacted:private] keep [redacted:private]', 2)
    """
    spans = PrivateSpans()
    return spans.hide(text), spans.hidden
