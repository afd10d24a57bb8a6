"""What a graph engine must do, in domain words. Engines live in ``store/engines``; only they know a query language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from agent_memory.model.change import Batch
from agent_memory.model.graph import Agent, Edge, File, Happening, ModelCall, Node, ProjectInfo, Symbol
from agent_memory.model.memory import MemoryNode, MemoryType
from agent_memory.model.transcript import Cursor, Message, Session, ToolEvent


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Which memories to read. An empty tuple or None means no restriction.

    Only current revisions are given unless ``all_revisions``. No visibility rule is applied here: that is
    ``model/visibility.py``, the same for every read path.
    """

    types: tuple[MemoryType, ...] = ()
    projects: tuple[str, ...] = ()
    sessions: tuple[str, ...] = ()
    all_revisions: bool = False


EVERY_CURRENT: Final = MemoryFilter()


class GraphStore(Protocol):
    """One open graph. Answers are complete lists in a stable order (by id, then revision) unless said otherwise.

    A missing thing is None. Any engine failure is a StoreError; after one the object must not be used again.
    """

    engine: str

    def position(self) -> int:
        """Position of the last batch that was applied; 0 for an empty graph."""

    def apply(self, batches: Sequence[Batch]) -> None:
        """Apply validated batches in order, each in one transaction that also records its position.

        A batch at or before `position` is skipped. `Purge` is not applied here (store/purge.py rebuilds).
        """

    def load(self, batches: Iterable[Batch]) -> None:
        """Fill an empty graph from the whole journal, quickly (bulk copy)."""

    def memory(self, memory_id: str) -> MemoryNode | None:
        """The newest revision of a memory."""

    def revisions(self, memory_id: str) -> list[MemoryNode]:
        """All revisions, oldest first; empty for an unknown id."""

    def memories(self, wanted: MemoryFilter = EVERY_CURRENT) -> list[MemoryNode]:
        """Memories that pass the filter, in order of id."""

    def memory_ids(self, prefix: str, limit: int = 20) -> list[str]:
        """Ids that start with ``prefix``, sorted."""

    def happenings(self, subject: str = "") -> list[Happening]:
        """What befell a node (or everything), in order of time and id."""

    def edges(self, kinds: Sequence[str] = (), touching: Sequence[str] = ()) -> list[Edge]:
        """Edges of some kinds (all if empty) with an end among the keys ``touching`` (any if empty)."""

    def projects(self) -> list[ProjectInfo]:
        """All projects with their aliases."""

    def agents(self) -> list[Agent]:
        """All agents that were captured."""

    def symbols(self, project: str = "") -> list[Symbol]:
        """Symbols of a project, or all."""

    def files(self, project: str = "") -> list[File]:
        """Files of a project, or all."""

    def session(self, session_id: str) -> Session | None:
        """One session by our id."""

    def find_session(self, agent: str, host_id: str) -> Session | None:
        """One session by the host's id."""

    def sessions(self, project: str = "") -> list[Session]:
        """Sessions of a project (or all), by start time and id."""

    def messages(self, session: str, after_seq: int = -1) -> list[Message]:
        """Messages of a session with ``seq`` beyond ``after_seq``, in order of seq."""

    def tool_events(self, session: str, after_seq: int = -1) -> list[ToolEvent]:
        """Tool events of a session with ``seq`` beyond ``after_seq``, in order of seq."""

    def tool_events_with(self, words: Sequence[str]) -> list[ToolEvent]:
        """Tool events of every session whose name, input or output holds all ``words`` (lower case), by id."""

    def cursor(self, agent: str, file: str) -> Cursor | None:
        """How far a transcript was read."""

    def cursors(self) -> list[Cursor]:
        """All capture cursors, by agent and file."""

    def observed(self, session: str) -> int:
        """The last ``seq`` of a session that was observed; -1 for none."""

    def observed_all(self) -> dict[str, int]:
        """Every session that was observed, with its last ``seq``, by session id."""

    def model_calls(self, since: datetime | None = None) -> list[ModelCall]:
        """Metered model calls, oldest first."""

    def tombstoned(self, fingerprints: Sequence[str]) -> set[str]:
        """Those of the fingerprints that were purged."""

    def tombstones(self) -> frozenset[str]:
        """Fingerprints of everything that was purged."""

    def nodes(self) -> Iterator[Node]:
        """Every node of every table, by table in order of TABLES and by key: for export, digests and verification."""

    def all_edges(self) -> Iterator[Edge]:
        """Every edge, by kind, source and target."""

    def counts(self) -> dict[str, int]:
        """Number of nodes by table and of edges by kind."""

    def checkpoint(self) -> None:
        """Fold the engine's own log into its file."""

    def close(self) -> None:
        """Release the file. Closing twice is fine."""
