"""``context``: print the start payload for an agent. Hosts wait for it, so it imports next to nothing.

Dispatched by ``__main__`` before the command group; hence the options are read by hand here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

USAGE = """Usage: agent-utilities-memory context [--for AGENT] [--cwd DIR] [--task TEXT]
                                      [--budget-chars N] [--json] [--home DIR]

Print what a new session of an agent should know, inside one marker; nothing if nothing is known.

  --for AGENT        claude, codex, …: lowers the budget to what the host accepts
  --cwd DIR          folder of the session (default: this one)
  --task TEXT        what will be worked on
  --budget-chars N   most characters (default: the setting context_budget, 24000)
  --json             a JSON object instead of the text
  --home DIR         data directory
"""
_VALUES = {"--for": "agent", "--cwd": "cwd", "--task": "task", "--budget-chars": "budget", "--home": "home"}


def main(arguments: Sequence[str]) -> int:
    """Run the command with the arguments behind its name; the exit code is 0, 1 for an error, 2 for wrong usage."""
    if "-h" in arguments or "--help" in arguments:
        sys.stdout.write(USAGE)
        return 0
    try:
        options, as_json = _parse(arguments)
        budget = int(options["budget"]) if options.get("budget") else None
    except ValueError as error:
        sys.stderr.write(f"error: {error}\n{USAGE}")
        return 2
    from agent_memory import clock
    from agent_memory.errors import AgentMemoryError
    from agent_memory.paths import Home
    from agent_memory.recall.context import build

    try:
        payload = build(Home.open(options.get("home") or None), agent=options.get("agent", ""),
                        cwd=options.get("cwd") or os.getcwd(), task=options.get("task", ""), budget_chars=budget,
                        now=clock.now())
    except AgentMemoryError as error:
        sys.stderr.write(f"error: {error.message}\n{error.hint}\n")
        return error.exit_code
    if as_json:
        import json

        text = json.dumps(payload.as_json(), ensure_ascii=False, indent=2)
    else:
        text = payload.text
    if text:
        sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")
        sys.stdout.buffer.flush()
    return 0


def _parse(arguments: Sequence[str]) -> tuple[dict[str, str], bool]:
    """Options by name. ``--name value`` and ``--name=value`` are the same.

    Raises:
        ValueError: an unknown option, a missing value or a stray word.
    """
    options: dict[str, str] = {}
    as_json = False
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        name, equals, value = word.partition("=")
        if word == "--json":
            as_json = True
        elif name in _VALUES:
            if not equals:
                if not rest:
                    raise ValueError(f"{name} needs a value")
                value = rest.pop(0)
            options[_VALUES[name]] = value
        else:
            raise ValueError(f"unknown argument {word!r}")
    if options.get("budget") and not options["budget"].isdigit():
        raise ValueError(f"--budget-chars must be a number, not {options['budget']!r}")
    return options, as_json
