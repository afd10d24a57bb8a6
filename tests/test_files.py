"""What a person is told when the system refuses a file."""

from __future__ import annotations

import errno

import pytest

from agent_memory.files import next_step


@pytest.mark.parametrize(("number", "words"), [
    (errno.ENOSPC, "Free some disk space"), (errno.EDQUOT, "Free some disk space"), (errno.EROFS, "read-only"), (errno.EMFILE, "open files"),
    (errno.EACCES, "owner and the rights"), (errno.EPERM, "owner and the rights"), (errno.EIO, "check it and its connection"), (errno.ENAMETOOLONG, "too long")])
def test_each_refusal_has_its_own_next_step(number: int, words: str) -> None:
    assert words in next_step(OSError(number, "refused"))
