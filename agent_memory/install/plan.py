"""Says what an installation or its removal would change, without changing anything."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from agent_memory.errors import EditRefused
from agent_memory.install import edit, own, receipt
from agent_memory.install.machine import Machine, Target
from agent_memory.install.receipt import Entry, digest
from agent_memory.install.registry import AGENTS
from agent_memory.install.server import joined
from agent_memory.paths import Home

Action = Literal["create", "change", "restore", "delete", "keep", "refuse"]


@dataclass(frozen=True, slots=True)
class Step:
    """What happens to one file.

    A changed file whose bytes are neither ours nor the original's is kept as a backup.

    ``before`` and ``after`` are its bytes, None for no file. ``entry`` is the receipt to write, None to drop it.
    ``message`` says why a file is kept or refused, ``hint`` what to do then.
    """

    agent: str
    path: Path
    action: Action
    before: bytes | None = None
    after: bytes | None = None
    entry: Entry | None = None
    message: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """All steps, and what people should know.

    ``absent`` agents are not on this machine, ``unsupported`` ones have no such place, and the sessions of ``unread``
    ones cannot be read by this version, so that hooks of theirs would report to nobody. ``unserved`` ones have no place
    for the MCP server that was asked for.
    """

    steps: tuple[Step, ...] = ()
    absent: tuple[str, ...] = ()
    unsupported: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    unserved: tuple[str, ...] = ()
    notes: dict[str, tuple[str, ...]] = field(default_factory=dict)


def read(path: Path) -> bytes | None:
    """The bytes of a file, None if there is none.

    Raises:
        EditRefused: something is there that cannot be read as a file.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as problem:
        raise EditRefused(f"cannot be read ({problem.strerror or problem})") from problem


def install(home: Home, machine: Machine, names: Iterable[str] = (), *, readable: Collection[str] = AGENTS,
            server: bool = False) -> Plan:
    """What installing into ``names`` (none: every agent that is here) would change.

    A server that is registered already stays so, and is brought up to date with the hooks.

    Args:
        home: the data directory with the receipts.
        machine: where to install.
        names: stems.
        readable: agents whose sessions can be read; others are named and skipped.
        server: also register the MCP server.

    Raises:
        InstallError: the receipts cannot be read.
    """
    entries = receipt.load(home)
    names = tuple(names)
    steps: list[Step] = []
    absent: list[str] = []
    unsupported: list[str] = []
    unread: list[str] = []
    unserved: list[str] = []
    notes: dict[str, tuple[str, ...]] = {}
    for name in names or AGENTS:
        agent = AGENTS[name]
        if not agent.present(machine):
            absent.append(name)
            continue
        if name not in readable:
            unread.append(name)
            continue
        targets = agent.targets(machine)
        if not targets:
            unsupported.append(name)
            continue
        place = agent.server(machine)
        if place is None:
            unserved += [name] if server else []
        elif server or registered(place):
            targets = joined(targets, place)
        for target in targets:
            steps += _install_parts(home, machine, name, target, entries.get(str(target.path)))
        if place is not None and all(target.path != place.path for target in targets) and str(place.path) in entries:
            steps.append(Step(name, place.path, "keep", message="the server was taken out and stays out"))
        notes[name] = agent.notes(machine)
    return Plan(tuple(steps), tuple(absent), tuple(unsupported), tuple(unread), tuple(unserved), notes)


def registered(place: Target) -> bool:
    """True if the MCP server stands in the file, whoever put it there; False also for files that cannot be read."""
    try:
        current = read(place.path)
        return current is not None and edit.present(
            edit.EDITORS[place.format], edit.decode(current)[1], str(place.template))
    except EditRefused:
        return False


def _install_parts(home: Home, machine: Machine, agent: str, target: Target, entry: Entry | None) -> list[Step]:
    """The step for a file; where hooks and server cannot both go in, those of them that can, and why not the other."""
    step = _install(home, machine, agent, target, entry)
    if step.action != "refuse" or not target.server:
        return [step]
    place = AGENTS[agent].server(machine)
    parts = [part for part in (*AGENTS[agent].targets(machine), place) if part is not None and part.path == target.path]
    steps = [_install(home, machine, agent, part, entry) for part in parts]
    done = [step for step in steps if step.action != "refuse"]
    return steps if len(parts) > 1 and len(done) == 1 else [step]


def _install(home: Home, machine: Machine, agent: str, target: Target, entry: Entry | None) -> Step:
    current: bytes | None = None
    try:
        current = read(target.path)
        if target.format == "own":
            return _install_own(machine, agent, target, entry, current)
        return _install_entries(home, machine, agent, target, entry, current)
    except EditRefused as problem:
        return Step(agent, target.path, "refuse", current, current, entry, problem.message,
                    problem.hint or "nothing was changed; fix the file and run install again")


def _entry(machine: Machine, agent: str, target: Target, before: bytes | None, after: bytes, made: dict[str, str],
           old: Entry | None) -> Entry:
    template = target.template if isinstance(target.template, bytes) else target.template.encode("utf-8")
    return Entry(path=str(target.path), agent=agent, scope=str(machine.project) if machine.project else "user",
                 format=target.format, created=before is None, before=digest(before), after=digest(after),
                 template=digest(template), made=made,
                 folders=old.folders if old and old.folders else _missing_folders(target.path),
                 rules=target.rules, limit=target.limit, head=target.head, server=target.server)


def _missing_folders(path: Path) -> tuple[str, ...]:
    missing = []
    for folder in path.parents:
        if folder.exists():
            break
        missing.append(str(folder))
    return tuple(reversed(missing))


