"""The command lines, read back by the rules of the shells that will run them."""

from __future__ import annotations

import shlex
from dataclasses import replace

import pytest

from agent_memory.install import command, own
from agent_memory.install.machine import Machine

POSIX = ["/opt/x/agent-utilities-memory", "/home/a b/agent-utilities-memory", "/home/O'B/agent-utilities-memory",
         "/home/Zoë/日本/agent-utilities-memory", '/q"q/agent-utilities-memory']
WINDOWS = [r"C:\x\agent-utilities-memory.exe", r"C:\Users\Zoë K\agent-utilities-memory.exe",
           r"C:\Program Files (x86)\O'Brien\agent-utilities-memory.exe"]


def c_runtime(line: str) -> list[str]:
    """Arguments as the Microsoft C runtime splits them (no backslash before a quotation mark occurs here)."""
    parts: list[str] = []
    current, quoted, open_ = "", False, False
    for letter in line:
        if letter == '"':
            quoted, open_ = not quoted, True
        elif letter == " " and not quoted:
            if current or open_:
                parts.append(current)
            current, open_ = "", False
        else:
            current += letter
    return [*parts, current] if current or open_ else parts


@pytest.mark.parametrize("program", POSIX)
def test_posix_shells_read_back_what_was_meant(program: str, machine: Machine) -> None:
    machine = replace(machine, command=(program,))
    assert shlex.split(command.shell(machine, "prompt", "claude")) == [program, "hook", "prompt", "--agent", "claude"]


@pytest.mark.parametrize("program", WINDOWS)
def test_windows_shells_read_back_what_was_meant(program: str, machine: Machine) -> None:
    machine = replace(machine, command=(program,), system="windows", home_option=r"D:\my data")
    line = command.shell(machine, "prompt", "codex")
    wanted = [program.replace("\\", "/"), "hook", "prompt", "--agent", "codex", "--home", r"D:\my data"]
    assert c_runtime(line) == wanted
    assert c_runtime(f'"{line}"'[1:-1]) == wanted  # cmd /d /s /c "…" takes the outer pair away
    assert shlex.split(line.replace("\\", "/")) == [part.replace("\\", "/") for part in wanted]  # Git's bash


@pytest.mark.parametrize("program", WINDOWS)
def test_powershell_gets_single_quotes_and_the_call_operator(program: str) -> None:
    line = command.powershell([program, "hook", "prompt", "--agent", "windsurf"])
    assert line.startswith("& '")
    assert [part.replace("''", "'") for part in line[3:-1].split("' '")] == [program, "hook", "prompt", "--agent", "windsurf"]


@pytest.mark.parametrize("program", POSIX + WINDOWS)
def test_every_form_is_recognised_as_ours(program: str, machine: Machine) -> None:
    parts = [program, "hook", "session-start", "--agent", "claude"]
    assert own.is_command(shlex.join(parts))
    assert own.is_command(command.windows(parts))
    assert own.is_command(command.powershell(parts))
    assert own.is_argv(parts)


@pytest.mark.parametrize("line", ["", "echo agent-utilities-memory", "hook checkpoint --agent claude",
                                  "/opt/agent-utilities-memory-viewer hook checkpoint --agent x",
                                  "agent-utilities-memory recall hook", "tail -f agent-utilities-memory.log"])
def test_commands_of_others_are_not_ours(line: str) -> None:
    assert not own.is_command(line)


def test_the_program_is_absolute() -> None:
    assert command.program()[0].startswith("/")
