"""Each agent's hooks: is the file whole and ours in it, can the command be run, and does the agent run it?"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from agent_memory import __version__
from agent_memory.capture.registry import AGENTS as READABLE
from agent_memory.doctor.checks.programs import version_of
from agent_memory.doctor.checks.trust import permission
from agent_memory.doctor.finding import Finding
from agent_memory.doctor.subject import Subject
from agent_memory.errors import EditRefused, InstallError
from agent_memory.install import edit, receipt
from agent_memory.install.plan import read
from agent_memory.install.registry import AGENTS
from agent_memory.install.status import AgentStatus, Wire

TITLE = "Hooks"
CODES = ("hooks-ok", "hooks-outdated", "hooks-lost", "hooks-unreadable", "receipts-unreadable", "not-connected",
         "nothing-connected", "command-missing", "command-fails", "command-other-version", "agent-unread",
         "hooks-untrusted", "hooks-disabled")


def check(subject: Subject) -> Iterator[Finding]:
    """Look at the files of each agent that is here or was installed into."""
    try:
        entries = receipt.load(subject.home)
        wiring = subject.wiring
    except InstallError as problem:
        yield Finding("error", "receipts-unreadable", problem.message, problem.hint)
        return
    mine = {entry.agent for entry in entries.values()}
    idle = []
    connected = False
    for agent in wiring.agents:
        states = {wire.state for wire in agent.wires if wire.kind == "hooks"}
        if agent.agent in mine or states & {"wired", "outdated"}:
            connected = True
            yield from _agent(subject, agent, entries)
        elif agent.present and agent.agent in READABLE:
            idle.append(agent)
    if not connected:
        yield Finding("warning", "nothing-connected", "no agent is connected, so nothing is captured by itself",
                      "run install")
        return
    for agent in idle:
        yield Finding("ok", "not-connected", f"{agent.title} is on this machine and not connected",
                      f"run install --agents {agent.agent} if it should be", agent.agent)


def _agent(subject: Subject, agent: AgentStatus, entries: dict[str, receipt.Entry]) -> Iterator[Finding]:
    again = f"run install --agents {agent.agent}"
    trouble = False
    for wire in agent.wires:
        where = subject.inside(wire.path)
        if wire.kind == "server":
            if wire.path in entries and entries[wire.path].server and wire.state in ("missing", "outdated"):
                trouble = True
                yield _server(agent, wire, where)
        elif wire.state == "unreadable":
            trouble = True
            yield Finding("error", "hooks-unreadable", f"{agent.title}: {where}: {wire.detail}",
                          f"correct the file, then {again}", agent.agent)
        elif wire.state == "missing" and wire.path in entries:
            trouble = True
            yield Finding("error", "hooks-lost", f"{agent.title}: our entries are gone from {where}", again,
                          agent.agent)
        elif wire.state == "outdated":
            trouble = True
            yield Finding("warning", "hooks-outdated", f"{agent.title}: what stands in {where} is not what this "
                          "version writes", again, agent.agent)
    for finding in (*_commands(subject, agent, entries), *permission(subject, agent)):
        trouble = True
        yield finding
    if agent.agent not in READABLE:
        trouble = True
        yield Finding("warning", "agent-unread", f"{agent.title} is connected, but this version cannot read its "
                      "sessions", "update, or run uninstall --agents " + agent.agent, agent.agent)
    if not trouble:
        files = dict.fromkeys(subject.inside(w.path) for w in agent.wires if w.state == "wired")
        yield Finding("ok", "hooks-ok", f"{agent.title}: connected in {', '.join(files)}", "", agent.agent)


def _server(agent: AgentStatus, wire: Wire, where: str) -> Finding:
    """The registration of the MCP server is gone, or an older one."""
    again = f"run install --mcp --agents {agent.agent}"
    if wire.state == "outdated":
        return Finding("warning", "hooks-outdated", f"{agent.title}: the MCP server in {where} is not started as this "
                       "version would", again, agent.agent)
    return Finding("warning", "hooks-lost", f"{agent.title}: the MCP server is gone from {where}",
                   f"{again}, or without --mcp to leave it out", agent.agent)


def _commands(subject: Subject, agent: AgentStatus, entries: dict[str, receipt.Entry]) -> Iterator[Finding]:
    """Can the program be run that the hooks call? Each program once, by asking for its version."""
    for program in _programs(subject, agent, entries):
        told = subject.inside(program[0])
        if not os.path.isabs(program[0]) or shutil.which(program[0]) is None:
            yield Finding("error", "command-missing", f"{agent.title}: the hooks call {told}, which cannot be run",
                          f"run install --agents {agent.agent} with the program that should do it", agent.agent)
            continue
        said = version_of(program)
        if not said:
            yield Finding("error", "command-fails", f"{agent.title}: the hooks call {told}, which does not answer",
                          f"run {shlex.join(program)} --version to see why; then install again", agent.agent)
        elif said != __version__:
            yield Finding("warning", "command-other-version", f"{agent.title}: the hooks call version {said} in "
                          f"{told}, this is {__version__}", f"run install --agents {agent.agent}", agent.agent)


def _programs(subject: Subject, agent: AgentStatus, entries: dict[str, receipt.Entry]) -> list[tuple[str, ...]]:
    """The programs in front of ``hook`` in an agent's files, each once."""
    formats = {str(target.path): target.format for target in AGENTS[agent.agent].targets(subject.machine)}
    formats |= {path: entry.format for path, entry in entries.items()}  # type: ignore[misc]
    found: dict[tuple[str, ...], None] = {}
    for wire in agent.wires:
        if wire.state not in ("wired", "outdated"):
            continue
        for words in _lines(Path(wire.path), formats.get(wire.path, "")):
            if "hook" in words:
                found[tuple(words[:words.index("hook")])] = None
            elif "context" in words:
                found[tuple(words[:words.index("context")])] = None
    if not found and any(w.state == "wired" for w in agent.wires):
        found[subject.machine.command] = None  # a plugin of ours is compared byte by byte, its command with it
    return list(found)


def _lines(path: Path, form: str) -> list[list[str]]:
    """Our command lines in a file, in words."""
    if form not in ("json", "toml"):
        return []
    try:
        data = read(path)
        ours = edit.EDITORS[form].ours(edit.decode(data)[1]) if data is not None else []
    except EditRefused:
        return []
    return list(_words(ours))


def _words(value: Any) -> Iterator[list[str]]:
    if isinstance(value, str):
        if edit.commands(value):
            try:
                yield shlex.split(value)
            except ValueError:
                return
    elif isinstance(value, dict):
        for key, part in value.items():
            if key not in ("commandWindows", "powershell") or os.name == "nt":
                yield from _words(part)
    elif isinstance(value, Iterable):
        parts = list(value)
        if parts and all(isinstance(part, str) for part in parts) and edit.commands(parts):
            yield [str(part) for part in parts]
            return
        for part in parts:
            yield from _words(part)
