"""Messages that are no transcript, handed over by a program: redacted like all text, found by recall."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agent_memory.flow.place import Place
