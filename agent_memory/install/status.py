"""Tells what is wired where, by looking at the files themselves."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from agent_memory.errors import EditRefused
from agent_memory.install import edit, own, receipt
from agent_memory.install.machine import Machine, Target
from agent_memory.install.plan import read
from agent_memory.install.receipt import Entry, digest
from agent_memory.install.registry import AGENTS
from agent_memory.paths import Home

State = Literal["wired", "outdated", "missing", "unreadable"]
Kind = Literal["hooks", "server"]


@dataclass(frozen=True, slots=True)
class Wire:
    """One file: ``outdated`` means entries of ours that are not what this version writes (an old path, a part)."""

    path: str
    scope: str  # "user", or the root of a project
    state: State
    detail: str = ""
    kind: Kind = "hooks"  # "server": the registration of the MCP server, which nobody has to have


@dataclass(frozen=True, slots=True)
class AgentStatus:
    """One agent."""

    agent: str
    title: str
    present: bool
    wires: tuple[Wire, ...]

    @property
    def wired(self) -> bool:
        """True if all files of at least one scope that hold hooks are as they should be."""
        hooks = [wire for wire in self.wires if wire.kind == "hooks"]
        return any(all(w.state == "wired" for w in hooks if w.scope == scope) for scope in {w.scope for w in hooks})

    @property
    def served(self) -> bool:
        """True if the agent starts our MCP server."""
        return any(wire.kind == "server" and wire.state == "wired" for wire in self.wires)


@dataclass(frozen=True, slots=True)
class Status:
    """All agents, and whether the program that the hooks call can be run."""

    agents: tuple[AgentStatus, ...]
    command: tuple[str, ...]
    runs: bool


def status(home: Home, machine: Machine, names: Iterable[str] = ()) -> Status:
    """What is wired for ``names`` (none: all agents): the user's files, ``machine.project``'s, and all in the receipts.

    Raises:
        InstallError: the receipts cannot be read.
    """
    entries = receipt.load(home)
    found = []
    for name in tuple(names) or AGENTS:
        agent = AGENTS[name]
        scope = str(machine.project) if machine.project else "user"
        targets = {str(target.path): target for target in agent.targets(machine)}
        wires = [_look(target, scope, entries.get(path)) for path, target in targets.items()]
        place = agent.server(machine)
        if place is not None:
            wires.append(replace(_look(place, scope, entries.get(str(place.path))), kind="server"))
        known = {wire.path for wire in wires}
        wires += [_elsewhere(entry) for path, entry in entries.items() if entry.agent == name and path not in known]
        found.append(AgentStatus(name, agent.TITLE, agent.present(machine), tuple(wires)))
    return Status(tuple(found), machine.command, _runs(machine.command))


def _runs(command: tuple[str, ...]) -> bool:
    return os.path.isabs(command[0]) and shutil.which(command[0]) is not None


def _look(target: Target, scope: str, entry: Entry | None) -> Wire:
    path = str(target.path)
    try:
        data = read(target.path)
        if data is None:
            return Wire(path, scope, "missing")
        if target.format == "own":
            template = target.template if isinstance(target.template, bytes) else target.template.encode("utf-8")
            if data == template:
                return Wire(path, scope, "wired")
            is_ours = own.ID.encode() in data[:400] or (entry is not None and digest(data) == entry.after)
            return Wire(path, scope, "outdated" if is_ours else "missing", "" if is_ours else "somebody else's file")
        assert isinstance(target.template, str)
        editor = edit.EDITORS[target.format]
        _, text = edit.decode(data)
        if not edit.present(editor, text, target.template):
            return Wire(path, scope, "missing")
        same = target.format in ("block", "yaml") or edit.intact(editor, text, target.template)
        return Wire(path, scope, "wired" if same else "outdated", "" if same else "run install again")
    except EditRefused as problem:
        return Wire(path, scope, "unreadable", problem.message)


def _elsewhere(entry: Entry) -> Wire:
    """A file in the receipts that the present environment does not lead to, such as another project's."""
    try:
        data = read(Path(entry.path))
        if data is None:
            return Wire(entry.path, entry.scope, "missing", "the file is gone")
        if entry.format == "own" or digest(data) == entry.after:
            return Wire(entry.path, entry.scope, "wired")
        known = edit.EDITORS[entry.format].ours(edit.decode(data)[1])
        return Wire(entry.path, entry.scope, "wired" if known else "missing")
    except EditRefused as problem:
        return Wire(entry.path, entry.scope, "unreadable", problem.message)
