"""What a memory is about: identifiers and files as written, and a topic key in any script."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from agent_memory import ids
from agent_memory.model.change import Change, PutEdge, PutNode
from agent_memory.model.graph import Edge, File, Symbol, table_of
from agent_memory.model.memory import Kind, MemoryNode
from agent_memory.observe.rules.terms import identifiers
from agent_memory.text.normal import normalise

MOST = 8
"""No memory is linked to more names than this."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_PATH = re.compile(r"^[\w.~@-]*(?:/[\w.@-]+)+$|"
                   r"^[\w-]+\.(?:py|js|ts|tsx|jsx|go|rs|java|kt|kts|rb|php|c|h|cpp|cs|sql|toml|ya?ml|json|"
                   r"md|txt|ini|cfg|env|sh|html|css|lock|gradle|xml|tf|proto|swift|vue|csv)$")
_SYMBOL = re.compile(r"^[@.]?[A-Za-z_][\w.:-]*(?:\(\))?$")
_SLUG = re.compile(r"[^\w]+", re.UNICODE)
_WORD = re.compile(r"[^\W\d_]{4,}|[\u3400-\u9fff\u30a0-\u30ff]{2,6}", re.UNICODE)
_TITLES = frozenset({"CI", "OK", "ID", "URL", "API", "README", "NOT", "NEVER", "ALWAYS", "MUST"})


def names(text: str) -> tuple[list[str], list[str]]:
    """Symbols and files that a text names, as written.

    >>> names("parse_date() in src/dates.py fails with --strict")
    (['parse_date()'], ['src/dates.py'])
    """
    symbols, files = [], []
    for name in identifiers(text):
        if _PATH.match(name) and not name.startswith("--"):
            files.append(name)
        elif _SYMBOL.match(name) and name not in _TITLES and len(name) > 2 and not name[-1].isspace():
            symbols.append(name)
    return symbols[:MOST], files[:MOST]


def mentions(memory: MemoryNode) -> list[Change]:
    """Nodes for the names in a memory, and edges from it to them."""
    changes: list[Change] = []
    symbols, files = names(memory.text)
    table, at = table_of(memory), memory.recorded_at
    for name in symbols:
        symbol = Symbol(ids.derive(_EPOCH, "symbol", memory.project, name), name, memory.project)
        changes += [PutNode(symbol), PutEdge(Edge("mentions", table, memory.key, "Symbol", symbol.id, at))]
    for path in files:
        file = File(ids.derive(_EPOCH, "file", memory.project, path), path, memory.project)
        changes += [PutNode(file), PutEdge(Edge("mentions", table, memory.key, "File", file.id, at))]
    return changes


def topic_key(kind: Kind, text: str) -> str:
    """A stable key of what a memory is about: its kind and its first telling names or words, at most 60 characters.

    >>> topic_key(Kind.DECISION, "Use zoneinfo, never `pytz`")
    'decision/pytz-zoneinfo'
    """
    found = [*identifiers(text), *sorted(_WORD.findall(text), key=len, reverse=True)]
    slugs = dict.fromkeys(slug for name in found if (slug := _SLUG.sub("-", normalise(name)).strip("-")))
    return f"{kind.value}/{'-'.join(sorted(list(slugs)[:2]))}"[:60].rstrip("-")
