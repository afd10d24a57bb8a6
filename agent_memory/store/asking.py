"""Asks a process of its own about a graph: a damaged file can crash or hang whoever opens it.

The process prints one JSON object: the answer, or ``error``, ``code`` and ``hint``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from agent_memory.errors import GraphDamaged, StoreError


def ask(module: str, arguments: Sequence[str], *, graph: str, limit: float, hint: str,
        errors: Mapping[str, type[StoreError]]) -> dict[str, Any]:
    """The answer of ``python -m MODULE ARGUMENTS``.

    Args:
        module: what to run.
        arguments: for it.
        graph: how the file is called in errors.
        limit: seconds that it may take.
        hint: what to do if it hangs or ends without an answer.
        errors: code → error that is raised for it here; any other is a StoreError.

    Raises:
        GraphDamaged: it hangs, or ends without an answer.
        StoreError: what the process told.
    """
    try:
        done = subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, timeout=limit,
                              check=False, stdin=subprocess.DEVNULL, env=environment())
    except subprocess.TimeoutExpired as problem:
        raise GraphDamaged(f"{graph} was not read within {limit:g} s: the engine hangs", hint=hint) from problem
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError as problem:
        raise GraphDamaged(f"{graph} ended the engine's process (exit {done.returncode})", hint=hint) from problem
    if "error" in answer:
        raise errors.get(answer["code"], StoreError)(answer["error"], hint=answer["hint"])
    return answer


def environment() -> dict[str, str]:
    """The environment of a process that imports what this one does."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
