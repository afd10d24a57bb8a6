"""What is said every day and lasts no longer: farewells, questions without a mark, symptoms, words taken back at once."""

from __future__ import annotations

import pytest
from observe_world import observed, texts

from agent_memory.model.memory import Kind, Priority

HELLO = ("person", "The exporter writes the wrong month for invoices of the last quarter.")


@pytest.mark.parametrize("farewell", [
    "bonne soirée !", "à lundi, et merci encore", "See you on Monday then.", "have a nice weekend!", "good night, talk tomorrow", "Schönes Wochenende!",
    "Bis nächste Woche dann.", "Gute Nacht, bis morgen.", "Hasta mañana, gracias.", "Nos vemos la próxima semana.", "お疲れさまでした、また来週。", "また明日よろしくお願いします。",
    "辛苦了，明天见。", "再见，周末愉快！", "calling it a day, see ya next week", "De rien, bonne fin de journée.", "De nada, que descanses.",
])
def test_a_farewell_is_no_memory_and_its_day_no_open_work(farewell: str) -> None:
    assert texts(HELLO, ("agent", "I'll look."), ("person", farewell), ("agent", farewell)) == []


@pytest.mark.parametrize("question", [
    "hows the build doing", "whats the port of staging called lol", "dont u have the api key already", "do u know why jest 29 prints that", "wat does rebase --onto do",
    "is there a way to list all 14 tags", "gibts da schon einen Test für parse_date", "c'est quoi le port de staging", "tu sais ce que fait git rebase --onto",
    "sabes si hay un test para parse_date", "parse_date のテストはありますよね", "parse_date 有没有测试",
])
def test_a_question_without_a_mark_is_no_memory(question: str) -> None:
    assert texts(HELLO, ("agent", "I'll look."), ("person", question), ("agent", "OK.")) == []


@pytest.mark.parametrize("symptom", [
    "Two tests fail, both in the month end cases.", "Zwei Tests schlagen fehl, beide am Monatsende.", "Deux tests échouent, ceux de fin de mois.",
    "Fallan dos pruebas, las de fin de mes.", "月末のテストが二つ失敗しました。", "有两个月末的测试失败了。",
])
def test_a_symptom_right_after_a_failure_is_no_lesson(symptom: str) -> None:
    assert texts(("person", "Please run the tests of the exporter."), ("error", "pytest", "2 failed"), ("agent", symptom), ("ok", "cat a.py", "x")) == []


@pytest.mark.parametrize(("said", "stays", "gone"), [
    ("Store the exports in the bucket of the shop, no wait, the auditors want them on the local disk.", "local disk", "bucket"),
    ("Die Exporte kommen immer in den Bucket, nein warte, die Prüfer wollen sie auf der lokalen Platte.", "lokalen Platte", "Bucket"),
    ("Mets toujours les exports dans le bucket, non attends, le comptable les veut sur le disque local.", "disque local", "bucket"),
    ("Guarda siempre los informes en el bucket, no espera, la auditora los quiere en el disco local.", "disco local", "bucket"),
    ("エクスポートは必ずバケットに置いてください、いや待って、ローカルのディスクに保存してください。", "ディスク", "バケット"),
    ("导出文件一律放到 OSS 上，不对，审计要求放在本地磁盘。", "本地磁盘", "OSS"),
])
def test_of_a_sentence_that_corrects_itself_the_last_word_stands(said: str, stays: str, gone: str) -> None:
    found = texts(HELLO, ("agent", "I'll look."), ("person", said), ("agent", "OK."))
    assert [t for t in found if stays in t], found
    assert not [t for t in found if gone in t], found


@pytest.mark.parametrize(("said", "named"), [
    ("Ok pour Polars, on abandonne pandas.", "Polars"), ("ok for polars, we drop pandas", "polars"), ("Ok für Polars, pandas fliegt raus.", "Polars"),
    ("Vale con Polars, descartamos pandas.", "Polars"), ("Polars でいいです、pandas はやめます。", "Polars"), ("就用 Polars 吧，pandas 不用了。", "Polars"),
])
def test_an_ok_for_one_thing_over_another_is_a_decision(said: str, named: str) -> None:
    found = observed(HELLO, ("agent", "Polars would be faster than pandas."), ("person", said), ("agent", "Fine.")).candidates
    assert [c.priority for c in found if named in c.text] == [Priority.RED]


