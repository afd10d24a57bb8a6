"""Engines by name."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Final, cast

from agent_memory.errors import StoreError, UsageError
from agent_memory.store.base import GraphStore
from agent_memory.store.engines.memory import MemoryGraph

ENGINES: Final = ("kuzu", "ladybug", "memory")
DEFAULT: Final = "kuzu"
_FILED: Final = ("kuzu", "ladybug")


def check_name(engine: str) -> str:
    """``engine``, if we know it.

    Raises:
        UsageError: no engine has this name.
    """
    if engine not in ENGINES:
        raise UsageError(f"no engine {engine!r}", hint=f"Engines are {', '.join(ENGINES)}.")
    return engine


def is_persistent(engine: str) -> bool:
    """True if the engine keeps a file; False if it is filled from the journal at each open."""
    return engine in _FILED


def open_graph(engine: str, path: Path, *, read_only: bool = False) -> GraphStore:
    """The graph at ``path``, created if it is not there and we may write.

    Raises:
        StoreError: the engine is not installed, or this process has loaded another one.
        GraphDamaged: the file does not open.
    """
    check_name(engine)
    if engine == "memory":
        return MemoryGraph()
    # kuzu and its fork register the same native types: loading both ends the process
    if other := next((e for e in _FILED if e != engine and e in sys.modules), None):
        raise StoreError(f"this process has loaded the engine {other} and cannot load {engine} too",
                         hint="Nothing was changed. Use a new process.")
    if importlib.util.find_spec(engine) is None:
        raise StoreError(f"the engine {engine} is not installed",
                         hint=f"Install agent-utilities-memory[{engine}].")
    module = importlib.import_module(f"agent_memory.store.engines.{engine}")
    return cast(GraphStore, module.open_graph(path, read_only=read_only))
