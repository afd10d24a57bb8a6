"""One journal record as a line of bytes, and back."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from agent_memory import clock
from agent_memory.model.change import Batch, decode, encode
from agent_memory.text.normal import without_surrogates


class BadRecord(ValueError):
    """A line is no sound record; the text says why."""


def _checksum(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=8).hexdigest().encode()


def encode_line(batch: Batch) -> tuple[bytes, Batch]:
    """The line of a batch that has its position, line feed included, and the batch as `decode_line` gives it.

    Lone surrogates, which no file can hold, become U+FFFD or ``?``.
    """
    data = {"position": batch.position, "at": clock.text(batch.at), "actor": batch.actor,
            "changes": [encode(change) for change in batch.changes]}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    clean = without_surrogates(text)
    body = clean.encode("utf-8")
    return _checksum(body) + b" " + body + b"\n", _batch(json.loads(clean))


def decode_line(line: bytes, position: int) -> Batch:
    """The batch of a line that must hold this position.

    Raises:
        BadRecord: no line feed, wrong checksum, wrong position, or a change of a newer version.
    """
    if not line.endswith(b"\n"):
        raise BadRecord("torn: no end of line")
    body = line[17:-1]
    if line[16:17] != b" " or line[:16] != _checksum(body):
        raise BadRecord("checksum does not match")
    try:
        batch = _batch(json.loads(body))
    except (ValueError, KeyError, TypeError) as error:
        raise BadRecord(f"unknown content: {error}") from error
    if batch.position != position:
        raise BadRecord(f"holds position {batch.position} instead of {position}")
    return batch


def _batch(data: dict[str, Any]) -> Batch:
    return Batch(clock.parse(data["at"]), data["actor"], tuple(decode(c) for c in data["changes"]), data["position"])
