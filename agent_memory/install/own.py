"""Recognises what this program has put into a configuration, in this version or an older one."""

from __future__ import annotations

import re
from typing import Final

ID: Final = "agent-utilities-memory"
"""Name of our blocks, files and plugin entries."""

COMMANDS: Final = (
    # What the present version writes: the console script, or the interpreter with -m, then `hook <event> --agent`.
    re.compile(r"(?:agent-utilities-memory(?:\.exe)?|-m\s+agent_memory)[\"']*\s+'?hook'?\s+'?[a-z-]+'?\s+'?--agent\b"),
    # Earlier: the start payload was printed by `context --for AGENT` directly.
    re.compile(r"(?:agent-utilities-memory(?:\.exe)?|-m\s+agent_memory)[\"']*\s+context\s+--for\b"),
)
"""Shapes of the command lines of all versions, newest first. Never remove one: old installations need it."""


def is_command(text: str) -> bool:
    """True if ``text`` is a command line that calls our hook.

    >>> is_command("'/home/a b/agent-utilities-memory' hook checkpoint --agent claude"), is_command("echo hook")
    (True, False)
    """
    return any(shape.search(text) for shape in COMMANDS)


def is_argv(parts: list[str]) -> bool:
    """True if ``parts`` is such a command line in pieces."""
    return is_command(" ".join(parts))