@pytest.mark.parametrize("said", [
    "Kafka is not in production, so it cannot be used.", "Kafka läuft nicht in Produktion und ist daher nicht nutzbar.",
    "Kafka n'est pas en production, on ne peut pas l'utiliser.", "Kafka no está en producción, no se puede usar.", "Kafka は本番にないので使えません。", "生产环境没有 Kafka，用不了。",
])
def test_a_constraint_with_its_reason_is_kept(said: str) -> None:
    assert said in texts(HELLO, ("agent", "I could put it on Kafka."), ("person", said), ("agent", "OK."))


@pytest.mark.parametrize("said", [
    "Important: a reading is never overwritten, corrections are appended.", "Wichtig: ein Messwert wird nie überschrieben, Korrekturen kommen dazu.",
    "Important : un relevé n'est jamais écrasé, on ajoute une ligne.", "Importante: una lectura nunca se sobrescribe, se añade una fila.",
])
def test_what_never_happens_to_a_thing_is_a_rule(said: str) -> None:
    assert said in texts(HELLO, ("agent", "I'll look."), ("person", said), ("agent", "OK."))


def test_code_is_not_cut_at_its_dots() -> None:
    rule = "Always lock with `SELECT ... FOR UPDATE` before booking."
    assert rule in texts(HELLO, ("agent", "Hm."), ("person", rule))


def test_what_is_put_off_by_a_person_is_context() -> None:
    found = observed(HELLO, ("agent", "Done."), ("person", "that's it for today I think, oh and the override button still isn't debounced, that's for next week, remind me then")).candidates
    assert [(c.kind, c.priority) for c in found if "debounced" in c.text] == [(Kind.CONTEXT, Priority.YELLOW)]
    assert all("for today" not in c.text for c in found)


def test_what_went_wrong_is_left_out_before_the_rule_told_again() -> None:
    found = texts(HELLO, ("agent", "Committed."), ("person", "The commit message is in German. I told you before, commit messages in English."), ("agent", "Commit messages are in English now."))
    assert [t for t in found if "ommit" in t] == ["I told you before, commit messages in English."]


def test_once_more_is_told_again() -> None:
    found = observed(HELLO, ("agent", "README done."), ("person", "works. and again: pnpm, you just typed npm in the README")).candidates
    assert [(c.rule, c.priority) for c in found if "pnpm" in c.text] == [("told-again", Priority.RED)]


def test_the_task_of_a_session_is_no_fact_and_no_preference() -> None:
    assert texts(("person", "CI is red since v1.4 this morning, find out why.")) in ([], ["CI is red since v1.4 this morning, find out why."])
    for opening in ("We want to rebuild the importer of the readings.", "Wir wollen den Import der Zählerstände neu bauen.", "On veut refaire l'import des relevés de compteur."):
        assert [(c.kind, c.rule) for c in observed(("person", opening)).candidates] in ([], [(Kind.CONTEXT, "goal")])


def test_a_private_mark_stays_out_of_what_is_kept() -> None:
    assert "Prices are always net, VAT below." in texts(HELLO, ("person", "[redacted:private] Prices are always net, VAT below."))


def test_the_cure_after_a_cause_belongs_to_it() -> None:
    found = texts(("person", "Why does the price test fail?"), ("error", "pytest", "1 failed"),
                  ("agent", "The price test failed because totals were added as floats. I changed money to integer cents in src/money.ts."))
    assert found == ["The price test failed because totals were added as floats. I changed money to integer cents in src/money.ts."]


def test_a_musing_that_ends_with_the_old_choice_takes_nothing_back() -> None:
    found = texts(HELLO, ("agent", "Hm."), ("person", "Lock each room with SELECT FOR UPDATE."), ("agent", "OK."), ("person", "maybe we should lock by date… no wait, it stays by room"), ("agent", "By room."))
    assert "Lock each room with SELECT FOR UPDATE." in found
    assert not [t for t in found if "by date" in t]


def test_what_syntax_means_is_general_knowledge_even_when_asked_on() -> None:
    assert texts(HELLO, ("agent", "I'll look."), ("person", "what does the ?: mean in a regex again"), ("agent", "`(?:...)` groups without storing, so the match is not kept."),
                 ("person", "ahh right. and lookbehind?"), ("agent", "`(?<=...)` asserts what stands before, without consuming it.")) == []
