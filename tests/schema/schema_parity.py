"""The schema as told by four sources, brought to one form, and what differs between two of them."""

from __future__ import annotations

import enum
import re
import types
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, get_args, get_origin, get_type_hints

import rdflib
from rdflib import OWL, RDF, RDFS
from rdflib.collection import Collection
from rdflib.namespace import SH
from rdflib.term import Node

from agent_memory.model.graph import EDGES, TABLES, Edge, columns

AM = rdflib.Namespace("urn:agent-utilities-memory:schema#")
EDGE_COLUMNS = ("at", "status", "confidence", "reason")
_XSD = {str: "string", int: "integer", float: "double", bool: "boolean", datetime: "dateTime"}
_CYPHER = {"STRING": "string", "INT64": "integer", "DOUBLE": "double", "BOOL": "boolean"}


@dataclass(frozen=True)
class Column:
    """Type as an XSD local name; ``required``, ``many`` and ``words`` are None where a source does not say.

    ``stored`` is the type in tables, where it differs: times and ordered words are numbers there, lists are JSON.
    """

    type: str
    required: bool | None = None
    many: bool | None = None
    words: tuple[str, ...] | None = None
    stored: str = field(default="", compare=False)


@dataclass
class Schema:
    """Columns by table and name, and the triples (edge kind, from table, to table)."""

    tables: dict[str, dict[str, Column]] = field(default_factory=dict)
    edges: set[tuple[str, str, str]] = field(default_factory=set)


def _column(hint: Any) -> Column:
    required, many, words = True, False, None
    if isinstance(hint, types.UnionType):
        hint, required = next(a for a in get_args(hint) if a is not type(None)), False
    if get_origin(hint) is tuple:
        hint, many, required = get_args(hint)[0], True, False
    if issubclass(hint, enum.Enum):
        stored = "integer" if issubclass(hint, enum.IntEnum) else "string"
        return Column("string", required, many, tuple(sorted(getattr(m, "word", m.value) for m in hint)), stored)
    return Column(_XSD[hint], required, many, words, "integer" if hint is datetime else _XSD[hint])


def from_dataclasses() -> Schema:
    schema = Schema()
    for table, cls in TABLES.items():
        hints = get_type_hints(cls)
        schema.tables[table] = {name: _column(hints[name]) if name in hints and name != "key" else Column("string", True, False)
                                for name in columns(table)}
    hints = get_type_hints(Edge)
    schema.tables["Edge"] = {name: _column(hints[name]) for name in EDGE_COLUMNS}
    schema.edges = {(kind, a, b) for kind, pairs in EDGES.items() for a, b in pairs}
    return schema


def _local(node: Node | None) -> str:
    return str(node).rpartition("#")[2]


def _members(graph: rdflib.Graph, node: Node | None) -> list[str]:
    """Tables that a domain or range names, unions and Memory unfolded."""
    if node is None:
        return []
    parts = graph.value(node, OWL.unionOf)
    if parts is None:
        return [_local(node)]
    return [name for part in Collection(graph, parts) for name in _members(graph, part)]


def from_ontology(graph: rdflib.Graph) -> Schema:
    """OWL knows no allowed words and no required columns; an edge's ends are all of domain × range."""
    schema = Schema({_local(c): {} for c in graph.subjects(RDF.type, OWL.Class)
                     if isinstance(c, rdflib.URIRef) and c != AM.Memory})
    for prop in graph.subjects(RDF.type, OWL.DatatypeProperty):
        many = (prop, RDF.type, OWL.FunctionalProperty) not in graph
        for table in _members(graph, graph.value(prop, RDFS.domain)):
            schema.tables.setdefault(table, {})[_local(prop)] = Column(_local(graph.value(prop, RDFS.range)), None, many)
    for prop in graph.subjects(RDF.type, OWL.ObjectProperty):
        schema.edges |= {(_local(prop), a, b) for a in _members(graph, graph.value(prop, RDFS.domain))
                         for b in _members(graph, graph.value(prop, RDFS.range))}
    return schema


