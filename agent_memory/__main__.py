"""Entry point of the command and of ``python -m agent_memory``.

Hosts wait for ``hook`` and ``context``, so both are dispatched before the command group and its libraries are imported.
"""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line; gives the exit code."""
    arguments = sys.argv[1:]
    match arguments[:1]:
        case ["hook"]:
            from agent_memory.cli.hook import main as run
        case ["context"]:
            from agent_memory.cli.context import main as run
        case ["worker"]:
            from agent_memory.service.worker import main as run
        case ["apply"]:
            from agent_memory.service.applying import main as run
        case _:
            from agent_memory.cli.main import run as command

            command()
    return run(arguments[1:])


if __name__ == "__main__":
    sys.exit(main())
