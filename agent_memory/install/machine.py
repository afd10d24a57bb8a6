"""Where to install and what: the values that agents' modules work with."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Format = Literal["json", "toml", "yaml", "block", "own"]
"""How a file is changed: entries of ours in somebody's JSON, TOML or YAML; a block in somebody's text; all ours."""


@dataclass(frozen=True, slots=True)
class Machine:
    """Where to install: everything that is otherwise taken from the environment, as values."""

    user: Path  # the person's home folder
    data: Path  # our own data directory
    command: tuple[str, ...]  # absolute program and its first arguments, such as (python, -P, -m, agent_memory)
    env: Mapping[str, str] = field(default_factory=dict)
    system: str = "linux"  # linux, macos, windows
    home_option: str = ""  # our data directory, where hooks must be told
    project: Path | None = None  # root of a project, for an installation that counts there only

    def folder(self, variable: str, *default: str) -> Path:
        """The folder that ``variable`` names, else ``default`` below the person's home."""
        chosen = self.env.get(variable, "")
        if chosen:
            return self.user / chosen[2:] if chosen.startswith("~/") else Path(chosen)
        return self.user.joinpath(*default)

    def config(self, name: str) -> Path:
        """The folder of ``name`` below the XDG configuration folder."""
        base = self.env.get("XDG_CONFIG_HOME", "")
        return (Path(base) if os.path.isabs(base) else self.user / ".config") / name


@dataclass(frozen=True, slots=True)
class Target:
    """One file and what goes into it. ``template`` is already rendered.

    ``rules`` marks text that stands in for a start hook and is kept fresh by ``rules.refresh``; ``limit`` is how many
    characters of it the agent reads, ``head`` what a new file starts with. ``server`` marks a template that registers
    the MCP server, alone or beside hooks.
    """

    path: Path
    format: Format
    template: str | bytes
    rules: bool = False
    limit: int = 0
    head: str = ""
    server: bool = False


def system() -> str:
    """The name of this system: linux, macos or windows."""
    return {"darwin": "macos", "win32": "windows"}.get(sys.platform, "linux")
