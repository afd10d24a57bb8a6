"""The last word of a session counts, in any language."""

from __future__ import annotations

import pytest
from observe_world import observed, texts

GO = ("person", "The report of the warehouse is too slow in the mornings.")


@pytest.mark.parametrize(("first", "then", "gone", "stays"), [
    ("Store the games in IndexedDB.", "actually scrap IndexedDB, use files via the download button", "Store the games", "files"),
    ("Dann nehmen wir einen Redis-Cache mit 10 Minuten.", "Kommando zurück: kein Redis-Cache, ein Index in Postgres reicht.", "nehmen wir", "Postgres"),
    ("Pour les images on part sur AVIF.", "En fait non, reste en WebP.", "AVIF", "WebP"),
    ("导出格式用 xlsx 吧", "算了，还是 csv，财务只认 csv。", "xlsx", "csv"),
    ("Min supported browser: Safari 15.", "Correction: Safari 16.4, we need wake lock.", "Safari 15", "16.4"),
    ("turn timer 30s", "eh make that 45, mobile players are slow", "30s", "45"),
])
def test_what_is_taken_back_does_not_stand(first: str, then: str, gone: str, stays: str) -> None:
    found = texts(GO, ("agent", "I see."), ("person", first), ("agent", "Fine."), ("person", then), ("agent", "Changed."))
    assert not [t for t in found if gone in t]
    assert [t for t in found if stays in t]


def test_the_reason_names_the_line_that_took_it_back() -> None:
    found = observed(GO, ("person", "Use Redis for the queue."), ("agent", "OK."), ("person", "No Redis please, ops refuses it."))
    assert [d.reason for d in found.dropped if d.text == "Use Redis for the queue."] == ["taken back at line 4"]


def test_an_approved_step_falls_when_the_person_gives_it_up() -> None:
    found = texts(GO, ("plan", "1. k3s on the new server, 3 nodes.\n2. Postgres 16 on the host."), ("agent", "Starting."),
                  ("person", "I slept on it: drop k3s, it is too much for two services. Back to docker compose."))
    assert not [t for t in found if t.startswith("k3s")]
    assert "Postgres 16 on the host." in found


def test_open_work_that_a_person_decides_otherwise_is_closed() -> None:
    found = texts(GO, ("agent", "Done.\n\n## Next steps\n- Delete the legacy fts4 tables."), ("person", "keep the fts4 tables until 3.0"))
    assert not [t for t in found if "Delete" in t]


def test_unrelated_rules_stand() -> None:
    found = texts(GO, ("person", "Never use float for money."), ("agent", "OK."), ("person", "No emojis in mails."))
    assert len(found) == 2
