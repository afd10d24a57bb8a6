"""Text becomes the same tokens when it is indexed and when it is asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.text import analyze, analyze_grams


@pytest.mark.parametrize(("text", "held"), [
    ("DEC-0054", {"dec-0054", "0054"}),
    ("see CVE-2024-1234, please", {"cve-2024-1234", "1234"}),
    ("call apply_secrets()", {"apply_secrets", "secret"}),
    ("`src/main.py:42`", {"src/main.py:42", "main.py", "main"}),
    ("v2.1.4", {"v2.1.4", "2.1.4"}),
    ("C++ and C#.", {"c++", "c#"}),
    ("(.env)", {".env", "env"}),
    ("--dry-run", {"--dry-run", "dry"}),
    ("getUserName", {"getusername", "user", "name"}),
    ("HTTPServer", {"httpserver", "http", "server"}),
    ("kebab-case-name", {"kebab-case-name", "kebab"}),
    ("E0382", {"e0382"}),
    ("这个问题很大", {"问题"}),
    ("日本語です", {"日本", "本語"}),
    ("그 사람이", {"사람"}),
    ("ภาษาไทย", {"ไท"}),
    ("great ⭐ work", {"⭐"}),
    ("Café naïve Straße", {"cafe", "naiv", "strass"}),
    ("Ｆｕｌｌ width", {"full"}),
])
def test_identifiers_and_every_script_become_tokens(text: str, held: set[str]) -> None:
    assert held <= set(analyze.tokens(text))


@pytest.mark.parametrize(("one", "other"), [("deploying", "deploys"), ("Don't", "don"), ("Работают", "работать"),
                                            ("Caroline's", "caroline")])
def test_forms_of_a_word_share_a_token(one: str, other: str) -> None:
    assert set(analyze.tokens(one)) & set(analyze.tokens(other))


@pytest.mark.parametrize("text", ["to be or not to be", "the", "wo ist die", "что это", "この"])
def test_stop_words_never_empty_a_query(text: str) -> None:
    assert not analyze.query(text).empty


@pytest.mark.parametrize(("text", "terms"), [
    ("What is the database?", ("databas",)), ("Wie ist die Datenbank?", ("datenbank",)),
    ("Где находится сервер?", ("наход", "сервер")), ("¿Dónde está el servidor?", ("servidor",))])
def test_stop_words_of_a_language_are_left_out(text: str, terms: tuple[str, ...]) -> None:
    assert set(analyze.query(text).terms) == set(terms)


@pytest.mark.parametrize("text", ["how do we deploy the shop", "как мы выпускаем магазин", "我们怎么部署商店",
                                  "เราปรับใช้ร้านอย่างไร", "हम दुकान कैसे तैनात करते हैं", "كيف ننشر المتجر", "어떻게 배포하나요"])
def test_questions_of_every_script_have_terms(text: str) -> None:
    assert analyze.query(text).terms


@given(st.text(max_size=200))
def test_any_text_gives_tokens_without_blanks_quotes_and_control_characters(text: str) -> None:
    for token in analyze.tokens(text):
        assert token
        assert not any(c.isspace() or c < "!" or c in "\"'\x7f" for c in token)


@given(st.text(max_size=60))
def test_a_text_is_found_by_itself(text: str) -> None:
    query = analyze.query(text)
    held = set(analyze.tokens(text))
    assert set(query.terms) <= held
    assert all(any(t.startswith(p) for t in held) for p in query.prefixes)


@given(st.text(max_size=100))
def test_parts_of_a_text_are_counted_in_its_layout(text: str) -> None:
    data = analyze_grams.layout(text)
    _, grams = analyze_grams.measure(text)
    assert all(gram in data for gram in grams)


def test_parts_of_words_meet_where_tokens_do_not() -> None:
    weights = dict.fromkeys(analyze_grams.query_grams(("iterable",)), 1.0)
    norm, _ = analyze_grams.measure("def isiterable(x)")
    assert analyze_grams.similarity("def isiterable(x)", weights, norm) > 0
    assert analyze_grams.similarity("something else", weights, norm) == 0
