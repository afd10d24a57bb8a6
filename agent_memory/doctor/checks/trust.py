"""Does an agent run our hooks at all? Codex wants each one approved, Claude Code can switch all of them off."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from agent_memory.doctor.finding import Finding
from agent_memory.doctor.subject import Subject
from agent_memory.errors import EditRefused
from agent_memory.install import edit, jsonc
from agent_memory.install.agents import claude, codex
from agent_memory.install.plan import read
from agent_memory.install.status import AgentStatus


def permission(subject: Subject, agent: AgentStatus) -> Iterator[Finding]:
    """What keeps an agent from running hooks that are in its files."""
    if not any(wire.state in ("wired", "outdated") for wire in agent.wires):
        return
    if agent.agent == "codex":
        yield from _codex(subject)
    elif agent.agent == "claude":
        yield from _claude(subject)


def _codex(subject: Subject) -> Iterator[Finding]:
    """Codex keeps approvals in ``config.toml``: ``[hooks.state."<hooks.json>:<event>:<group>:<hook>"]``.

    Whether a hash is still the entry's cannot be computed from outside; an entry that moved has no key any more.
    """
    folder = codex.folder(subject.machine)
    hooks = folder / "hooks.json"
    wanted = approvals(hooks)
    if not wanted:
        return
    config = _toml(folder / "config.toml")
    state = config.get("hooks", {})
    state = state.get("state", {}) if isinstance(state, Mapping) else {}
    trusted = {key for key, value in state.items() if isinstance(value, Mapping) and value.get("trusted_hash")}
    names = {str(hooks), str(hooks.absolute()), str(hooks.resolve())}
    missing = [place for place in wanted if not any(f"{name}:{place}" in trusted for name in names)]
    if not missing:
        return
    reported = bool(edit.commands(config.get("notify", [])))
    events = ", ".join(dict.fromkeys(place.partition(":")[0] for place in missing))
    lost = "notify reports its sessions, but none starts with memory" if reported else "nothing of it is captured"
    yield Finding("warning" if reported else "error", "hooks-untrusted",
                  f"OpenAI Codex CLI: you have not approved our hooks yet ({events}): {lost}",
                  'open codex once; it says "Hooks need review": look at the commands and trust them', "codex")


def approvals(hooks: Path) -> list[str]:
    """``<event>:<group>:<hook>`` of each command of ours in a ``hooks.json``, as Codex names it."""
    root = _json(hooks).get("hooks", {})
    found = []
    for event, groups in root.items() if isinstance(root, Mapping) else ():
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            inner = group.get("hooks", []) if isinstance(group, Mapping) else []
            for place, hook in enumerate(inner if isinstance(inner, list) else ()):
                if edit.commands(hook):
                    found.append(f"{re.sub(r'(?<!^)(?=[A-Z])', '_', event).lower()}:{number}:{place}")
    return found


def _claude(subject: Subject) -> Iterator[Finding]:
    folder = claude.folder(subject.machine)
    for path in (folder / "settings.json", folder / "settings.local.json"):
        if _json(path).get("disableAllHooks") is True:
            yield Finding("error", "hooks-disabled", f"Claude Code: disableAllHooks in {subject.inside(path)} switches "
                          "every hook off", "remove that line if Claude Code should be captured", "claude")


def _json(path: Path) -> dict[str, Any]:
    try:
        data = read(path)
        found = jsonc.plain(jsonc.parse(edit.decode(data)[1])) if data and data.strip() else {}
    except EditRefused:
        return {}
    return found if isinstance(found, dict) else {}


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(edit.decode(read(path) or b"")[1])
    except (EditRefused, tomllib.TOMLDecodeError):
        return {}
