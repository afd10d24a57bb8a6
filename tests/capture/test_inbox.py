from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory.capture import failures, inbox
from agent_memory.errors import LeaseTimeout
from agent_memory.model.event import HookEvent
from agent_memory.paths import Home

SECOND = 10**9


def event(session: str = "s", name: str = "checkpoint", **more: str) -> HookEvent:
    return HookEvent(name, "claude", session, more.pop("transcript", "/t.jsonl"), "/w", "2026-11-30T12:00:00Z", **more)  # type: ignore[arg-type]


def put(home: Home, number: int, **more: str) -> Path:
    return inbox.put(home, event(**more), nanoseconds=number * SECOND)


def test_event_is_one_owner_only_file_and_comes_back_as_it_was(home: Home) -> None:
    path = put(home, 1, source="startup")
    assert inbox.pending(home)[0].event == event(source="startup")
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(home.inbox.stat().st_mode) == 0o700


def test_events_are_handed_over_oldest_first_and_then_gone(home: Home) -> None:
    put(home, 20, session="b")
    put(home, 10, session="a")
    seen: list[str] = []
    assert inbox.drain(home, lambda e: seen.append(e.session)) == inbox.Drained(done=2)
    assert seen == ["a", "b"]
    assert not inbox.waiting(home)


def test_repeated_event_within_seconds_counts_once_and_a_later_one_again(home: Home) -> None:
    for number in (1, 2, 20):
        put(home, number)
    put(home, 2, name="session-end")
    seen: list[str] = []
    drained = inbox.drain(home, lambda e: seen.append(e.event))
    assert (drained.done, drained.repeated) == (3, 1)


def test_event_is_removed_only_after_it_was_handled(home: Home) -> None:
    put(home, 1)
    inbox.drain(home, lambda _: [None for _ in [1] if inbox.waiting(home) or pytest.fail("removed before it was handled")])
    assert not inbox.waiting(home)


def test_failing_event_is_tried_three_times_then_set_aside_with_its_error_and_stops_no_other(home: Home) -> None:
    put(home, 1, session="bad")
    put(home, 2, session="good")

    def handle(given: HookEvent) -> None:
        if given.session == "bad":
            raise OSError("the disk is full")

    assert inbox.drain(home, handle) == inbox.Drained(done=1, failed=1, errors=("OSError: the disk is full",))
    assert inbox.drain(home, handle).failed == 1
    assert inbox.drain(home, handle).set_aside == 1
    assert not inbox.waiting(home)
    (item, error), = inbox.aside(home)
    assert item.event == event("bad")
    assert error == "OSError: the disk is full\n"


def test_event_that_ends_the_worker_three_times_is_set_aside(home: Home) -> None:
    put(home, 1)
    for _ in range(3):
        with pytest.raises(SystemExit):
            inbox.drain(home, lambda _: sys.exit(1))
    assert inbox.drain(home, lambda _: pytest.fail("tried again")).set_aside == 1
    assert "ended the worker" in inbox.aside(home)[0][1]


@pytest.mark.parametrize("problem", [LeaseTimeout("kept by another process"), KeyboardInterrupt()])
def test_event_that_could_not_be_tried_waits_untouched(home: Home, problem: BaseException) -> None:
    path = put(home, 1)

    def handle(_: HookEvent) -> None:
        raise problem

    for _ in range(4):
        with pytest.raises(type(problem)):
            inbox.drain(home, handle)
    assert [i.path for i in inbox.pending(home)] == [path]


@pytest.mark.parametrize("raw", [b"", b"\xff", b"[]", b"{}", b'{"event": 5, "version": 1}', b'{"version": 2}'])
def test_file_that_is_no_event_is_set_aside(home: Home, raw: bytes) -> None:
    path = put(home, 1)
    path.write_bytes(raw)
    put(home, 2)
    drained = inbox.drain(home, lambda _: None)
    assert (drained.done, drained.set_aside) == (1, 1)


def test_foreign_and_half_written_files_are_left_alone(home: Home) -> None:
    put(home, 1)
    for name in (".00000000000000000001-00000000.tmp", "notes.txt", ".worker.lock"):
        (home.inbox / name).write_text("x")
    inbox.drain(home, lambda _: None)
    assert sorted(p.name for p in home.inbox.iterdir()) == [".00000000000000000001-00000000.tmp", ".worker.lock", "notes.txt"]


@settings(max_examples=60, deadline=None)
@given(session=st.one_of(st.text(max_size=300), st.sampled_from(["../../x", "a/b", "CON", "\x00", "x" * 300, "\ud800"])), text=st.text(max_size=50))
def test_nothing_of_what_a_host_says_becomes_part_of_a_path(tmp_path_factory: pytest.TempPathFactory, session: str, text: str) -> None:
    home = Home(tmp_path_factory.mktemp("inbox"))
    path = inbox.put(home, event(session, text=text), nanoseconds=5)
    assert path.parent == home.inbox
    assert path.name.startswith("00000000000000000005-")
    assert inbox.pending(home)[0].event == event(session, text=text)


def test_failures_are_kept_in_order_and_bounded(home: Home) -> None:
    for number in range(3):
        assert failures.note(home, f"t{number}", "hook", "x" * 5_000)
    assert [f["at"] for f in failures.recent(home)] == ["t0", "t1", "t2"]
    assert len(json.dumps(failures.recent(home)[0])) < 500
    (home.log / failures.NAME).write_bytes(b"x" * (failures.MAX_BYTES + 1))
    failures.note(home, "t9", "hook", "y")
    assert [f["at"] for f in failures.recent(home)] == ["t9"]
