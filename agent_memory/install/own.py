"""Recognises what this program has put into a configuration, in this version or an older one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

ID: Final = "agent-utilities-memory"
"""Name of our blocks, files and plugin entries."""

COMMANDS: Final = (
    # What the present version writes: the console script, or the interpreter with -m, then `hook <event> --agent`.
    re.compile(r"(?:agent-utilities-memory(?:\.exe)?|-m\s+agent_memory)[\"']*\s+'?hook'?\s+'?[a-z-]+'?\s+'?--agent\b"),
    # Earlier: the start payload was printed by `context --for AGENT` directly.
    re.compile(r"(?:agent-utilities-memory(?:\.exe)?|-m\s+agent_memory)[\"']*\s+context\s+--for\b"),
)
"""Shapes of the command lines of all versions, newest first. Never remove one: old installations need it."""

_SERVER = re.compile(r"(?:agent-utilities-memory(?:\.exe)?|-m\s+agent_memory)\s+mcp(?:\s|\Z)")


def is_command(text: str) -> bool:
    """True if ``text`` is a command line that calls our hook.

    >>> is_command("'/home/a b/agent-utilities-memory' hook checkpoint --agent claude"), is_command("echo hook")
    (True, False)
    """
    return any(shape.search(text) for shape in COMMANDS)


def is_argv(parts: list[str]) -> bool:
    """True if ``parts`` is such a command line in pieces."""
    return is_command(" ".join(parts))


def is_server(line: str) -> bool:
    """True if ``line`` is a command line, its pieces joined by blanks, that starts our MCP server.

    >>> is_server("/home/a b/agent-utilities-memory mcp --profile full"), is_server("npx mcp")
    (True, False)
    """
    return _SERVER.search(line) is not None


def server_line(entry: Any) -> str:
    """The command line of an MCP entry (``command`` and ``args``, or ``command`` as a list) if it is ours, else ""."""
    if not isinstance(entry, Mapping):
        return ""
    command, arguments = entry.get("command"), entry.get("args", [])
    parts = command if isinstance(command, list) else [command, *arguments] if isinstance(arguments, list) else []
    if not parts or not all(isinstance(part, str) for part in parts):
        return ""
    line = " ".join(parts)
    return line if is_server(line) else ""
