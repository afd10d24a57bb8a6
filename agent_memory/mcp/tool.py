"""What a tool is."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from agent_memory.app import Memory
from agent_memory.errors import NotFoundError, UsageError
from agent_memory.mcp.inputs import Arguments, Param
from agent_memory.recall.where import project_named

PROJECT = Param("projectPath", also=("project", "projectName", "cwd", "directory", "path"))
LIMIT = Param("limit", "integer", also=("maxResults", "count", "n"))


@dataclass(frozen=True, slots=True)
class Call:
    """One call: the memory, its arguments, and the folder in which the server was started ("" for none)."""

    memory: Memory
    args: Arguments
    folder: str = ""

    def where(self) -> dict[str, Any]:
        """``project`` and ``cwd`` for the Python API: what is named, a known project or a folder; else the folder.

        Raises:
            NotFoundError: what is named is neither.
        """
        given = self.args.text("projectPath").strip()
        if not given:
            return {"cwd": self.folder}
        try:
            return {"project": project_named(self.memory.home, given)}
        except NotFoundError:
            if "/" in given or os.sep in given or given in (".", ".."):
                return {"cwd": os.path.abspath(os.path.expanduser(given))}
            raise

    def required(self, *names: str) -> str:
        """The first argument of these that is given.

        Raises:
            UsageError: none is.
        """
        for name in names:
            if name in self.args:
                return self.args.text(name)
        raise UsageError(f"{' or '.join(names)} is missing", hint="Nothing was done.")


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. ``run`` gives plain data; errors of ours become tool errors."""

    name: str
    about: str
    params: tuple[Param, ...]
    run: Callable[[Call], Any]
    reads: bool = False
    """True if it changes nothing."""

    def schema(self) -> dict[str, Any]:
        """The JSON schema of its input."""
        found: dict[str, Any] = {"type": "object", "properties": {p.name: p.schema() for p in self.params}}
        if required := [p.name for p in self.params if p.required]:
            found["required"] = required
        return found
