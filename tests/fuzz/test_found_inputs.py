"""Inputs that once broke a reader, and the seeds of fuzzing: all of them are taken without a failure."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz_seeds import seeds
from fuzz_targets import TARGETS

INPUTS = Path(__file__).with_name("inputs")


@pytest.mark.parametrize("name", TARGETS)
def test_no_input_that_was_ever_found_breaks_its_reader(name: str) -> None:
    for data in (b"", b"\x00", *seeds(name)):
        TARGETS[name](data)
    for path in sorted((INPUTS / name).glob("*")):
        TARGETS[name](path.read_bytes())
