"""Random configuration files as people write them: comments, trailing commas, foreign hooks, odd layout."""

from __future__ import annotations

import json

from hypothesis import strategies as st

EVENTS = ("SessionStart", "Stop", "PreCompact", "SessionEnd", "PreToolUse")
SPACE = st.sampled_from(["", " ", "\n", "\n  ", "\n\t", " // note\n", " // \n ", "//\t\n", " /* a, \"b\" */ ",
                         "\n\n    // two\n    "])
SCALAR = st.sampled_from(["null", "true", "1e400", "-0.0", "123456789012345678901234567890", '"é\\u00e9 // no comment"',
                          '"\\ud83d\\ude00"', '"/* neither */"', '""', "3.140000"])
KEY = st.sampled_from(["theme", "env", "model", "ünï", "hooks2", "permissions", "a b", "//", ""])


@st.composite
def containers(draw: st.DrawFn, opening: str, items: list[str]) -> str:
    """An object or array around ``items``, with random blanks, comments and perhaps a last comma."""
    closing = {"{": "}", "[": "]"}[opening]
    parts = [opening]
    for number, item in enumerate(items):
        last = number == len(items) - 1
        comma = "," if not last or draw(st.booleans()) else ""
        parts += [draw(SPACE), item, draw(SPACE) if comma else "", comma]
    return "".join([*parts, draw(SPACE), closing])


@st.composite
def members(draw: st.DrawFn, key: str, value: str) -> str:
    return f"{json.dumps(key, ensure_ascii=False)}{draw(SPACE)}:{draw(SPACE)}{value}"


@st.composite
def values(draw: st.DrawFn, depth: int = 2) -> str:
    kind = draw(st.sampled_from(["scalar", "object", "array"] if depth else ["scalar"]))
    if kind == "scalar":
        return draw(SCALAR)
    count = draw(st.integers(0, 3))
    inner = [draw(values(depth - 1)) for _ in range(count)]
    if kind == "array":
        return draw(containers("[", inner))
    keys = draw(st.lists(KEY, min_size=count, max_size=count, unique=True))
    return draw(containers("{", [draw(members(k, v)) for k, v in zip(keys, inner, strict=True)]))


@st.composite
def handlers(draw: st.DrawFn) -> str:
    command = draw(st.sampled_from(["echo hi", "/opt/other tool --hook stop", "agent-utilities", "npx hook checkpoint"]))
    return draw(containers("{", [draw(members("type", '"command"')), draw(members("command", json.dumps(command)))]))


@st.composite
def groups(draw: st.DrawFn) -> str:
    inner = draw(containers("[", draw(st.lists(handlers(), max_size=2))))
    return draw(containers("{", [draw(members("hooks", inner))]))


@st.composite
def settings(draw: st.DrawFn) -> str:
    """A settings file: unknown keys around a ``hooks`` object with foreign hooks, or without one."""
    keys = draw(st.lists(KEY, max_size=4, unique=True))
    items = [draw(members(key, draw(values()))) for key in keys]
    if draw(st.booleans()):
        events = draw(st.lists(st.sampled_from(EVENTS), max_size=3, unique=True))
        lists = [draw(containers("[", draw(st.lists(groups(), max_size=2)))) for _ in events]
        hooks = draw(containers("{", [draw(members(e, v)) for e, v in zip(events, lists, strict=True)]))
        items.insert(draw(st.integers(0, len(items))), draw(members("hooks", hooks)))
    return draw(SPACE) + draw(containers("{", items)) + draw(SPACE)


@st.composite
def files(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> bytes:
    """A text as bytes: LF or CRLF, with or without a byte order mark."""
    text = draw(texts)
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return (b"\xef\xbb\xbf" if draw(st.booleans()) else b"") + text.encode("utf-8")


TOML_LINES = ["# a note", "", "model = \"o5\"", "big = 123456789012345678", "list = [\n  1, # one\n  2,\n]",
              "text = '''\n# agent-utilities-memory: begin\nnot ours\n'''", "dotted.key = 1", "when = 2026-11-30T12:00:00Z"]
TOML_TABLES = ["[features]\nfast = true # yes", "[hooks.state.\"/x/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:1\"",
               "[[servers]]\nname = 'a'", "  [odd]\n\n  x = 1", "[hooks]\nenabled = true"]


@st.composite
def toml(draw: st.DrawFn) -> str:
    """A TOML file with comments, a multi-line string that imitates us, tables and arrays of tables."""
    lines = draw(st.lists(st.sampled_from(TOML_LINES), max_size=4, unique=True))
    tables = draw(st.lists(st.sampled_from(TOML_TABLES), max_size=3, unique=True))
    return "\n".join([*lines, *tables]) + draw(st.sampled_from(["", "\n", "\n\n"]))


YAML_PARTS = ["# top", "model:\n  default: x # note", "toolsets:\n- web\n- file", "memory:\n  memory_enabled: true",
              "memory:\n    provider: ''\n    user: 1", "display: {compact: false}", "text: |\n  # kept\n\n  end"]


@st.composite
def yaml(draw: st.DrawFn) -> str:
    """A YAML file, with a ``memory`` section or without."""
    parts = draw(st.lists(st.sampled_from(YAML_PARTS), max_size=5, unique_by=lambda part: part.split(":")[0]))
    return "\n".join(parts) + draw(st.sampled_from(["", "\n"]))
