"""The entry that makes an agent start our MCP server: its shapes, and how it goes into a file that also holds hooks.

The entry is a member named after this program. It is ours if its command line starts our server, whatever options and
further keys a person has put into it; a member of that name with another command line is somebody else's.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from agent_memory.install import own
from agent_memory.install.machine import Machine, Target


def argv(machine: Machine) -> list[str]:
    """The command line of the server in pieces."""
    return [*machine.command, "mcp", *(["--home", machine.home_option] if machine.home_option else [])]


def plain(machine: Machine) -> dict[str, Any]:
    """The shape that most agents read: ``command`` and ``args``."""
    program, *arguments = argv(machine)
    return {"command": program, "args": arguments}


def in_json(path: Path, entry: dict[str, Any], place: str = "mcpServers", *, head: str = "") -> Target:
    """The entry below the top-level key ``place`` of a JSON file; ``head`` is what a new file starts with."""
    return Target(path, "json", json.dumps({place: {own.ID: entry}}, ensure_ascii=False), head=head, server=True)


def in_toml(path: Path, machine: Machine) -> Target:
    """The entry as a table below ``mcp_servers`` of a TOML file."""
    program, *arguments = argv(machine)
    # A JSON string without escapes beyond the ASCII ones is a basic string of TOML.
    text = (f"[mcp_servers.{own.ID}]\ncommand = {json.dumps(program, ensure_ascii=False)}\n"
            f"args = {json.dumps(arguments, ensure_ascii=False)}\n")
    return Target(path, "toml", text, server=True)


def joined(targets: tuple[Target, ...], server: Target) -> tuple[Target, ...]:
    """``targets`` with ``server`` in them: in the same file as one change, else as a file of its own."""
    if all(target.path != server.path for target in targets):
        return (*targets, server)
    return tuple(_both(target, server) if target.path == server.path else target for target in targets)


def _both(hooks: Target, server: Target) -> Target:
    assert isinstance(hooks.template, str)
    assert isinstance(server.template, str)
    if hooks.format == "json":
        template = json.dumps(json.loads(hooks.template) | json.loads(server.template), ensure_ascii=False)
    else:
        template = hooks.template.rstrip("\n") + "\n\n" + server.template
    return replace(hooks, template=template, server=True)
