"""What a graph holds, as one number and one digest a table: equal graphs have equal digests, whatever their engine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from agent_memory.model.change import PutEdge, PutNode, SetCursor, encode
from agent_memory.model.graph import EDGES, TABLES, table_of
from agent_memory.store.base import GraphStore

_WIDTH: Final = 1 << 128


@dataclass(frozen=True, slots=True)
class Summary:
    """Position, and by table and edge kind how many rows there are and the digest (hex) of all of them."""

    position: int
    counts: Mapping[str, int] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"position": self.position, "counts": dict(self.counts), "digests": dict(self.digests)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Summary:
        """From plain data."""
        return cls(int(data["position"]), dict(data["counts"]), dict(data["digests"]))


class _Sum:
    """Rows in any order: the digests of single rows are added up."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = dict.fromkeys((*TABLES, *EDGES, "Cursor", "Observed"), 0)
        self._sums = dict.fromkeys(self.counts, 0)

    def add(self, name: str, row: Mapping[str, Any]) -> None:
        text = json.dumps(row, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        self.counts[name] += 1
        self._sums[name] = (self._sums[name] + int.from_bytes(digest, "big")) % _WIDTH

    def digests(self) -> dict[str, str]:
        return {name: f"{value:032x}" for name, value in self._sums.items()}


def summary(graph: GraphStore) -> Summary:
    """Read everything in a graph and sum it up."""
    rows = _Sum()
    for node in graph.nodes():
        rows.add(table_of(node), encode(PutNode(node))["node"])
    for edge in graph.all_edges():
        rows.add(edge.kind, encode(PutEdge(edge))["edge"])
    for cursor in graph.cursors():
        rows.add("Cursor", encode(SetCursor(cursor))["cursor"])
    for session, seq in graph.observed_all().items():
        rows.add("Observed", {"session": session, "seq": seq})
    return Summary(graph.position(), rows.counts, rows.digests())


def differing(wanted: Summary, found: Summary) -> list[str]:
    """Tables and edge kinds in which two graphs differ, each with the numbers; empty for equal graphs."""
    out = []
    for name in _names(wanted, found):
        a, b = wanted.counts.get(name, 0), found.counts.get(name, 0)
        if a != b:
            out.append(f"{name}: {b} rows, the journal says {a}")
        elif wanted.digests.get(name) != found.digests.get(name):
            out.append(f"{name}: {b} rows as in the journal, but their content differs")
    return out


def _names(a: Summary, b: Summary) -> Iterable[str]:
    return dict.fromkeys((*a.counts, *b.counts))
