from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from view_strategies import TEXTS, documents

from agent_memory.materialize.escape import canonical, decode, encode
from agent_memory.materialize.parse import document, join, parse
from agent_memory.materialize.render import render
from agent_memory.model.view import Document


@given(TEXTS, st.booleans())
def test_any_text_comes_back_from_its_lines(text: str, marked: bool) -> None:
    text = canonical(text)
    assert canonical(text) == text
    assert decode(encode(text, marked=marked)) == text


@settings(deadline=None)
@given(documents())
def test_a_rendered_document_is_read_back_as_it_was(shown: Document) -> None:
    assert document(shown.name, render(shown)) == shown


@given(TEXTS, st.sampled_from(["\n", "\r\n"]))
def test_lines_and_endings_of_any_file_come_back(text: str, newline: str) -> None:
    text = text.replace("\r\n", "\n").replace("\r", "").replace("\n", newline)
    parsed = parse(text)
    assert join(parsed.lines, parsed) == text
