"""Every code is brought about once, by files as they are after such a mishap, and every code is in the reference."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ailments import STORED
from ailments_outside import OUTSIDE
from doctor_world import World

from agent_memory.doctor.registry import FAILED, checks, codes

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "doctor.md"


def test_every_code_has_a_way_to_provoke_it() -> None:
    assert set(STORED) | set(OUTSIDE) | {FAILED} == set(codes())


def _has(world: World, code: str, where: str) -> None:
    topic, _, full = where.partition(" ")
    topic = next((t for t, check in checks().items() if code in check.CODES), topic)
    found = world.found(topic, full=bool(full))
    assert code in {f.code for f in found}, [f"{f.code}: {f.what}" for f in found]
    for finding in found:
        assert finding.code in checks()[topic].CODES
        assert finding.what
        assert finding.fix or finding.status == "ok", f"{finding.code} says no next step"


@pytest.mark.parametrize("code", sorted(STORED))
def test_code_of_what_is_stored(code: str, stored: World, monkeypatch: pytest.MonkeyPatch) -> None:
    _has(stored, code, STORED[code](stored, monkeypatch))


@pytest.mark.parametrize("code", sorted(OUTSIDE))
def test_code_of_the_machine(code: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    _has(world, code, OUTSIDE[code](world, monkeypatch))


def test_every_code_is_in_the_reference_and_no_other() -> None:
    listed = re.findall(r"^\| ((?:`[a-z-]+`(?:, )?)+) \|", PAGE.read_text(encoding="utf-8"), re.M)
    assert sorted(re.findall(r"`([a-z-]+)`", " ".join(listed))) == sorted(codes())
