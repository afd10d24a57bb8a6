"""One journal record as a line of bytes, and back."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any, Final

from agent_memory import clock
from agent_memory.model.change import Batch, decode, encode
from agent_memory.text.normal import without_surrogates

_POSITION: Final = re.compile(rb'[0-9a-f]{16} \{"position":(\d+),')


class BadRecord(ValueError):
    """A line is no sound record; the text says why."""


def _checksum(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=8).hexdigest().encode()


def encode_line(batch: Batch) -> tuple[bytes, Batch]:
    """The line of a batch that has its position, line feed included, and the batch as `decode_line` will give it.

    Lone surrogates, which no file can hold, become U+FFFD or ``?``.
    """
    data = {"position": batch.position, "at": clock.text(batch.at), "actor": batch.actor,
            "changes": [encode(change) for change in batch.changes]}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    clean = without_surrogates(text)
    body = clean.encode("utf-8")
    return _checksum(body) + b" " + body + b"\n", batch if clean is text else _batch(json.loads(clean))


class NewerRecord(BadRecord):
    """A sound line holds what this version does not know."""


def check_line(line: bytes, position: int) -> None:
    """Make sure that a line is as it was written and holds this position, without decoding it.

    Raises:
        BadRecord: no line feed, wrong checksum or wrong position.
    """
    if not line.endswith(b"\n"):
        raise BadRecord("torn: no end of line")
    if line[16:17] != b" " or line[:16] != _checksum(line[17:-1]):
        raise BadRecord("checksum does not match")
    if position_in(line) != position:
        raise BadRecord(f"holds position {position_in(line)} instead of {position}")


def decode_line(line: bytes, position: int) -> Batch:
    """The batch of a line that must hold this position.

    Raises:
        BadRecord: see `check_line`.
        NewerRecord: it is as it was written, but not by a version that we understand.
    """
    check_line(line, position)
    try:
        return _batch(json.loads(line[17:-1]))
    except (ValueError, KeyError, TypeError) as error:
        raise NewerRecord(f"unknown content: {error}") from error


def position_in(line: bytes) -> int:
    """The position that a line says it holds, unchecked; -1 if it says none."""
    match = _POSITION.match(line)
    return int(match[1]) if match else -1


def _batch(data: dict[str, Any]) -> Batch:
    return Batch(clock.parse(data["at"]), data["actor"], tuple(decode(c) for c in data["changes"]), data["position"])
