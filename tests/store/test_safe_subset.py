"""The engine is only ever asked what it does right: no statement of ours reaches one of its known defects."""

from __future__ import annotations

import re
from pathlib import Path

from store_samples import Chaos

import graph_schema
from agent_memory.model.graph import STATE
from agent_memory.store.engines.columns import COLUMNS
from agent_memory.store.engines.cypher import CypherGraph
from agent_memory.store.engines.registry import open_graph

_FORBIDDEN = re.compile(r"\b(DELETE|DETACH|REMOVE|MERGE|ROLLBACK|DROP|ALTER|INSTALL|CREATE_FTS_INDEX|CREATE_VECTOR_INDEX)\b",
                        re.I)


def statements(tmp_path: Path, seed: int, *, load: bool) -> list[str]:
    """Every statement that writing and reading a random graph sends to the engine."""
    graph = open_graph("kuzu", tmp_path / f"{load}.db")
    assert isinstance(graph, CypherGraph)
    sent: list[str] = []
    real = graph._execute
    graph._execute = lambda statement, parameters: (sent.append(statement), real(statement, parameters))[1]  # type: ignore[method-assign, func-returns-value]
    batches = list(Chaos(seed).batches(40))
    if load:
        graph.load(batches)
    else:
        graph.apply(batches)
    graph.checkpoint()
    graph.counts()
    graph.edges()
    assert list(graph.nodes())
    graph.close()
    return sent


def test_only_fixed_width_columns_are_ever_set() -> None:
    for table, names in STATE.items():
        types = {c.name: c.type for c in COLUMNS[table]}
        assert {types[n] for n in names} <= {"INT64", "DOUBLE", "BOOL"}, table


def test_statements_of_writing_stay_in_the_safe_subset(tmp_path: Path) -> None:
    sent = statements(tmp_path, 1, load=False)
    fixed = {f"n.`{name}`" for names in STATE.values() for name in names} | {
        "n.`number`", "n.`first`", "n.`last`", "n.`move`", "n.`seq`"}
    for statement in sent:
        assert not _FORBIDDEN.search(statement), statement
        assert "COPY" not in statement, statement
        if " SET " in statement:
            names = {part.split("=")[0].strip() for part in statement.split(" SET ")[1].split(",")}
            assert names <= fixed, statement
        if "UNWIND" in statement and "CREATE" in statement:
            after = statement.split("UNWIND")[1]
            assert "MATCH" not in after, statement
    begins = [i for i, s in enumerate(sent) if s.startswith("BEGIN")]
    for begin in begins:
        until = sent.index("COMMIT", begin)
        kinds = ["SET" if " SET " in s else "CREATE" for s in sent[begin + 1:until]]
        assert kinds == sorted(kinds), "creates come first, sets last"
        assert "`position`" in sent[until - 1] or "'position'" in sent[until - 1]


def test_copy_happens_only_while_a_file_is_loaded(tmp_path: Path) -> None:
    sent = statements(tmp_path, 2, load=True)
    assert any(s.startswith("COPY") for s in sent)
    for statement in sent:
        assert not _FORBIDDEN.search(statement), statement
    assert "'position'" in [s for s in sent if " SET " in s][-1]


def test_migrations_only_create() -> None:
    for migration in graph_schema.migrations():
        for statement in migration.statements:
            assert re.match(r"CREATE (NODE TABLE|REL TABLE|\(:`Meta`)", statement), statement


def test_migrations_are_numbered_without_a_gap() -> None:
    assert [m.number for m in graph_schema.migrations()] == list(range(1, len(graph_schema.migrations()) + 1))
