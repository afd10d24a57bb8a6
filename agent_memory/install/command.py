"""The command lines that agents run: absolute, and quoted for the shell that will read them."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path

from agent_memory.install.machine import Machine

_SAFE_WINDOWS = re.compile(r"[A-Za-z0-9_.:/\\+=,@-]+")
_PLACEHOLDER = re.compile(r"\{\{(?P<form>[a-z]+) (?P<event>[a-z-]+)\}\}")


def program() -> tuple[str, ...]:
    """How to start this program from anywhere: the console script beside the interpreter, else the interpreter.

    ``-P`` keeps the folder in which an agent works out of the interpreter's search path.
    """
    for folder in (str(Path(sys.executable).parent), sysconfig.get_path("scripts")):
        found = shutil.which("agent-utilities-memory", path=folder)
        if found:
            return (str(Path(found).absolute()),)
    return (sys.executable, "-P", "-m", "agent_memory")


def passing(program: str) -> bool:
    """True if ``program`` lies in a folder that tools clean up: the system's temporary one, or uv's cache.

    >>> passing("/home/u/.cache/uv/archive-v0/x/bin/agent-utilities-memory"), passing("/usr/bin/python3")
    (True, False)
    """
    parts = Path(program).parts
    return Path(program).is_relative_to(tempfile.gettempdir()) or any(part.startswith("archive-v") for part in parts)


def arguments(machine: Machine, event: str, agent: str) -> list[str]:
    """The command line of a hook in pieces."""
    home = ["--home", machine.home_option] if machine.home_option else []
    return [*machine.command, "hook", event, "--agent", agent, *home]


def shell(machine: Machine, event: str, agent: str) -> str:
    """The command line for the shell that runs hooks: ``sh`` on Linux and macOS, ``cmd`` or bash on Windows."""
    parts = arguments(machine, event, agent)
    return shlex.join(parts) if machine.system != "windows" else windows(parts)


def windows(parts: list[str]) -> str:
    r"""A command line that cmd and Git's bash read alike: forward slashes in the program's path, double quotes.

    A quotation mark cannot be part of a Windows path. ``%`` and ``$`` would be expanded and are left as they are.

    >>> windows([r"C:\Users\Zoë K\m.exe", "hook"])
    '"C:/Users/Zoë K/m.exe" hook'
    """
    first = parts[0].replace("\\", "/")
    return " ".join(part if _SAFE_WINDOWS.fullmatch(part) else f'"{part}"' for part in [first, *parts[1:]])


def powershell(parts: list[str]) -> str:
    """A command line for PowerShell.

    >>> powershell(["C:/O'Brien/m.exe", "hook"])
    "& 'C:/O''Brien/m.exe' 'hook'"
    """
    return "& " + " ".join("'" + part.replace("'", "''") + "'" for part in parts)


def render(template: str, machine: Machine, agent: str) -> str:
    """``template`` with its placeholders filled in.

    ``{{shell EVENT}}`` is a command line for the system's shell, ``{{windows EVENT}}`` and ``{{powershell EVENT}}``
    the forms for Windows, all as the inside of a quoted string; ``{{argv EVENT}}`` is a JSON list, without quotes
    around it.
    """
    def fill(found: re.Match[str]) -> str:
        parts = arguments(machine, found["event"], agent)
        if found["form"] == "argv":
            return json.dumps(parts, ensure_ascii=False)
        text = {"shell": shell(machine, found["event"], agent), "windows": windows(parts),
                "powershell": powershell(parts)}[found["form"]]
        return json.dumps(text, ensure_ascii=False)[1:-1]

    return _PLACEHOLDER.sub(fill, template)
