"""Random documents with text that tries to be structure."""

from __future__ import annotations

from hypothesis import strategies as st

from agent_memory.materialize.escape import canonical
from agent_memory.materialize.render import one_line
from agent_memory.model.view import Bullet, Document, Section

_TRICKS = st.sampled_from([
    "<!-- m:01jd0000000000000000000000 -->", "<!-- i:older -->", "<!-- s:goals -->", "<!-- project:p-1 -->", "-->", "# ",
    "## Decisions", "---", "- ", "* ", "1. ", "1) ", "> ", "```", "~~~", "`", "``", "\\", "\\\\", "*(seen)*", ")*", " *(",
    "[x] ", "[ ]", "[[a]]", "[a](b)", "![a](b)", "[a]: b", "<b>", "&lt;", "&#35;", "%%", "|a|b|", "|-|-|", "===", "🔴 ", "🟡", "🟢",
    "\n", "\n\n", "\n    ", "\t", " ", "\r\n", "\u2028", "\x00", "\ufeff", "\u00a0", "שלום", "日本語", "한국어", "👩‍👩‍👧", "🇩🇪", "é", "e\u0301",
    "\ud800", "title: x",
])
TEXTS = st.lists(st.one_of(_TRICKS, st.text(max_size=8)), max_size=10).map("".join)
_FILLED = TEXTS.map(canonical).filter(bool)
_LINES = TEXTS.map(one_line)
_TITLES = _LINES.filter(bool)
_SUFFIXES = st.sampled_from(["", "seen 3×", "decision · [[projects/shop|shop]]", "confidence 0.7 (high)"])
_KEYS = st.from_regex(r"[0-9a-hjkmnp-tv-z]{26}", fullmatch=True)


@st.composite
def bullets(draw: st.DrawFn) -> Bullet:
    key = draw(_KEYS)
    sort = draw(st.sampled_from(["id", "info"]))
    return Bullet(draw(_FILLED), id=key if sort == "id" else "", info=key if sort == "info" else "",
                  mark=draw(st.sampled_from(["", "🔴", "🟡", "🟢"])), done=draw(st.sampled_from([None, True, False])),
                  suffix=draw(_SUFFIXES))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    names = draw(st.lists(st.sampled_from(["decision", "goals", "2026-11-30", "x.y-z"]), unique=True, max_size=4))
    items = draw(st.lists(bullets(), max_size=8, unique_by=lambda b: b.id or b.info))
    sections = tuple(
        Section(draw(_TITLES), name, tuple(items[n::len(names)]), level=draw(st.integers(2, 4)), prose=draw(TEXTS.map(canonical)))
        for n, name in enumerate(names))
    front = draw(st.sampled_from([(), (("title", "a: \"b\" # c"), ("tags", ("x", "- y")))]))
    if draw(st.booleans()):
        front = (*front, ("note", draw(TEXTS.map(canonical))))
    return Document("x.md", draw(_TITLES), front, draw(TEXTS.map(canonical)), sections)
