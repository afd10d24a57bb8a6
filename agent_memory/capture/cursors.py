"""The copy of the capture cursors for people: ``memory/.observer_cursor.json``. The graph holds the true ones."""

from __future__ import annotations

import json

from agent_memory.files import make_folder, write_atomic
from agent_memory.store.open import Store


def write_copy(store: Store) -> None:
    """Write how far each transcript was read, by agent and file."""
    with store.read() as graph:
        cursors = graph.cursors()
    agents: dict[str, dict[str, object]] = {}
    for cursor in cursors:
        agents.setdefault(cursor.agent, {})[cursor.file] = {
            "session": cursor.session, "offset": cursor.offset, "lines": cursor.lines, "records": cursor.seq}
    text = json.dumps({"version": 1, "transcripts": agents}, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    make_folder(store.home.observer_cursor.parent)
    write_atomic(store.home.observer_cursor, text.encode("utf-8", "replace"), durable=False)
