"""One backup as one file: a Zstandard-compressed tar, owner-only, whose first member says what the others must be.

Members: ``manifest.json``, ``journal/…`` (segments), ``graph`` (the engine's file after a checkpoint), ``views/…``,
``config.toml``, ``home.key``. After a purge an archive may lack ``graph`` and ``views``; both follow from the journal.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import secrets
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, Final

import zstandard

from agent_memory.errors import StoreError
from agent_memory.files import make_folder, sync_folder

SUFFIX: Final = ".tar.zst"
VERSION: Final = 1
_LEVEL: Final = 9
_PARTS: Final = ("journal", "views")
_SINGLE: Final = ("graph", "config.toml", "home.key")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an archive holds. ``files`` gives size and SHA-256 of each member, ``graph`` a summary (digest.py).

    ``aside`` are positions of batches that were not applied. ``verified`` is true if the graph was opened from the copy
    and equalled the journal.
    """

    id: str
    created_at: str
    reason: str
    engine: str
    position: int
    verified: bool
    aside: tuple[int, ...] = ()
    graph: Mapping[str, Any] = field(default_factory=dict)
    files: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    version: int = VERSION


def pack(folder: Path, target: Path, manifest: Manifest) -> Manifest:
    """Write the files below ``folder`` as the archive ``target``, at once and durably.

    Returns:
        The manifest with its ``files``.

    Raises:
        OSError: the disk refused; no archive and no temporary file is left.
    """
    names = sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())
    sums: dict[str, dict[str, Any]] = {
        n: {"size": (folder / n).stat().st_size, "sha256": _sha256(folder / n)} for n in names}
    manifest = Manifest(**(asdict(manifest) | {"files": sums}))
    text = json.dumps(asdict(manifest), ensure_ascii=False, indent=1).encode()
    make_folder(target.parent)
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as raw:
            with (zstandard.ZstdCompressor(level=_LEVEL).stream_writer(raw, closefd=False) as packed,
                  tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as tar):
                tar.addfile(_entry("manifest.json", len(text)), io.BytesIO(text))
                for name in names:
                    with (folder / name).open("rb") as content:
                        tar.addfile(_entry(name, sums[name]["size"]), content)
            raw.flush()
            os.fsync(raw.fileno())
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)
    return manifest


def _entry(name: str, size: int) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = size, 0o600
    return entry


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _reading(path: Path) -> Iterator[tarfile.TarFile]:
    try:
        with (path.open("rb") as raw, zstandard.ZstdDecompressor().stream_reader(raw) as plain,
              tarfile.open(fileobj=plain, mode="r|") as tar):
            yield tar
    except (OSError, EOFError, tarfile.TarError, zstandard.ZstdError, ValueError, KeyError, TypeError) as problem:
        raise StoreError(f"the backup {path.name} is damaged: {problem}",
                         hint="Nothing was changed. Choose another one (backup list).") from problem


def read_manifest(path: Path) -> Manifest:
    """The manifest of an archive.

    Raises:
        StoreError: the archive is damaged or of a newer version.
    """
    with _reading(path) as tar:
        return _manifest(tar, path)


def _manifest(tar: tarfile.TarFile, path: Path) -> Manifest:
    first = tar.next()
    content = tar.extractfile(first) if first is not None and first.name == "manifest.json" else None
    if content is None:
        raise ValueError("it does not begin with a manifest")
    data = json.load(content)
    if data["version"] > VERSION:
        raise StoreError(f"the backup {path.name} is of a newer version",
                         hint="Nothing was changed. Update agent-utilities-memory.")
    return Manifest(**(data | {"aside": tuple(data["aside"])}))


def unpack(path: Path, folder: Path, wanted: Callable[[str], bool] = lambda _: True) -> Manifest:
    """Unpack an archive into a new folder; every file is compared with the manifest.

    Raises:
        StoreError: the archive is damaged, incomplete, or holds names that lead outside.
    """
    make_folder(folder)
    seen = set()
    with _reading(path) as tar:
        manifest = _manifest(tar, path)
        for member in tar:
            name = member.name
            if name == "manifest.json":
                continue
            if name not in manifest.files or not member.isfile() or not safe(name):
                raise ValueError(f"unexpected member {name!r}")
            if not wanted(name):
                seen.add(name)
                continue
            content = tar.extractfile(member)
            target = folder / name
            make_folder(target.parent)
            digest = hashlib.sha256()
            handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as out:
                while content is not None and (chunk := content.read(1 << 20)):
                    digest.update(chunk)
                    out.write(chunk)
                out.flush()
                os.fsync(out.fileno())
            if digest.hexdigest() != manifest.files[name]["sha256"]:
                raise ValueError(f"{name} differs from the manifest")
            seen.add(name)
        if missing := sorted(set(manifest.files) - seen):
            raise ValueError(f"{missing[0]} is missing")
    return manifest


def safe(name: str) -> bool:
    """True for member names that stay inside and that we write ourselves.

    >>> safe("journal/00000001.jsonl"), safe("journal/../../x"), safe("/etc/passwd")
    (True, False, False)
    """
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or "\\" in name or ":" in parts[0]:
        return False
    return name in _SINGLE or (len(parts) > 1 and parts[0] in _PARTS)
