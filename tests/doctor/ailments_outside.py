"""One way to provoke each code of a machine: its folders, programs, agents' files and transcripts, and the inbox."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections import namedtuple
from collections.abc import Callable
from datetime import timedelta

import pytest
from ailments import Ailment
from doctor_world import NOW, World
from transcript_lines import codex_meta, text_of

from agent_memory.capture import failures
from agent_memory.doctor.checks import home as home_check
from agent_memory.model.event import HookEvent
from agent_memory.store import engine_file

OUTSIDE: dict[str, Ailment] = {}
"""Code → what brings it about on the machine of a person without agents and without a home; gives the topic."""
_Usage = namedtuple("_Usage", "total used free")


def of(*codes: str) -> Callable[[Ailment], Ailment]:
    def remember(ailment: Ailment) -> Ailment:
        OUTSIDE.update(dict.fromkeys(codes, ailment))
        return ailment
    return remember


# the folder

@of("home-new", "disk-ok")
def nothing_yet(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: _Usage(10**12, 0, 10**12))
    return "home"


@of("home-ok")
def an_empty_home(world: World, _: pytest.MonkeyPatch) -> str:
    world.home.root.mkdir(mode=0o700)
    return "home"


@of("home-not-a-folder")
def a_file_instead(world: World, _: pytest.MonkeyPatch) -> str:
    world.home.root.write_text("not a folder")
    return "home"


def _forbidden(world: World, monkeypatch: pytest.MonkeyPatch, right: int) -> None:
    """Rights do not bind an administrator, as whom tests may run: the system's answer is replaced."""
    world.home.root.mkdir(mode=0o700)
    may = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & right and may(path, mode))


