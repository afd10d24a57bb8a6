"""Where state lives. Everything is below one home, moved by ``--home`` or ``AGENT_MEMORY_HOME``."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


def default_root() -> Path:
    """The data directory: ``AGENT_MEMORY_HOME``, else the platform's data folder of ``agent-utilities``.

    On Linux the folder follows the XDG rule without an import, since hooks pay for each one; elsewhere
    platformdirs knows the place.
    """
    chosen = os.environ.get("AGENT_MEMORY_HOME")
    if chosen:
        return Path(chosen).expanduser()
    if os.name == "posix" and os.uname().sysname == "Linux":
        data = os.environ.get("XDG_DATA_HOME") or ""
        base = Path(data) if os.path.isabs(data) else Path.home() / ".local" / "share"
        return base / "agent-utilities"
    import platformdirs

    return Path(platformdirs.user_data_dir("agent-utilities", appauthor=False))


@dataclass(frozen=True, slots=True)
class Home:
    """The data directory and the names inside it (docs/reference/files.md)."""

    root: Path

    @classmethod
    def open(cls, root: Path | str | None = None) -> Home:
        """The home at ``root``, or the default one. Nothing is created."""
        return cls(Path(root).expanduser() if root is not None else default_root())

    @property
    def graph(self) -> Path:
        """The engine's database file."""
        return self.root / "kg" / "knowledge_graph.db"

    @property
    def search(self) -> Path:
        """The SQLite full-text file beside the graph."""
        return self.root / "kg" / "search.db"

    @property
    def journal(self) -> Path:
        """Folder of the journal's segments."""
        return self.root / "kg" / "journal"

    @property
    def lease(self) -> Path:
        """Lock file that stands for the graph."""
        return self.root / "kg" / "graph.lock"

    @property
    def views(self) -> Path:
        """Folder of the Markdown views."""
        return self.root / "memory"

    @property
    def projects(self) -> Path:
        """Folder of the views of single projects."""
        return self.root / "memory" / "projects"

    @property
    def view_cursor(self) -> Path:
        """MD5 of the last agreed text of each view."""
        return self.root / "memory" / ".memory_cursor.json"

    @property
    def agreed(self) -> Path:
        """Folder with the last agreed text of each view, base of the three-way merge."""
        return self.root / "memory" / ".agreed"

    @property
    def observer_cursor(self) -> Path:
        """Copy for people of how far each transcript was read."""
        return self.root / "memory" / ".observer_cursor.json"

    @property
    def context_file(self) -> Path:
        """What ``context`` needs to know without opening the graph."""
        return self.root / "memory" / ".context.json"

    @property
    def inbox(self) -> Path:
        """Folder of hook events that wait for the worker."""
        return self.root / "inbox"

    @property
    def backups(self) -> Path:
        """Folder of backups."""
        return self.root / "backups"

    @property
    def log(self) -> Path:
        """Folder of log files; they never hold message text."""
        return self.root / "log"

    @property
    def config(self) -> Path:
        """Settings that a person wrote (TOML)."""
        return self.root / "config.toml"

    @property
    def secret(self) -> Path:
        """Random key of this home, for keyed hashes of purged text."""
        return self.root / "kg" / "home.key"
