"""Claude Cowork: nothing can be written into the app; a plugin archive is made to be uploaded by hand.

Copying files into the app's folders installs nothing, and its hooks run in a sandbox or in the cloud, where this
program is not. So the plugin holds a skill only, and local sessions are read from disk. Names of folders are from
public issues and from Claude Code 2.1.332; not run here.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import hook_templates
from agent_memory.install.machine import Machine, Target

TITLE = "Claude Cowork"


def folder(machine: Machine) -> Path:
    """Where the desktop app keeps local sessions."""
    if machine.system == "windows" and machine.env.get("APPDATA"):
        base = Path(machine.env["APPDATA"]) / "Claude"
    else:
        base = machine.user / "Library" / "Application Support" / "Claude"
    return base / "local-agent-mode-sessions"


def present(machine: Machine) -> bool:
    """True if the agent's folder exists."""
    return folder(machine).is_dir()


def targets(machine: Machine) -> tuple[Target, ...]:
    """The archive, in our own data directory."""
    if machine.project:
        return ()
    return (Target(_archive(machine), "own", _zip()),)


def server(machine: Machine) -> Target | None:
    """Its sessions do not reach programs on this machine."""
    del machine
    return None


def notes(machine: Machine) -> tuple[str, ...]:
    """The upload."""
    return (f"Cowork takes plugins by upload only: Customize, Plugins, then choose {_archive(machine)}.",
            "Memory is not put into Cowork sessions by itself; local sessions are read from disk.")


def _archive(machine: Machine) -> Path:
    return machine.data / "install" / "agent-utilities-memory.plugin"


def _zip() -> bytes:
    """The archive; the same templates give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, template in ((".claude-plugin/plugin.json", "plugin.json"),
                               ("skills/agent-utilities-memory/SKILL.md", "SKILL.md")):
            entry = zipfile.ZipInfo(name, date_time=(2026, 1, 1, 0, 0, 0))
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, hook_templates.read("cowork", template))
    return buffer.getvalue()
