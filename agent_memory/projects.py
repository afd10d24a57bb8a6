"""Which project a folder belongs to: one resolver for capture, context, recall and everything else.

Worktrees, subfolders and symlinks of a repository share a project. Git's own files are read, no subprocess is
started (https://git-scm.com/docs/gitrepository-layout): ``.git`` is a folder, or a file ``gitdir: PATH`` for
worktrees and submodules; a worktree's git folder holds ``commondir``.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

_SCP = re.compile(r"^(?:[^@/]+@)?([^:/@]+):(?!//)(.+)$")
_URL = re.compile(r"^[a-z][a-z0-9+.-]*://(?:[^@/]*@)?([^/:]*)(?::\d+)?/(.*)$", re.I)


@dataclass(frozen=True, slots=True)
class Identity:
    """What is known about a folder: keys by which the project may be known, strongest first, and how to call it."""

    keys: tuple[str, ...]
    name: str
    root: str
    remote: str


def normalise_remote(url: str) -> str:
    """``host/path`` of a git remote, without user, password, port and ``.git``; "" if it names no host.

    >>> normalise_remote("git@github.com:acme/Shop.git"), normalise_remote("https://u:pw@github.com/acme/Shop")
    ('github.com/acme/shop', 'github.com/acme/shop')
    """
    url = url.strip()
    match = _URL.match(url) or _SCP.match(url)
    if match is None or len(match[1]) < 2:
        return ""
    path = re.sub(r"\.git/*\Z", "", match[2].strip("/"))
    return f"{match[1]}/{path}".lower() if path else ""


def _git_folder(start: Path) -> tuple[Path, Path] | None:
    """(work tree root, git folder) of the repository around ``start``."""
    for folder in (start, *start.parents):
        entry = folder / ".git"
        try:
            if entry.is_dir():
                return folder, entry
            if entry.is_file():
                text = entry.read_text(encoding="utf-8", errors="replace").strip()
                if text.startswith("gitdir:"):
                    return folder, Path(os.path.normpath(folder / text[7:].strip()))
        except OSError:
            return None
    return None


def _common(git: Path) -> Path:
    try:
        text = (git / "commondir").read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return git
    return Path(os.path.normpath(git / text)) if text else git


def _origin(common: Path) -> str:
    """URL of the remote ``origin``, else of the first remote, from git's config file."""
    try:
        lines = (common / "config").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    first = here = ""
    for line in lines:
        line = line.strip()
        if line.startswith("["):
            found = re.match(r'\[remote "(.*)"\]', line)
            here = found[1] if found else ""
        elif here and (found := re.match(r"url\s*=\s*(.+)", line)):
            if here == "origin":
                return found[1].strip()
            first = first or found[1].strip()
    return first


def _basename(path: str) -> str:
    pure = PureWindowsPath(path) if re.match(r"^[A-Za-z]:|^\\\\", path) else PurePosixPath(path)
    return pure.name or path


def identify(cwd: str, remote: str = "") -> Identity:
    """The identity of the project around ``cwd``; ``remote`` is what a transcript recorded, used where git is silent.

    A folder that is not on this machine is its own root. An empty ``cwd`` and ``remote`` give no keys.
    """
    keys: list[str] = []
    root = cwd
    name = ""
    recorded = normalise_remote(remote)
    if cwd and os.path.isdir(cwd):
        start = Path(os.path.realpath(cwd))
        root = str(start)
        if found := _git_folder(start):
            top, git = found
            common = _common(git)
            root = str(top)
            shared = common.parent if common.name == ".git" else common
            name = shared.name.removesuffix(".git") or top.name
            recorded = normalise_remote(_origin(common)) or recorded
            keys.append(f"git:{os.path.normcase(os.path.realpath(common))}")
        keys.append(f"root:{os.path.normcase(root)}")
    elif cwd:
        root = cwd.rstrip("/\\") or cwd
        keys.append(f"root:{root}")
    if recorded:
        keys.insert(0, f"remote:{recorded}")
    name = name or (_basename(root) if root else recorded.rpartition("/")[2])
    return Identity(tuple(map(_writable, keys)), _writable(name), _writable(root), _writable(recorded))


def _writable(text: str) -> str:
    """A name whose bytes are not UTF-8 holds lone surrogates, which no file can; they become ``\\udc..``."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def project_id(key: str) -> str:
    """The id of a project first known by ``key``: ``p-`` and 16 hex digits."""
    return "p-" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def resolve(identity: Identity, known: Mapping[str, str]) -> str:
    """The project id of an identity: that of the first key in ``known`` (key → id), else a new one from its first key.

    "" for an identity without keys.
    """
    for key in identity.keys:
        if key in known:
            return known[key]
    return project_id(identity.keys[0]) if identity.keys else ""
