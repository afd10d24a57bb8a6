"""What a tool call did: the command line it ran, the files it changed."""

from __future__ import annotations

import json
import re
from typing import Final

from agent_memory.model.transcript import ToolEvent

_COMMAND_KEYS: Final = ("command", "cmd", "script", "commandLine", "CommandLine")
_FILE_KEYS: Final = ("file_path", "filePath", "path", "notebook_path", "target_file", "TargetFile")
_WRITES = re.compile(r"edit|write|patch|replace|create|notebook|update", re.IGNORECASE)
_SHELL = re.compile(r"bash|shell|exec|terminal|command|run", re.IGNORECASE)
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_PARTS = re.compile(r"\s*(?:&&|\|\||;|\n|(?<!\|)\|(?!\|))\s*")
_ASSIGNED = re.compile(r"^[A-Za-z_]\w*=\S*$")
_WORD = re.compile(r"[^\s'\"]+|'[^']*'|\"[^\"]*\"")
_WRAPPERS: Final = frozenset({"sudo", "time", "env", "nohup", "exec", "command", "timeout", "xargs"})
_QUIET: Final = frozenset({"cd", "echo", "true", "export", "set", "source", ".", "printf", "sleep", "pwd", "ls", "cat",
                           "head", "tail", "wc", "grep", "sed", "sort"})
_TWO_WORDS: Final = frozenset({"git", "npm", "pnpm", "yarn", "docker", "kubectl", "cargo", "go", "pip", "uv", "make",
                               "terraform", "helm", "gh", "aws", "gcloud", "az", "dotnet", "mvn", "gradle", "poetry",
                               "systemctl", "bun", "deno", "rails", "bundle", "brew", "apt", "apt-get", "python -m"})


def data_of(event: ToolEvent) -> dict[str, object]:
    """The input of a call as data, {} where it is no JSON object."""
    if not event.input.lstrip().startswith("{"):
        return {}
    try:
        found = json.loads(event.input)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def command_line(event: ToolEvent) -> str:
    """The shell command that a call ran; "" for other tools."""
    data = data_of(event)
    for key in _COMMAND_KEYS:
        value = data.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and all(isinstance(v, str) for v in value):
            shell = len(value) > 2 and value[0].rpartition("/")[2] in ("bash", "sh", "zsh") and value[1].startswith("-")
            return str(value[2]) if shell else " ".join(value)
    return event.input if not data and _SHELL.search(event.name) else ""


def heads(line: str) -> list[str]:
    """What a command line calls, program and subcommand, in order.

    >>> heads("cd app && FOO=1 sudo kubectl apply -f x.yaml | tee log")
    ['kubectl apply', 'tee']
    """
    found = []
    for part in _PARTS.split(line):
        words = [w.strip("'\"") for w in _WORD.findall(part)]
        while words and (_ASSIGNED.match(words[0]) or words[0] in _WRAPPERS or words[0].startswith(("-", "("))):
            words.pop(0)
        if not words or not words[0]:
            continue
        program = words[0].rpartition("/")[2]
        if program in _QUIET:
            continue
        rest = [w for w in words[1:] if not w.startswith("-")]
        found.append(f"{program} {rest[0]}" if program in _TWO_WORDS and rest else program)
    return found


def asks_help(line: str) -> list[str]:
    """Programs that a command line asks for help about.

    >>> asks_help("kubectl apply --help"), asks_help("man tar"), asks_help("ls -h")
    (['kubectl'], ['tar'], [])
    """
    found = []
    for part in _PARTS.split(line):
        words = part.split()
        if len(words) > 1 and words[0] in ("man", "tldr", "which"):
            found.append(words[1])
        elif len(words) > 1 and ("--help" in words or words[1] == "help" or (words[-1] == "-h" and len(words) == 2
                                                                              and words[0] not in _QUIET
                                                                              and words[0] not in ("df", "du"))):
            found.append(words[0].rpartition("/")[2])
    return found


def changed_files(event: ToolEvent) -> list[str]:
    """Files that a call wrote, as written in it."""
    if event.status in ("error", "refused") or not (_WRITES.search(event.name) or "*** " in event.input):
        return []
    data = data_of(event)
    patched = _PATCHED.findall(event.input if not data else "\n".join(str(v) for v in data.values()))
    named = [str(data[k]) for k in _FILE_KEYS if isinstance(data.get(k), str)]
    return list(dict.fromkeys([*patched, *named]))


def failure_line(event: ToolEvent) -> str:
    """The line of an output that says most about what failed; "" for none."""
    lines = [line.strip() for line in event.output.splitlines() if line.strip()]
    telling = [line for line in lines if re.search(r"error|failed|exception|not found|denied|fatal|cannot", line, re.I)]
    return (telling or lines or [""])[-1][:200]
