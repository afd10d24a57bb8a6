"""Topic keys: a stable name for what a note is about, so that the next note on it takes the place of the last."""

from __future__ import annotations

import re
from typing import Final

from agent_memory.model.memory import Kind
from agent_memory.text.normal import content_hash, normalise

LONGEST: Final = 80
_NOT_WORD = re.compile(r"[^\w]+", re.UNICODE)


def suggest(kind: Kind, title: str) -> str:
    """The key for a note of that kind with that title; equal titles give equal keys, in any script.

    >>> suggest(Kind.DECISION, "Which Database?"), suggest(Kind.LESSON, "部署 手順")
    ('decision/which-database', 'lesson/部署-手順')
    """
    slug = _NOT_WORD.sub("-", normalise(title)).strip("-_")
    if not slug:
        return f"{kind.value}/{content_hash(title)[:12]}"
    room = LONGEST - len(kind.value) - 1
    if len(slug) > room:  # two long titles that begin alike must not meet
        slug = f"{slug[:room - 9].rstrip('-')}-{content_hash(title)[:8]}"
    return f"{kind.value}/{slug}"
