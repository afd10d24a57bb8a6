"""The graph as RDF, in the words of graph_schema/ontology; valid against graph_schema/shapes.

A node is ``urn:agent-utilities-memory:<type>:<key>``. An edge is a plain triple; one that says more than that (a
status, a reason, a confidence) stands a second time as an ``am:Edge`` with its properties.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import Enum
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from agent_memory import clock
from agent_memory.model.graph import Edge, Node, columns, key_of, table_of
from agent_memory.store.base import GraphStore
from agent_memory.store.items import type_name
from agent_memory.text.normal import without_surrogates

if TYPE_CHECKING:
    import rdflib
    from rdflib.term import Literal

BASE: Final = "urn:agent-utilities-memory:"
SCHEMA: Final = f"{BASE}schema#"
_CONTROL: Final = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 65534, 65535), 65533)


def iri(table: str, key: str) -> str:
    """The name of a node in RDF."""
    return f"{BASE}{type_name(table)}:{quote(key, safe='@', errors='replace')}"


def _literal(value: Any) -> Literal:
    from rdflib import XSD, Literal

    if isinstance(value, Enum):
        return Literal(getattr(value, "word", value.value))
    if isinstance(value, datetime):
        return Literal(clock.text(value), datatype=XSD.dateTime, normalize=False)
    if isinstance(value, bool):
        return Literal(value)
    if isinstance(value, int):
        return Literal(str(value), datatype=XSD.integer)
    if isinstance(value, float):
        return Literal(repr(value), datatype=XSD.double, normalize=False)
    return Literal(without_surrogates(str(value)).translate(_CONTROL))


def triples(nodes: Iterable[Node], edges: Iterable[Edge]) -> rdflib.Graph:
    """An RDF graph of some nodes and edges."""
    from rdflib import RDF, Graph, Namespace, URIRef

    am = Namespace(SCHEMA)
    out = Graph()
    out.bind("am", am)
    for node in nodes:
        table = table_of(node)
        subject = URIRef(iri(table, key_of(node)))
        out.add((subject, RDF.type, am[table]))
        for name in columns(table):
            value = key_of(node) if name == "key" else getattr(node, name)
            for part in value if isinstance(value, tuple) else (value,):
                if part is not None:
                    out.add((subject, am[name], _literal(part)))
    for edge in edges:
        ends = URIRef(iri(edge.source_table, edge.source)), am[edge.kind], URIRef(iri(edge.target_table, edge.target))
        out.add(ends)
        if edge.status or edge.reason or edge.confidence != 1.0:
            name = quote(f"{edge.source_table}:{edge.source} {edge.kind} {edge.target_table}:{edge.target}", safe="@:")
            statement = URIRef(f"{BASE}edge:{name}")
            out.add((statement, RDF.type, am.Edge))
            for role, end in zip((RDF.subject, RDF.predicate, RDF.object), ends, strict=True):
                out.add((statement, role, end))
            for column in ("at", "status", "confidence", "reason"):
                out.add((statement, am[column], _literal(getattr(edge, column))))
    return out


def turtle(graph: GraphStore) -> str:
    """Every node and edge in Turtle; the same graph gives the same text."""
    return triples(graph.nodes(), graph.all_edges()).serialize(format="turtle")