@of("home-unreadable")
def a_closed_home(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    _forbidden(world, monkeypatch, os.R_OK)
    return "home"


@of("home-read-only")
def a_read_only_disk(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    _forbidden(world, monkeypatch, os.W_OK)
    return "home"


@of("open-to-others")
def an_open_home(world: World, _: pytest.MonkeyPatch) -> str:
    world.home.views.mkdir(parents=True)
    world.home.root.chmod(0o755)
    return "home"


@of("leftover")
def a_killed_writer(world: World, _: pytest.MonkeyPatch) -> str:
    world.home.inbox.mkdir(parents=True)
    left = world.home.inbox / ".00001.tmp"
    left.write_bytes(b"{")
    old = NOW.timestamp() - home_check.LEFT_SECONDS - 60
    os.utime(left, (old, old))
    return "home"


@of("disk-low")
def little_room(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: _Usage(10**12, 0, home_check.LOW - 1))
    return "home"


@of("disk-full")
def no_room(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: _Usage(10**12, 0, 1_000))
    return "home"


# settings

def _config(world: World, text: str) -> str:
    world.home.root.mkdir(mode=0o700, exist_ok=True)
    world.home.config.write_text(text, encoding="utf-8")
    return "settings"


@of("settings-ok")
def the_defaults(world: World, _: pytest.MonkeyPatch) -> str:
    return "settings"


@of("settings-invalid")
def no_toml(world: World, _: pytest.MonkeyPatch) -> str:
    return _config(world, "recall_limit = = 3")


@of("settings-unreadable")
def a_closed_file(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    _config(world, "recall_limit = 3")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    return "settings"


@of("settings-unknown")
def a_misspelt_setting(world: World, _: pytest.MonkeyPatch) -> str:
    return _config(world, "recal_limit = 3")


@of("engine-differs")
def another_engine(world: World, _: pytest.MonkeyPatch) -> str:
    engine_file.record(world.home, "kuzu")
    return _config(world, 'engine = "ladybug"')


# programs

@of("versions")
def as_they_are(world: World, _: pytest.MonkeyPatch) -> str:
    return "programs"


@of("engine-missing")
def an_engine_that_cannot_be_imported(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    broken = world.root / "broken"
    broken.mkdir()
    (broken / "kuzu.py").write_text("raise ImportError('libkuzu.so: cannot open shared object file')")
    monkeypatch.syspath_prepend(str(broken))
    return "programs"


@of("sqlite-without-search")
def a_bare_sqlite(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    class Bare(sqlite3.Connection):
        def execute(self, sql: str, *more: object) -> sqlite3.Cursor:  # type: ignore[override]
            if "fts5" in sql:
                raise sqlite3.OperationalError("no such module: fts5")
            return super().execute(sql, *more)  # type: ignore[arg-type]

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda path, **_: connect(path, factory=Bare))
    return "programs"


@of("versions-several")
def an_old_copy(world: World, _: pytest.MonkeyPatch) -> str:
    old = world.command("agent-utilities-memory, version 0.0.9", world.root / "old" / "agent-utilities-memory")
    world.env["PATH"] = str(old.parent)
    return "programs"


@of("program-passing")
def a_program_that_will_be_cleaned_up(world: World, _: pytest.MonkeyPatch) -> str:
    world.program = world.root / "archive-v0" / "agent-utilities-memory"
    return "programs"


# hooks

@of("hooks-ok")
def connected(world: World, _: pytest.MonkeyPatch) -> str:
    world.install("claude")
    return "hooks"


@of("nothing-connected")
def no_agent(world: World, _: pytest.MonkeyPatch) -> str:
    return "hooks"


@of("not-connected")
def one_of_two(world: World, _: pytest.MonkeyPatch) -> str:
    world.install("claude")
    (world.user / ".codex").mkdir()
    return "hooks"


@of("hooks-outdated")
def the_program_moved(world: World, _: pytest.MonkeyPatch) -> str:
    world.install("claude")
    world.program = world.command(path=world.root / "new" / "agent-utilities-memory")
    return "hooks"


@of("hooks-lost")
def somebody_wrote_the_file_anew(world: World, _: pytest.MonkeyPatch) -> str:
    world.install("claude")
    (world.user / ".claude" / "settings.json").write_text("{}")
    return "hooks"


@of("hooks-unreadable")
def a_broken_file(world: World, _: pytest.MonkeyPatch) -> str:
    world.install("claude")
    (world.user / ".claude" / "settings.json").write_text('{"hooks": ')
    return "hooks"


@of("receipts-unreadable")
def broken_receipts(world: World, _: pytest.MonkeyPatch) -> str:
    world.install("claude")
    (world.home.root / "install" / "receipts.json").write_text("?")
    return "hooks"


@of("command-missing")
def a_program_that_is_gone(world: World, _: pytest.MonkeyPatch) -> str:
    world.install("claude")
    world.program.unlink()
    return "hooks"


@of("command-fails")
def a_program_that_ends_badly(world: World, _: pytest.MonkeyPatch) -> str:
    world.install("claude")
    world.program.write_text("#!/bin/sh\nexit 1\n")
    return "hooks"


@of("command-other-version")
def another_version(world: World, _: pytest.MonkeyPatch) -> str:
    world.install("claude")
    world.command("agent-utilities-memory, version 0.0.9")
    return "hooks"


@of("agent-unread")
def an_agent_of_tomorrow(world: World, monkeypatch: pytest.MonkeyPatch) -> str:
    from agent_memory.doctor.checks import hooks

    world.install("claude")
    monkeypatch.setattr(hooks, "READABLE", ())
    return "hooks"


@of("hooks-untrusted")
def not_approved(world: World, _: pytest.MonkeyPatch) -> str:
    world.install("codex")
    return "hooks"


@of("hooks-disabled")
def switched_off(world: World, _: pytest.MonkeyPatch) -> str:
    world.install("claude")
    path = world.user / ".claude" / "settings.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"disableAllHooks": True}))
    return "hooks"


@of("capture-never")
def connected_and_unused(world: World, _: pytest.MonkeyPatch) -> str:
    world.install("claude")
    return "capture"


# transcripts

@of("transcripts-ok")
def a_transcript(world: World, _: pytest.MonkeyPatch) -> str:
    world.transcript()
    return "transcripts"


@of("transcripts-none")
def an_unused_agent(world: World, _: pytest.MonkeyPatch) -> str:
    (world.user / ".claude").mkdir()
    return "transcripts"


@of("transcripts-elsewhere")
def hooks_of_another_folder(world: World, _: pytest.MonkeyPatch) -> str:
    (world.user / ".claude").mkdir()
    world.heard("checkpoint", transcript="/elsewhere/s.jsonl")
    return "transcripts"


@of("transcript-unreadable")
def a_packed_transcript_that_is_none(world: World, _: pytest.MonkeyPatch) -> str:
    folder = world.user / ".codex" / "sessions" / "2026" / "11" / "30"
    folder.mkdir(parents=True)
    (folder / "rollout-2026-11-30T09-00-00-x.jsonl.zst").write_bytes(b"not packed at all")
    return "transcripts"


@of("format-unknown")
def a_new_format(world: World, _: pytest.MonkeyPatch) -> str:
    folder = world.user / ".codex" / "sessions" / "2026" / "11" / "30"
    folder.mkdir(parents=True)
    lines = [codex_meta()] + [{"timestamp": "2026-11-30T09:00:00Z", "type": "utterance_v9", "payload": {"words": "x"}}] * 9
    (folder / "rollout-2026-11-30T09-00-00-x.jsonl").write_bytes(text_of(lines))
    return "transcripts"


# inbox and worker

@of("inbox-ok")
def nothing_waits(world: World, _: pytest.MonkeyPatch) -> str:
    return "inbox"


@of("inbox-waiting")
def a_slow_worker(world: World, _: pytest.MonkeyPatch) -> str:
    world.event(at=NOW - timedelta(minutes=20))
    return "inbox"


@of("inbox-stuck")
def no_worker_for_hours(world: World, _: pytest.MonkeyPatch) -> str:
    world.event(at=NOW - timedelta(hours=3))
    return "inbox"


@of("inbox-aside")
def an_event_that_fails(world: World, _: pytest.MonkeyPatch) -> str:
    def refuse(_: HookEvent) -> None:
        raise OSError(28, "No space left on device")

    world.event(at=NOW)
    world.fail_events(refuse)
    return "inbox"


@of("capture-failing")
def a_failing_hook(world: World, _: pytest.MonkeyPatch) -> str:
    failures.note(world.home, "2026-11-30T11:00:00Z", "worker", "LeaseTimeout: the graph is busy: process 7")
    return "inbox"


@of("worker-hung")
def a_worker_that_hung(world: World, _: pytest.MonkeyPatch) -> str:
    world.home.log.mkdir(parents=True)
    (world.home.log / "worker-hung.txt").write_text("Timeout (0:05:00)!\n")
    return "inbox"
