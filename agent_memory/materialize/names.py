"""File names for projects: readable in any script, safe on every file system, stable once given."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping

_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f<>:\"/\\|?*#^\[\]\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff%]")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?\Z", re.IGNORECASE)
_MAX_BYTES = 120


def stem(name: str) -> str:
    """A file name without ending for ``name``; "project" if nothing of it is usable.

    >>> stem("shop/api"), stem("CON"), stem("ショップ"), stem("../..")
    ('shop-api', 'CON_', 'ショップ', 'project')
    """
    safe = _UNSAFE.sub("-", unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode()))
    safe = re.sub(r"\s+", " ", safe).strip(" .-")
    while len(safe.encode()) > _MAX_BYTES:
        safe = safe[:-1]
    safe = safe.strip(" .-") or "project"
    return f"{safe}_" if _RESERVED.match(safe) else safe


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def assign(projects: Iterable[tuple[str, str]], given: Mapping[str, str]) -> dict[str, str]:
    """File stem of each project (id, name). ``given`` are stems from before, which stay.

    Names that differ only in case or form collide on some systems; the later project gets a short hash of its id.

    >>> assign([("p-1", "Shop"), ("p-2", "shop")], {})
    {'p-1': 'Shop', 'p-2': 'shop-9b5d'}
    """
    stems = {project: given[project] for project, _ in projects if project in given}
    taken = {_folded(value) for value in stems.values()}
    for project, name in projects:
        if project in stems:
            continue
        digest = hashlib.sha256(project.encode()).hexdigest()
        base = stem(name)
        tried = (base if not length else f"{base}-{digest[:length]}" for length in (0, 4, 8, 16, 64))
        stems[project] = next(value for value in tried if _folded(value) not in taken)
        taken.add(_folded(stems[project]))
    return stems
