from __future__ import annotations

import json

import pytest
from hypothesis import given

from agent_memory.errors import EditRefused
from agent_memory.install import jsonc
from tests.install.configurations import settings, values


@pytest.mark.parametrize("text", [
    "", "// only a comment", "{", '{"a":1', '{"a":1 "b":2}', "{'a':1}", "{a:1}", '{"a":01}', '{"a":1.}', '{"a":-}',
    '{"a":tru}', '{"a":1,,}', "[,]", "{,}", '{"a":1}x', "[1] [2]", '{"a":"\\q"}', '{"a":"\\u12"}', '{"a":"x\ny"}',
    '{"a":"\x00"}', '{"a":NaN}', "{# x\n}", "/* open", '{"a":+1}', '{"a":.5}', '{"a":0x1}', '{"a"}', '{1:2}', "<<<<<<< HEAD\n{}",
])
def test_what_is_not_json_with_comments_is_refused(text: str) -> None:
    with pytest.raises(EditRefused):
        jsonc.parse(text)


def test_the_message_says_where() -> None:
    with pytest.raises(EditRefused, match="line 2, column 8"):
        jsonc.parse('{\n  "a": oops\n}')


def test_absurd_nesting_is_refused_and_does_not_crash() -> None:
    with pytest.raises(EditRefused, match="nested deeper"):
        jsonc.parse("[" * 100_000 + "]" * 100_000)


def test_a_key_said_twice_means_the_last_one() -> None:
    node = jsonc.parse('{"a": 1, "a": true}')
    assert node.get("a") is not None
    assert jsonc.plain(node) == {"a": True}


@given(settings())
def test_every_generated_configuration_is_read_with_its_comments(text: str) -> None:
    jsonc.parse(text)
    assert "".join(jsonc.comments(text)).count("note") == text.count("// note\n")


@given(values())
def test_places_point_to_the_values(text: str) -> None:
    node = jsonc.parse(text)
    assert jsonc.plain(jsonc.parse(text[node.start:node.end])) == jsonc.plain(node)


def test_plain_json_means_the_same_as_to_the_standard_reader() -> None:
    text = json.dumps({"a": [None, True, "x\u2028\"\\/"], "b": {}, "": [[]]})
    assert jsonc.plain(jsonc.parse(text)) == json.loads(text)
