"""Which memory a caller means: an id, the start of an id, or a topic key."""

from __future__ import annotations

from agent_memory import ids
from agent_memory.errors import AmbiguousError, NotFoundError, UsageError
from agent_memory.forget.selection import candidates, resolve
from agent_memory.model.memory import VISIBLE, MemoryNode
from agent_memory.notes.request import topic_slug
from agent_memory.search import lookup
from agent_memory.store.base import GraphStore
from agent_memory.store.open import Store


def named(store: Store, graph: GraphStore, given: str, project: str = "") -> MemoryNode:
    """The newest revision of the memory that ``given`` names.

    A topic key is looked for in ``project`` first, then among what holds everywhere.

    Raises:
        UsageError, NotFoundError, AmbiguousError: nothing was changed; the hint lists candidates.
    """
    text = given.strip()
    if not text:
        raise UsageError("no memory is named", hint="Nothing was changed. Give an id, its start, or a topic key.")
    plain = text.partition("@")[0].lower()
    if not ids.is_id(plain):
        found = _by_topic(store, graph, topic_slug(text), project)
        if found is not None:
            return found
    memory = graph.memory(resolve(graph, text))
    if memory is None:
        raise NotFoundError(f"no memory has the id {given!r}", hint="Nothing was changed.")
    return memory


def _by_topic(store: Store, graph: GraphStore, key: str, project: str) -> MemoryNode | None:
    known = [*lookup.by_topic(store.home.search, key, project), *(lookup.by_topic(store.home.search, key, "")
                                                                 if project else [])]
    found = [m for k in known if (m := graph.memory(k.id)) is not None]
    alive = [m for m in found if m.status in VISIBLE] or found
    if len(alive) > 1:
        raise AmbiguousError(f"several memories have the topic {key!r}",
                             hint=f"Nothing was changed; name one by its id: {candidates(alive)}")
    return alive[0] if alive else None
