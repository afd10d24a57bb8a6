"""Rules that differ in the name of a thing stand side by side; a value that is set anew replaces the old one."""

from __future__ import annotations

import pytest
from observe_world import observed, texts

from agent_memory.observe.rules.values import apart, frame, values

GO = ("person", "The report of the warehouse is too slow in the mornings.")


def _after(first: str, then: str, confirm: str = "Done.") -> list[str]:
    return texts(GO, ("agent", "I see."), ("person", first), ("agent", "Done."), ("person", then), ("agent", confirm))


@pytest.mark.parametrize(("first", "then"), [
    ("Check gauge 001 every morning before the run.", "Check gauge 002 every morning before the run."),
    ("Always check gauge 1 for drift before calibration.", "Always check gauge 2 for drift before calibration."),
    ("Always ask Anna before a deploy.", "Always ask Ben before a deploy."),
    ("Never restart node-a during imports.", "Never restart node-b during imports."),
    ("Tenant 12 must keep its own bucket.", "Tenant 14 must keep its own bucket."),
    ("Rule R1 must hold for orders.", "Rule R2 must hold for orders."),
    ("Never delete branch release-1.2.", "Never delete branch release-1.3."),
    ("Keep 7 daily backups.", "Keep 4 weekly backups."),
    ("Messpunkt 4 wird immer doppelt geprüft.", "Messpunkt 7 wird immer doppelt geprüft."),
    ("センサー1は毎朝必ず確認してください。", "センサー2は毎朝必ず確認してください。"),
])
def test_the_same_rule_for_another_thing_leaves_the_first_standing(first: str, then: str) -> None:
    assert _after(first, then) == [first, then]


@pytest.mark.parametrize(("first", "then", "confirm", "stands"), [
    ("Use port 8080 for the api.", "use port 9090 instead", "Done.", "9090"),
    ("Use port 8080 for the api.", "Use port 9090 for the api.", "Done.", "9090"),
    ("Timeout is 30 seconds everywhere.", "Timeout is 60 seconds everywhere.", "Done.", "60"),
    ("Retry 3 times at most.", "make it 5", "Retries are 5 now.", "5"),
    ("40 Hz refresh", "hm the old racks choke on that. 30", "Refresh is 30 Hz now.", "30 Hz"),
    ("Puffer auf maximal 20 MB begrenzen.", "doch lieber 50 MB", "Puffer auf 50 MB begrenzt.", "50 MB"),
    ("最多重试 3 次。", "财务说不够，改成 5 次", "已改成 5 次。", "5 次"),
    ("タイムアウトは30秒にしてください。", "やっぱり60秒にしてください。", "はい、60秒にしました。", "60秒"),
])
def test_a_value_set_anew_replaces_the_old_one(first: str, then: str, confirm: str, stands: str) -> None:
    (kept,) = _after(first, then, confirm)
    assert stands in kept
    assert first not in kept


def test_a_bare_new_value_says_what_it_is_about() -> None:
    assert _after("Retry 3 times at most.", "make it 5") == ["Retry … at most → make it 5"]


def test_a_word_such_as_make_that_inside_a_sentence_takes_nothing_back() -> None:
    found = _after("Keep it in trails/export/gpx.py, one module.",
                   "Before every release the GPX files must validate against the schema, make that a make target.")
    assert found[0] == "Keep it in trails/export/gpx.py, one module."


def test_what_a_regret_takes_back_is_the_choice_just_taken_up() -> None:
    found = observed(GO, ("person", "pour l'envoi on prend MQTT"), ("agent", "MQTT est en place."),
                     ("person", "ah mince le routeur bloque le 1883. bon, du HTTPS simple alors, un POST toutes les 15 minutes"),
                     ("agent", "Envoi en HTTPS toutes les 15 minutes."))
    assert [d.reason for d in found.dropped if "MQTT" in d.text and d.rule == "said"] == ["taken back at line 4"]
    assert any("HTTPS" in c.text for c in found.candidates)


def test_numbers_are_values_where_they_are_counted_or_set() -> None:
    assert [(v.number, v.unit) for v in values("Cap gauge 001 at 30 seconds, port 8080, chapter 3.")] == [("30", "seconds"), ("8080", "")]
    assert frame("Timeout is 30 s") == frame("Timeout is 60 s")
    assert frame("Check gauge 001") != frame("Check gauge 002")


def test_texts_are_apart_only_when_their_names_stand_for_each_other() -> None:
    assert apart("Always ask Anna before a deploy.", "Always ask Ben before a deploy.")
    assert not apart("Use `pnpm`, never npm.", "I told you: pnpm, never npm, the CI breaks.")