def _install_own(machine: Machine, agent: str, target: Target, entry: Entry | None, current: bytes | None) -> Step:
    data = target.template if isinstance(target.template, bytes) else target.template.encode("utf-8")
    is_ours = current is not None and (own.ID.encode() in current[:400] or (entry is not None and
                                                                           digest(current) == entry.after))
    if current is not None and not is_ours:
        raise EditRefused("a file of somebody else has this name", hint="move it away and run install again")
    fresh = _entry(machine, agent, target, None, data, {}, entry)
    if current == data:
        return Step(agent, target.path, "keep", current, current, fresh, "already installed")
    return Step(agent, target.path, "create" if current is None else "change", current, data, fresh)


def _install_entries(home: Home, machine: Machine, agent: str, target: Target, entry: Entry | None,
                     current: bytes | None) -> Step:
    assert isinstance(target.template, str)
    editor = edit.EDITORS[target.format]
    bom, text = edit.decode(current) if current is not None else (b"", "")
    template = digest(target.template.encode("utf-8"))
    known = editor.ours(text)
    if entry is not None and known and entry.template == template and (
            target.rules or edit.intact(editor, text, target.template)):
        return Step(agent, target.path, "keep", current, current, entry, "already installed")
    base = current
    if known or entry is not None or editor.remove(text) != text:
        base = _original(home, entry, current, editor)
        bom, text = edit.decode(base) if base is not None else (b"", "")
    if base is None:
        text = target.head
    new, made = editor.add(text, target.template)
    back = editor.remove(new, made)
    if back != text and not (base is None and not back.strip()):
        raise EditRefused("the change could not be taken back exactly",
                          hint="add the entries by hand; see the agent's page")
    after = bom + new.encode("utf-8")
    fresh = _entry(machine, agent, target, base, after, made, entry)
    if after == current:
        return Step(agent, target.path, "keep", current, current, fresh, "already installed")
    return Step(agent, target.path, "create" if current is None else "change", current, after, fresh)


def _original(home: Home, entry: Entry | None, current: bytes | None, editor: edit.Editor) -> bytes | None:
    """The file as it would be without us: the backup if nobody has touched it since, else our entries taken out."""
    if current is None:
        return None
    if entry is not None and digest(current) == entry.after:
        if entry.created:
            return None
        original = receipt.kept(home, entry.before)
        if original is not None:
            return original
    bom, text = edit.decode(current)
    left = editor.remove(text, entry.made if entry else None)
    if entry is not None and entry.created and left.strip() in ("", entry.head.strip()):
        return None
    return bom + left.encode("utf-8")


def uninstall(home: Home, machine: Machine, names: Iterable[str] = ()) -> Plan:
    """What removing us from ``names`` (none: from everywhere) would change.

    With a project in ``machine`` only that project's files; without one the user's files only, unless no agent is
    named: then everything in the receipts. Entries without a receipt are found at the agents' usual places.

    Raises:
        InstallError: the receipts cannot be read.
    """
    entries = receipt.load(home)
    names = tuple(names)
    scope = str(machine.project) if machine.project else "user"
    everywhere = not names and machine.project is None
    chosen = [entry for entry in entries.values()
              if (not names or entry.agent in names) and (everywhere or entry.scope == scope)]
    steps = [_uninstall(home, entry) for entry in chosen]
    known = set(entries)
    for name in names or AGENTS:
        place = AGENTS[name].server(machine)
        for target in joined(AGENTS[name].targets(machine), place) if place else AGENTS[name].targets(machine):
            if str(target.path) not in known:
                step = _uninstall_unknown(name, target)
                if step is not None:
                    steps.append(step)
    absent = [name for name in names if not any(step.agent == name for step in steps)]
    return Plan(tuple(steps), tuple(absent))


def _uninstall(home: Home, entry: Entry) -> Step:
    path = Path(entry.path)
    current: bytes | None = None
    try:
        current = read(path)
        if current is None:
            return Step(entry.agent, path, "keep", None, None, None, "already gone")
        if entry.format == "own":
            edited = "" if digest(current) == entry.after else "you had edited it; a copy is kept"
            return Step(entry.agent, path, "delete", current, None, None, edited)
        after = _original(home, entry, current, edit.EDITORS[entry.format])
    except EditRefused as problem:
        return Step(entry.agent, path, "refuse", current, current, entry, problem.message,
                    problem.hint or "nothing was changed; fix the file and run uninstall again")
    if after is None:
        return Step(entry.agent, path, "delete", current, None, None)
    if after == current:
        return Step(entry.agent, path, "keep", current, current, None, "our entries were gone already")
    return Step(entry.agent, path, "restore" if digest(current) == entry.after else "change", current, after, None)


def _uninstall_unknown(agent: str, target: Target) -> Step | None:
    """A step for a file that holds entries of ours though no receipt says so; None for all other files."""
    try:
        current = read(target.path)
        if current is None or (own.ID.encode() not in current and b"agent_memory" not in current):
            return None
        if target.format == "own":
            return Step(agent, target.path, "delete", current, None, None) if own.ID.encode() in current[:400] else None
        bom, text = edit.decode(current)
        editor = edit.EDITORS[target.format]
        if not editor.ours(text):
            return None
        left = editor.remove(text, None)
        after = bom + left.encode("utf-8") if left.strip() else None
    except EditRefused as problem:
        return Step(agent, target.path, "refuse", None, None, None, problem.message,
                    "nothing was changed; fix the file and run uninstall again")
    return Step(agent, target.path, "delete" if after is None else "change", current, after, None)