def from_shapes(graph: rdflib.Graph) -> Schema:
    schema = Schema()
    for shape in graph.subjects(RDF.type, SH.NodeShape):
        table = _local(graph.value(shape, SH.targetClass))
        schema.tables[table] = {}
        for prop in graph.objects(shape, SH.property):
            path = graph.value(prop, SH.path)
            name = _local(path)
            datatype = graph.value(prop, SH.datatype)
            if datatype is not None:
                words = graph.value(prop, SH["in"])
                schema.tables[table][name] = Column(
                    _local(datatype), graph.value(prop, SH.minCount) is not None, graph.value(prop, SH.maxCount) is None,
                    tuple(sorted(str(w) for w in Collection(graph, words))) if words is not None else None)
            elif path is not None and str(path).startswith(str(AM)):
                choice = graph.value(prop, SH["or"])
                options: Iterable[Node] = Collection(graph, choice) if choice is not None else [prop]
                schema.edges |= {(name, table, _local(graph.value(o, SH["class"]))) for o in options}
    return schema


def from_migrations(text: str) -> Schema:
    """CREATE NODE TABLE and CREATE REL TABLE statements; tables of the store's own bookkeeping are left out."""
    schema = Schema()
    text = re.sub(r"//[^\n]*", "", text).replace("`", "")
    for name, body in re.findall(r"CREATE NODE TABLE(?: IF NOT EXISTS)? (\w+)\s*\((.*?)\)\s*;", text, re.S):
        schema.tables[name] = dict(_cypher_columns(re.sub(r",?\s*PRIMARY KEY\s*\(\s*\w+\s*\)", "", body)))
    for kind, body in re.findall(r"CREATE REL TABLE(?: GROUP)?(?: IF NOT EXISTS)? (\w+)\s*\((.*?)\)\s*;", text, re.S):
        schema.edges |= {(kind, a, b) for a, b in re.findall(r"FROM (\w+) TO (\w+)", body)}
        found = dict(_cypher_columns(re.sub(r"FROM \w+ TO \w+\s*,?", "", body)))
        found.pop("rank", None)  # the store's own, makes a later judgment win over an earlier one
        schema.tables.setdefault("Edge", found)
        if schema.tables["Edge"] != found:
            schema.tables[f"Edge {kind}"] = found
    return schema


def _cypher_columns(body: str) -> Iterable[tuple[str, Column]]:
    for part in body.split(","):
        words = part.split()
        if len(words) >= 2:
            yield words[0], Column(_CYPHER.get(words[1], words[1]))


def differences(wanted: Schema, found: Schema, *, bookkeeping: frozenset[str] = frozenset(), stored: bool = False,
                products: bool = False) -> list[str]:
    """What ``found`` says differently from ``wanted``, one sentence each; aspects it does not know are not compared.

    ``stored``: compare with the types that tables have. ``products``: its edges are all pairs of domain and range.
    """
    out = []
    for table in sorted((wanted.tables.keys() | found.tables.keys()) - bookkeeping):
        a, b = wanted.tables.get(table), found.tables.get(table)
        if a is None or b is None:
            out.append(f"table {table} is {'unknown to the dataclasses' if a is None else 'missing'}")
            continue
        for name in sorted(a.keys() | b.keys()):
            if name not in a or name not in b:
                out.append(f"{table}.{name} is {'unknown to the dataclasses' if name not in a else 'missing'}")
                continue
            out += [f"{table}.{name}: {aspect} is {y!r}, expected {x!r}" for aspect, x, y in _aspects(a[name], b[name], stored)]
    expected = wanted.edges
    if products:
        expected = {(k, a, b) for k, a, _ in wanted.edges for kk, _, b in wanted.edges if kk == k}
    out += [f"edge {' '.join(e)} is missing" for e in sorted(expected - found.edges)]
    out += [f"edge {' '.join(e)} is unknown to the dataclasses" for e in sorted(found.edges - expected)]
    return out


def _aspects(a: Column, b: Column, stored: bool) -> Iterable[tuple[str, Any, Any]]:
    kind = (a.stored or a.type) if stored else a.type
    if kind != b.type:
        yield "type", kind, b.type
    if b.required is not None and a.required != b.required:
        yield "required", a.required, b.required
    if b.many is not None and a.many != b.many:
        yield "many", a.many, b.many
    if a.words is not None and b.required is not None and a.words != b.words:
        yield "words", a.words, b.words


