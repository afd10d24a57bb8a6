"""The command as people run it: text, JSON, exit codes, encodings, and homes that are broken in every way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from bare_environment import bare_environment
from doctor_world import NOW, World, closed

from agent_memory import clock
from agent_memory.capture import inbox
from agent_memory.cli.doctor import tell
from agent_memory.doctor.finding import Finding, Report, Section
from agent_memory.doctor.registry import codes

GOLDEN = Path(__file__).resolve().parents[1] / "golden"
SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"


def run(world: World, *words: str, env: dict[str, str] | None = None, code: int | None = None) -> str:
    """What the command prints. It never prints a trace, whatever it finds."""
    environment = bare_environment()
    environment |= {"AGENT_MEMORY_HOME": str(world.home.root), "HOME": str(world.user), "PYTHONIOENCODING": "utf-8",
                    "AGENT_MEMORY_NOW": clock.text(NOW), "PATH": "/nowhere", **(env or {})}
    done = subprocess.run([sys.executable, "-m", "agent_memory", "doctor", *words], capture_output=True, env=environment,
                          check=False, timeout=120)
    assert b"Traceback" not in done.stdout + done.stderr, done.stderr.decode()
    assert done.returncode in (0, 1), done.stderr.decode()
    if code is not None:
        assert done.returncode == code, done.stdout.decode()
    encoding = environment["PYTHONIOENCODING"]  # for ASCII click takes UTF-8
    return done.stdout.decode("utf-8" if encoding == "ascii" else encoding)


def data(world: World, *words: str, env: dict[str, str] | None = None, code: int | None = None) -> Any:
    answer = json.loads(run(world, "--json", *words, env=env, code=code))
    assert answer["version"] == 1
    assert {f["code"] for f in answer["findings"]} <= set(codes())
    assert (answer["status"] == "error") == any(f["status"] == "error" for f in answer["findings"])
    return answer


def found(answer: Any) -> dict[str, str]:
    return {f["code"]: f["status"] for f in answer["findings"]}


def _report() -> Report:
    return Report("~/memory", (
        Section("hooks", "Hooks", (
            Finding("ok", "hooks-ok", "Claude Code: connected in ~/.claude/settings.json", "", "claude"),
            Finding("error", "hooks-lost", "OpenAI Codex CLI: our entries are gone from ~/.codex/hooks.json",
                    "run install --agents codex", "codex"))),
        Section("inbox", "Inbox and worker", (
            Finding("warning", "inbox-waiting", "2 hook events wait, the oldest since 20 minutes ago",
                    "run observe: it works them off and says what is wrong"),)),
        Section("views", "Views and sync", (Finding("ok", "views-edited", "edits wait in profile.md", "run sync"),))),
        ("took the rights of other users from 3 files and folders",))


def _golden(name: str, text: str) -> None:
    path = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


def test_golden_text(capsys: pytest.CaptureFixture[str]) -> None:
    tell(_report(), fixed=True)
    _golden("doctor.txt", capsys.readouterr().out)


def test_golden_json() -> None:
    _golden("doctor.json", json.dumps(_report().as_json(), indent=1, ensure_ascii=False) + "\n")


def test_golden_of_a_learned_home(stored: World) -> None:
    stored.install("claude")
    stored.heard("checkpoint")
    answer = data(stored, code=0)
    told = [[f["topic"], f["status"], f["code"]] for f in answer["findings"]
            if f["code"] not in ("disk-ok", "disk-low", "program-passing")]
    _golden("doctor-findings.json", json.dumps(told, indent=1) + "\n")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_text_can_be_printed_in_every_encoding(encoding: str, world: World) -> None:
    world.home.root.mkdir()
    world.home.config.write_text('"nonsense_ö" = 1\n', encoding="utf-8")
    text = run(world, env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
    assert ("✓" in text) == (encoding == "utf-8")
    assert "[settings-unknown]" in text
    assert "->" in text or "→" in text


def test_a_new_home_is_well_and_stays_unmade(world: World) -> None:
    assert found(data(world, code=0))["home-new"] == "ok"
    assert not world.home.root.exists()


def test_looking_changes_no_file(stored: World) -> None:
    stored.install("claude")
    stored.grow(stored.learned(), turns=2)
    stored.event(at=NOW - timedelta(hours=2))
    before = {p: p.read_bytes() for p in stored.root.rglob("*") if p.is_file()}
    run(stored, "--full", code=1)
    after = {p: p.read_bytes() for p in stored.root.rglob("*") if p.is_file()}
    assert {p.name for p in after.keys() - before.keys()} <= {"search.db-shm", "search.db-wal"}
    assert {p.name for p in before if before[p] != after.get(p)} == set()


def test_file_in_place_of_the_home(world: World) -> None:
    world.home.root.write_text("a file")
    answer = found(data(world, code=1))
    assert answer["home-not-a-folder"] == "error"
    assert "versions" in answer


def test_file_in_place_of_a_parent_of_the_home(world: World) -> None:
    (world.user / "memory").write_text("a file")
    run(world, env={"AGENT_MEMORY_HOME": str(world.user / "memory" / "below")}, code=1)


@pytest.mark.parametrize("folder", ["kg", "kg/journal", "memory", "inbox", "backups", "log", "install"])
def test_file_in_place_of_a_folder(folder: str, world: World) -> None:
    path = world.home.root / folder
    path.parent.mkdir(parents=True)
    path.write_text("a file")
    answer = data(world, code=1)
    assert {"home-not-a-folder", "receipts-unreadable"} & {f["code"] for f in answer["findings"]}


def test_damaged_settings_hide_nothing_else(stored: World) -> None:
    stored.home.config.write_text('llm_api_base = "https://x"\nllm_timeout = "soon" # ' + SECRET + "\n= =")
    answer = found(data(stored, code=1))
    assert answer["settings-invalid"] == "error"
    assert {"journal-ok", "graph-ok", "search-ok", "views-ok"} <= answer.keys()


def test_damaged_journal_is_told_once(stored: World) -> None:
    segment = stored.home.journal / "00000001.jsonl"
    segment.write_bytes(segment.read_bytes()[:500] + b"\0" * 40 + segment.read_bytes()[540:])
    answer = data(stored, code=1)
    assert found(answer)["journal-damaged"] == "error"
    assert "check-failed" not in found(answer)


@pytest.mark.parametrize("code", ["raise ImportError('libkuzu.so: no such file')", "import os; os.abort()"])
def test_engine_that_cannot_be_imported(code: str, stored: World, tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "kuzu.py").write_text(code)
    answer = found(data(stored, "--full", env={"PYTHONPATH": str(tmp_path / "broken")}, code=1))
    assert answer["engine-missing"] == "error"
    assert {"journal-ok", "search-ok"} <= answer.keys()


def test_everything_broken_at_once(stored: World) -> None:
    stored.install("claude", "codex")
    stored.home.config.write_text("")
    for path in stored.home.root.rglob("*"):
        if path.is_file():
            path.write_bytes(b"\xff\x00 not what it was \xfe\n" * 3)
    (stored.user / ".claude" / "settings.json").write_bytes(b"\xff\xfe")
    (stored.user / ".codex" / "hooks.json").write_text("[")
    answer = found(data(stored, "--full", "--fix", code=1))
    assert {"settings-invalid", "journal-damaged"} <= answer.keys()


def test_nothing_that_was_said_and_no_secret_is_printed(stored: World) -> None:
    stored.install("claude")

    def refuse(_: object) -> None:
        raise ValueError

    stored.event(at=NOW)
    stored.fail_events(refuse)  # type: ignore[arg-type]
    for note in (stored.home.inbox / "aside").glob("*.error"):  # as a library may word it
        note.write_text(f"ValueError: bad token {SECRET}\x1b[31m red\n")
    stored.grow(stored.learned(), turns=2)
    text = run(stored, "--full") + run(stored, "--json")
    assert SECRET not in text
    assert "\x1b" not in text
    assert "bad token [redacted:" in text
    for said in ("proofing", "Berta", "loaves", "Mieter", "flour"):
        assert said not in text


def test_fix_closes_removes_and_makes_again_and_says_so(stored: World) -> None:
    stored.home.root.chmod(0o755)
    stored.home.search.unlink()
    left = stored.home.inbox / ".0001.tmp"
    left.parent.mkdir(exist_ok=True)
    left.write_bytes(b"")
    fresh = stored.home.inbox / ".0002.tmp"
    fresh.write_bytes(b"")
    for path, age in ((left, 7_200), (fresh, 10)):
        os.utime(path, (NOW.timestamp() - age, NOW.timestamp() - age))
    for path in stored.home.root.joinpath("kg").glob("knowledge_graph.db*"):
        path.unlink()
    answer = data(stored, "--fix", code=0)
    done = " ".join(answer["done"])
    assert "rights" in done
    assert "leftover" in done
    assert "search file" in done
    assert all(closed(p) for p in stored.home.root.rglob("*") if p.is_dir())
    assert not left.exists()
    assert fresh.exists(), "a file that is an instant old may be a hook at work"
    assert {"graph-ok", "search-ok", "home-ok"} <= found(answer).keys()
    assert "fixed: nothing" in run(stored, "--fix")


def test_fix_tries_events_again_that_were_set_aside(stored: World) -> None:
    def refuse(_: object) -> None:
        raise OSError(28, "No space left on device")

    stored.event(at=NOW, transcript=str(stored.learned()), session="7d0f6c1e-2a4b-4f3e-9c55-0b8de1a7f001")
    stored.fail_events(refuse)  # type: ignore[arg-type]
    assert found(data(stored, code=1))["inbox-aside"] == "error"
    answer = data(stored, "--fix")
    assert "1 of them learned from" in " ".join(answer["done"])
    assert not inbox.aside(stored.home)
    assert not list((stored.home.inbox / "aside").iterdir())
    assert "inbox-aside" not in found(answer)


def test_fix_of_a_home_that_another_process_holds_says_why_it_could_not(
        stored: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from agent_memory.doctor.remedies import put_right
    from agent_memory.doctor.run import examine
    from agent_memory.store import lease

    stored.home.search.unlink()
    subject = stored.subject()
    report = examine(subject)
    import threading

    stored.kept.enter_context(lease.lease(stored.home.lease, exclusive=True, wait=1))
    monkeypatch.setattr(lease, "_held", threading.local())
    (told,) = put_right(subject, report)
    assert told.startswith("could not remake search: the graph is busy: process")


def test_check_that_fails_is_a_finding_and_stops_no_other(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from agent_memory.doctor.checks import home, transcripts
    from agent_memory.doctor.run import examine

    def broken(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "/home/noor/memory")

    monkeypatch.setattr(home, "_disk", broken)
    monkeypatch.setattr(transcripts, "candidates", lambda *_, **__: 1 / 0)
    (world.user / ".claude").mkdir()
    report = examine(world.subject())
    failed = [f.what for f in report.findings if f.code == "check-failed"]
    assert len(failed) == 2
    assert "Permission denied" in failed[0]
    assert "ZeroDivisionError" in failed[1]
    assert any(f.code == "versions" for f in report.findings)
    assert report.status == "error"
