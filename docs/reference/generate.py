"""Write the reference pages that follow from the code: ``settings.md``, ``errors.md``, ``commands.md``.

``make docs`` runs it; a test compares what it gives with what is there.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from agent_memory import errors
from agent_memory.cli.main import COMMANDS, group
from agent_memory.settings import Settings

HERE = Path(__file__).resolve().parent


def settings_page() -> str:
    """The table of settings."""
    out = ["# Settings", "", "Which one wins: command line, then environment, then `config.toml` in the data directory, "
           "then the default. In the environment a list is JSON or words between semicolons.", "",
           "| setting | environment | default | meaning |", "| --- | --- | --- | --- |"]
    for name, info in Settings.model_fields.items():
        default = info.default if info.default not in ("", (), None) else "(empty)"
        out.append(f"| `{name}` | `AGENT_MEMORY_{name.upper()}` | {default} | {info.description} |")
    out += ["", "Beside these, `AGENT_MEMORY_HOME` names the data directory and `AGENT_MEMORY_NOW` (ISO 8601) fixes the "
            "clock for demos and tests.", ""]
    return "\n".join(out)


def _classes(base: type[errors.AgentMemoryError]) -> list[type[errors.AgentMemoryError]]:
    found = [base]
    for child in base.__subclasses__():
        found += _classes(child)
    return found


def errors_page() -> str:
    """The table of error codes."""
    out = ["# Errors", "", "An error says what happened on stderr (`error: …`), and what was left unchanged and what to "
           "do next (`hint: …`). With `--json` it is an object with `code`, `message` and `hint` on stdout. Codes and exit "
           "codes are stable.", "", "| code | exit | meaning |", "| --- | --- | --- |"]
    rows = {c.code: f"| `{c.code}` | {c.exit_code} | {(c.__doc__ or '').strip().splitlines()[0]} |"
            for c in _classes(errors.AgentMemoryError)
            if c is not errors.AgentMemoryError and c.__module__ == errors.__name__}
    out += [rows[code] for code in sorted(rows)]
    out += ["", "130 means interrupted (Ctrl-C). Hooks always exit 0: their failures are kept for the next start.", ""]
    return "\n".join(out)


def commands_page() -> str:
    """Every command with its help text, as the program prints it."""
    out = ["# Commands", "", "`agent-utilities-memory COMMAND --help` prints the same. Every command takes `--home DIR`; data "
           "goes to stdout, remarks to stderr.", ""]
    root = click.Context(group, info_name="agent-utilities-memory", max_content_width=100, terminal_width=100)
    for name in COMMANDS:
        command = group.get_command(root, name)
        assert command is not None
        out += _help(command, root, name)
    return "\n".join(out)


def _help(command: click.Command, parent: click.Context, name: str, level: int = 2) -> list[str]:
    context = click.Context(command, info_name=name, parent=parent, max_content_width=100, terminal_width=100)
    out = [f"{'#' * level} {name}", "", "```", command.get_help(context).rstrip(), "```", ""]
    if isinstance(command, click.Group):
        for child in command.list_commands(context):
            found = command.get_command(context, child)
            assert found is not None
            out += _help(found, context, child, level + 1)
    return out


PAGES = {"settings.md": settings_page, "errors.md": errors_page, "commands.md": commands_page}


def main() -> None:
    """Write the pages that differ."""
    for name, make in PAGES.items():
        path, text = HERE / name, make()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8", newline="\n")
            sys.stdout.write(f"wrote {name}\n")


if __name__ == "__main__":
    main()
