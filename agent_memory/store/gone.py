"""What must not come back: texts that were purged (keyed hashes), and texts that were forgotten (retired memories).

Capture, observers and import ask here before they keep a text. A purged text is known only by its HMAC-SHA-256 with
the home's own random key, so that nobody can tell from a home what was purged, or try guesses without the key.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
from collections.abc import Callable, Collection, Iterable

from agent_memory.errors import HomeError
from agent_memory.files import make_folder, sync_folder
from agent_memory.model.memory import Status
from agent_memory.paths import Home
from agent_memory.store.base import GraphStore, MemoryFilter
from agent_memory.text.normal import normalise

PURGED_MARK = "[purged]"
"""Stands where a purged sentence stood."""

MIN_PIECE = 12
"""Normalised lines and sentences shorter than this are no pieces: "yes please" must stay sayable."""

_BREAK = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|[\r\n]+")
_BULLET = re.compile(r"^\s*(?:[-*+•>]|\d+[.)]|#{1,6})\s+(?:\[[ xX]\]\s+)?")


def home_key(home: Home) -> bytes:
    """The random key of a home, made at first use; owner-only.

    Raises:
        HomeError: the key cannot be read or written, or is damaged.
    """
    try:
        return _read_key(home)
    except FileNotFoundError:
        pass
    except OSError as problem:
        raise HomeError(f"cannot read {home.secret}: {problem.strerror}", hint="check its permissions") from problem
    try:
        make_folder(home.secret.parent)
        temporary = home.secret.with_name(f".{home.secret.name}.{secrets.token_hex(6)}.tmp")
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            os.write(handle, secrets.token_bytes(32))
            os.fsync(handle)
        finally:
            os.close(handle)
        try:
            os.link(temporary, home.secret)  # the first of two processes wins; a rename would let the last one
        except FileExistsError:
            pass
        except OSError:  # a file system without hard links
            if not home.secret.exists():
                os.replace(temporary, home.secret)
        finally:
            temporary.unlink(missing_ok=True)
        sync_folder(home.secret.parent)
        return _read_key(home)
    except OSError as problem:
        raise HomeError(f"cannot write {home.secret}: {problem.strerror}",
                        hint="nothing was changed; make the folder writable and try again") from problem


def _read_key(home: Home) -> bytes:
    data = home.secret.read_bytes()
    if len(data) < 32:
        raise HomeError(f"{home.secret} is damaged: {len(data)} bytes",
                        hint="put it back from a backup; without it purged texts are no longer recognised")
    return data


def fingerprint(key: bytes, text: str) -> str:
    """Keyed hash of the normalised text, hex: the id of its Tombstone."""
    return hmac.new(key, normalise(text).encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def pieces(text: str) -> list[str]:
    """The lines and sentences of a text that are long enough to tell from others; without list marks.

    >>> pieces("- [ ] We deploy blue/green. Yes.")
    ['We deploy blue/green.']
    """
    found = []
    for part in _BREAK.split(text):
        part = _BULLET.sub("", part).strip()
        if len(normalise(part)) >= MIN_PIECE:
            found.append(part)
    return found


class Purged:
    """Answers whether a text was purged. Costs nothing while no text was purged; valid while ``graph`` is open."""

    def __init__(self, graph: GraphStore, home: Home) -> None:
        self._graph = graph
        self._key = home_key(home) if graph.counts().get("Tombstone", 0) else b""

    def any_of(self, texts: Iterable[str]) -> bool:
        """True if one of the texts, or a line or sentence of one, was purged."""
        return bool(self._key) and bool(self._known({p for t in texts for p in (t, *pieces(t))}))

    def holds(self, text: str) -> bool:
        """True if the text, or a line or sentence of it, was purged."""
        return self.any_of((text,))

    def scrub(self, text: str) -> str:
        """The text with purged lines and sentences replaced by `PURGED_MARK`; the mark alone if it was purged whole."""
        if not self._key:
            return text
        known = self._known({text, *pieces(text)})
        if text in known:
            return PURGED_MARK
        for piece in sorted(known, key=len, reverse=True):
            text = text.replace(piece, PURGED_MARK)
        return text

    def _known(self, texts: Collection[str]) -> set[str]:
        by_hash: dict[str, list[str]] = {}
        for text in texts:
            if text.strip():
                by_hash.setdefault(fingerprint(self._key, text), []).append(text)
        return {t for h in self._graph.tombstoned(sorted(by_hash)) for t in by_hash[h]}


def purged_texts(graph: GraphStore, home: Home) -> Callable[[str], bool]:
    """Answers whether a text, or a line or sentence of it, was purged; stays valid when ``graph`` is closed.

    For stages that work without a lease. What is purged meanwhile is caught by the next one.
    """
    known = graph.tombstones()
    if not known:
        return lambda _text: False
    key = home_key(home)
    return lambda text: any(fingerprint(key, p) in known for p in (text, *pieces(text)) if p.strip())


def is_tombstoned(graph: GraphStore, home: Home, text: str) -> bool:
    """True if the text, or a line or sentence of it, was purged. For many texts use one `Purged`."""
    return Purged(graph, home).holds(text)


def forgotten_hashes(graph: GraphStore) -> frozenset[tuple[str, str]]:
    """(project, content hash) of every forgotten memory, all revisions: what observers must not learn again."""
    revisions = graph.memories(MemoryFilter(all_revisions=True))
    retired = {m.id for m in revisions if m.current and m.status is Status.RETIRED}
    return frozenset((m.project, m.content_hash) for m in revisions if m.id in retired)
