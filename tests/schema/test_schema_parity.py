"""Tables, ontology, shapes and dataclasses say the same; a planted difference is reported."""

from __future__ import annotations

from importlib.resources import files

import pytest
import rdflib
from rdflib import OWL, RDF, RDFS
from schema_parity import AM, Column, Schema, differences, from_dataclasses, from_migrations, from_ontology, from_shapes

PROV = rdflib.Namespace("http://www.w3.org/ns/prov#")
BOOKKEEPING = frozenset({"Meta", "Lineage", "CursorHead", "CursorMove", "Observed"})
"""Tables of the store itself: no nodes of the memory graph."""


def _text(folder: str, name: str) -> str:
    return (files("graph_schema") / folder / name).read_text("utf-8")


def _migrations() -> str:
    folder = files("graph_schema") / "migrations"
    return "\n".join(f.read_text("utf-8") for f in sorted(folder.iterdir(), key=lambda f: f.name) if f.name.endswith(".cypher"))


@pytest.fixture(scope="module")
def ontology() -> rdflib.Graph:
    return rdflib.Graph().parse(data=_text("ontology", "memory.ttl"), format="turtle")


@pytest.fixture(scope="module")
def shapes() -> rdflib.Graph:
    return rdflib.Graph().parse(data=_text("shapes", "memory.ttl"), format="turtle")


def test_tables_equal_the_dataclasses() -> None:
    assert differences(from_dataclasses(), from_migrations(_migrations()), bookkeeping=BOOKKEEPING, stored=True) == []


def test_ontology_equals_the_dataclasses(ontology: rdflib.Graph) -> None:
    assert differences(from_dataclasses(), from_ontology(ontology), products=True) == []


def test_shapes_equal_the_dataclasses(shapes: rdflib.Graph) -> None:
    wanted = from_dataclasses()
    found = from_shapes(shapes)
    found.tables["Edge"]["status"] = Column("string", True, False)  # the shape lists words that the dataclass describes
    assert differences(wanted, found) == []


def _changed(**columns: Column | None) -> Schema:
    schema = from_dataclasses()
    for name, column in columns.items():
        if column is None:
            del schema.tables["Observation"][name]
        else:
            schema.tables["Observation"][name] = column
    return schema


@pytest.mark.parametrize(("planted", "said"), [
    ({"text": None}, "Observation.text is missing"),
    ({"mood": Column("string")}, "Observation.mood is unknown to the dataclasses"),
    ({"seen": Column("string", True, False)}, "Observation.seen: type is 'string', expected 'integer'"),
    ({"text": Column("string", False, False)}, "Observation.text: required is False, expected True"),
    ({"tags": Column("string", False, False)}, "Observation.tags: many is False, expected True"),
    ({"scope": Column("string", True, False, ("global",))},
     "Observation.scope: words is ('global',), expected ('global', 'personal', 'project')"),
])
def test_planted_difference_is_reported(planted: dict[str, Column | None], said: str) -> None:
    assert differences(from_dataclasses(), _changed(**planted)) == [said]


def test_planted_table_and_edge_are_reported() -> None:
    schema = from_dataclasses()
    del schema.tables["Symbol"]
    schema.edges -= {("child_of", "Session", "Session")}
    schema.edges |= {("child_of", "Session", "Agent")}
    assert differences(from_dataclasses(), schema) == [
        "table Symbol is missing", "edge child_of Session Session is missing",
        "edge child_of Session Agent is unknown to the dataclasses"]


def test_difference_planted_in_the_cypher_is_reported() -> None:
    text = _migrations().replace("`title` STRING", "`title` INT64", 1)
    assert differences(from_dataclasses(), from_migrations(text), bookkeeping=BOOKKEEPING, stored=True) == [
        "Agent.title: type is 'integer', expected 'string'"]


def test_difference_planted_in_the_turtle_is_reported(ontology: rdflib.Graph, shapes: rdflib.Graph) -> None:
    broken = rdflib.Graph() + ontology
    broken.remove((AM.tags, None, None))
    assert "Observation.tags is missing" in differences(from_dataclasses(), from_ontology(broken), products=True)
    other = rdflib.Graph() + shapes
    other.remove((AM.FileShape, None, None))
    assert "table File is missing" in differences(from_dataclasses(), from_shapes(other))


def test_no_class_is_both_entity_and_activity(ontology: rdflib.Graph) -> None:
    """PROV-O says that the two have nothing in common."""
    for cls in ontology.subjects(RDF.type, OWL.Class):
        parents = set(ontology.transitive_objects(cls, RDFS.subClassOf))
        assert not {PROV.Entity, PROV.Activity} <= parents


def test_everything_in_the_ontology_is_explained(ontology: rdflib.Graph) -> None:
    for kind in (OWL.Class, OWL.ObjectProperty):
        for thing in ontology.subjects(RDF.type, kind):
            if isinstance(thing, rdflib.URIRef):
                assert ontology.value(thing, RDFS.comment), thing
