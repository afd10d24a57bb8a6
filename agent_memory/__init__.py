"""One local memory for every coding agent on a developer's machine.

Transcripts go in, a graph holds what was learned, Markdown shows it, and the next session starts with it.
The public Python API is :class:`agent_memory.Memory`; it is loaded on first use so that hooks stay light.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in typing, which costs a hook half a bare interpreter start to import
if TYPE_CHECKING:
    from typing import Any

    from agent_memory.app import Memory

__all__ = ["Memory", "__version__"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name == "Memory":
        from agent_memory.app import Memory

        return Memory
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
