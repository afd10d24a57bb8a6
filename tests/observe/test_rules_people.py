"""What people say, in several languages: kept with kind and priority, or left out with the reason."""

from __future__ import annotations

import pytest
from observe_world import observed, texts, view

from agent_memory.model.memory import Kind, Priority, Scope
from agent_memory.observe.rules.observer import RulesObserver

HELLO = ("person", "The exporter writes the wrong month for invoices of the last quarter.")


@pytest.mark.parametrize("rule", [
    "Never commit to main, we always use pull requests.",
    "don't mock the clock, i told you. use freezegun",
    "Only the CI may publish to the registry.",
    "Kommentare im Code immer auf Englisch, Doku auf Deutsch.",
    "Der Port 8443 bleibt, den darf niemand ändern.",
    "Ne touche jamais au fichier de paie.",
    "Nunca subas el archivo de claves al repositorio.",
    "テストは必ず pnpm で実行してください。",
    "ログに氏名を残さないでください。",
    "金额一律用整数分，不能用 float。",
])
def test_a_rule_is_kept_as_said(rule: str) -> None:
    found = observed(HELLO, ("agent", "I'll look."), ("person", rule))
    assert any(c.priority is Priority.RED and c.text in rule for c in found.candidates), found


@pytest.mark.parametrize("chat", [
    "thanks, great work!", "ok", "run it again", "what does idempotent mean again", "Danke, das war's für heute.", "Was ist ein Mutex?",
    "merci beaucoup", "C'est quoi déjà un jeton ?", "gracias", "¿qué es un mutex?", "ありがとう、助かりました", "冪等ってどういう意味でしたっけ？", "谢谢", "什么叫幂等？",
    "brb, need coffee", "How many tests are there?", "any progress?",
])
def test_small_talk_and_questions_are_no_memory(chat: str) -> None:
    assert texts(HELLO, ("agent", "I'll look."), ("person", chat), ("agent", "OK.")) == []


@pytest.mark.parametrize("thought", [
    "Should we move to Rust?", "Maybe we could use Kafka for this.", "Sollten wir auf Rust umsteigen?", "Et si on passait à Rust ?",
    "要不要上 Kafka？", "Rust に移行したほうがいいですか？", "I wonder whether Kafka would help.",
])
def test_a_thought_is_no_decision(thought: str) -> None:
    assert texts(HELLO, ("agent", "I'll look."), ("person", thought)) == []


def test_the_answer_to_a_thought_is_kept_without_the_thought() -> None:
    found = texts(HELLO, ("agent", "On it."), ("person", "hm should we move to rq?? nah leave it, celery stays"))
    assert len(found) == 1
    assert "celery stays" in found[0]
    assert "rq" not in found[0]


def test_words_of_a_refusal_are_the_persons() -> None:
    found = observed(HELLO, ("refuses", "no ORM please. plain SQL in .sql files")).candidates
    assert [c.rule for c in found if c.rule != "goal"] == ["refusal"]
    assert "plain SQL" in found[-1].text


def test_an_answered_question_is_one_decision_with_its_question() -> None:
    found = observed(HELLO, ("answers", "How long do we keep backups? → 14 days")).candidates[-1]
    assert (found.text, found.kind, found.priority) == ("How long do we keep backups? → 14 days", Kind.DECISION, Priority.RED)


def test_an_answer_that_decides_nothing_is_left_out() -> None:
    assert texts(HELLO, ("answers", "Shall I write a README? → Not now")) == []


def test_steps_of_an_approved_plan_that_fix_something_are_decisions() -> None:
    found = texts(HELLO, ("plan", "1. Look around.\n2. Nightly dump at 02:30, kept for 14 days.\n3. Write tests."))
    assert found == ["Nightly dump at 02:30, kept for 14 days."]


def test_that_is_replaced_by_what_the_agent_calls_it() -> None:
    found = texts(HELLO, ("agent", "The suite needs DJANGO_SETTINGS_MODULE."), ("person", "k put that in pytest.ini so i never see it again"),
                  ("agent", "pytest.ini now sets DJANGO_SETTINGS_MODULE to shop.settings.test."))
    assert "pytest.ini now sets DJANGO_SETTINGS_MODULE to shop.settings.test." in found


def test_it_keeps_the_sentence_that_says_what_it_is() -> None:
    found = texts(HELLO, ("agent", "Hm."), ("person", "The tile cache grows without bound. Cap it at 512 MB."))
    assert found == ["The tile cache grows without bound. Cap it at 512 MB."]


def test_a_wish_for_all_projects_is_personal_and_others_are_not() -> None:
    everywhere = observed(HELLO, ("person", "In all my projects I want answers in short bullet points."))
    here = observed(HELLO, ("person", "I want answers in short bullet points."))
    assert everywhere.candidates[-1].scope is Scope.PERSONAL
    assert here.candidates[-1].scope is Scope.PROJECT


def test_pasted_logs_and_code_are_not_the_persons_words() -> None:
    pasted = "this is what i get\n\nTraceback (most recent call last):\n  File \"a.py\", line 4\nValueError: you must never do that\n```\nalways = never\n```"
    assert texts(HELLO, ("person", pasted)) == []


def test_constraints_in_a_list_are_each_kept() -> None:
    found = texts(("person", "Please add Austria.\n\nConstraints:\n- Amounts are in cents.\n- No new dependencies."))
    assert found == ["Amounts are in cents.", "No new dependencies."]


def test_every_dropped_sentence_has_a_reason() -> None:
    found = RulesObserver().observe(view(HELLO, ("person", "thanks! should we use Rust? run it again")))
    assert {d.reason for d in found.dropped} >= {"question"}
    assert all(d.reason and d.line for d in found.dropped)
