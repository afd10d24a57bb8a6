"""What a person should be told about an edited view though it changes no memory."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent_memory.materialize.parse import Parsed
from agent_memory.sync.read import ViewState

_YAML_LINE = re.compile(r"\s*(?:#.*|-(?:\s.*)?|[^\s:#\"'][^:]*:(?:\s.*)?|[\"'].*[\"']\s*:.*|[\]}].*)?\Z")


def remarks(view: ViewState) -> list[str]:
    """Plain sentences: generated lines that are put back, front matter that tools will not read."""
    if view.file is None:
        return []
    found = []
    if view.agreed is not None and _generated(view.file, view.agreed):
        found.append(f"{view.name}: generated lines were edited; they are no memories and are put back")
    front = next((u for u in view.file.units if u.kind == "front"), None)
    if front and not looks_like_yaml(view.file.lines[front.start + 1:front.end - 1]):
        found.append(f"{view.name}: the front matter does not look like YAML; it stays as it is")
    elif not front and view.file.lines and view.file.lines[0].rstrip() == "---":
        found.append(f"{view.name}: the front matter does not end; it stays as it is")
    return found


def _generated(file: Parsed, agreed: Parsed) -> bool:
    mine, base = ({u.key: text.lines[u.start:u.end] for u in text.units if "/i:" in u.key} for text in (file, agreed))
    return any(mine[key] != base[key] for key in mine.keys() & base.keys())


def looks_like_yaml(lines: Sequence[str]) -> bool:
    """True if every line is a key, an item, a comment or stands below one (indented); no more is checked.

    >>> looks_like_yaml(['title: x', 'tags:', '  - a']), looks_like_yaml(['title x'])
    (True, False)
    """
    nested = False
    for line in lines:
        if line.startswith((" ", "\t")) and nested:
            continue
        if not _YAML_LINE.match(line) or line.startswith("\t"):
            return False
        nested = bool(line.strip())
    return True
