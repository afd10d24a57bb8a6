"""What a provider of language models must do, in two methods, and how it says that it failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

INSIDE = "AGENT_MEMORY_INSIDE"
"""Set to 1 in what runs on our behalf: hooks (capture/hook.py) ignore it, so that asking is never observed itself."""


class Format(StrEnum):
    """How an answer is asked for, from the strictest on."""

    SCHEMA = "schema"  # the provider enforces the JSON schema
    JSON = "json"  # the provider enforces some JSON object
    TEXT = "text"  # the prompt alone asks for JSON


LADDER = (Format.SCHEMA, Format.JSON, Format.TEXT)


class Failure(StrEnum):
    """Why a call gave no answer."""

    RATE = "rate"  # too many requests; may say when to come back
    SERVER = "server"  # the provider failed
    TIMEOUT = "timeout"
    CONNECTION = "connection"  # could not connect, or the connection was cut
    FORMAT = "format"  # the provider refuses this Format
    FATAL = "fatal"  # key, model name, request: asking again will not help


class CallFailed(Exception):
    """A call gave no answer. Never shown as it is: ``asking`` retries, or raises a ModelError with ``message``."""

    def __init__(self, kind: Failure, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation; ``role`` is system, user or assistant."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked: turns, the JSON schema of the answer with a name, and its longest size in tokens."""

    turns: tuple[Turn, ...]
    schema: Mapping[str, Any]
    name: str
    max_tokens: int = 2_000


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. Token counts are 0 where the provider does not tell; ``cut`` means that it hit the limit."""

    text: str
    tokens_in: int = 0
    tokens_out: int = 0
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens, which is micro-dollars for one."""

    tokens_in: float
    tokens_out: float

    def microusd(self, tokens_in: int, tokens_out: int) -> int:
        """Cost of a call in micro-dollars, rounded up.

        >>> Price(1.0, 5.0).microusd(1000, 100)
        1500
        """
        exact = tokens_in * self.tokens_in + tokens_out * self.tokens_out
        return int(exact) + (exact > int(exact))


class Llm(Protocol):
    """A language model that can be asked."""

    model: str

    def complete(self, question: Question, form: Format, *, timeout: float) -> Reply:
        """One request, no retries, back within ``timeout`` seconds.

        Raises:
            CallFailed: it gave no answer.
        """

    def price(self) -> Price | None:
        """What the model costs; None if that is not known."""


def tokens(text: str) -> int:
    """A cheap estimate, rather too high: four characters a token in alphabets, one in scripts without blanks.

    >>> tokens("four letters"), tokens("日本語")
    (4, 4)
    """
    dense = sum(1 for c in text if "\u0e00" <= c <= "\u0eff" or c > "\u2e7f")
    return dense + (len(text) - dense) // 4 + 1
