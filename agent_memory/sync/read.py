"""The files of the views as they are, beside the text that was last agreed on. Secrets are out before anything else."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from time import sleep

from agent_memory.materialize import cursor
from agent_memory.materialize.parse import Parsed, parse
from agent_memory.materialize.place import Unreadable, read
from agent_memory.materialize.writer import FIXED
from agent_memory.paths import Home

Redact = Callable[[str], str]
_LOOK_AGAIN = 0.03  # seconds between two looks at an edited file
_LOOKS = 50
_COMMENT = re.compile(r"<!-- (?:[mis]|project):[\w.:@-]+ -->|<!-- project:[\w.-]+ -->")


@dataclass(frozen=True, slots=True)
class ViewState:
    """One view. ``file`` is None if there is no file; ``agreed`` is None if nothing was ever agreed.

    ``md5`` is the hash of the file's bytes (None for no file), ``text`` what it says without secrets. A view that is
    not edited is not parsed: only ``ids`` are known of it.
    """

    name: str
    project: str = ""
    md5: str | None = None
    text: str | None = None
    file: Parsed | None = None
    agreed: Parsed | None = None
    unreadable: str = ""
    edited: bool = False
    redacted: int = 0
    ids: frozenset[str] = frozenset()
    agreed_md5: str = ""

    @property
    def gone(self) -> str:
        """ "vanished" or "emptied" if a view that had memories has no text any more, else ""."""
        if not self.edited or self.unreadable or self.agreed is None or not self.ids:
            return ""
        if self.text is None:
            return "vanished"
        return "" if self.text.strip("\ufeff \t\r\n") else "emptied"


_ID = re.compile(r"<!-- m:([0-9A-Za-z_.:@-]+) -->")


def states(home: Home, *, redact: Redact | None = None, before: Sequence[ViewState] = ()) -> list[ViewState]:
    """All views of a home, in a stable order; ``redact`` takes secrets out of what a person wrote.

    States of ``before`` are taken over where neither file nor agreed text changed.
    """
    earlier = {state.name: state for state in before}
    known = cursor.load(home)
    names = {view.NAME: "" for view in FIXED} | {name: entry.project for name, entry in sorted(known.views.items())}
    return [_state(home, name, project, redact, earlier.get(name)) for name, project in names.items()]


def _state(home: Home, name: str, project: str, redact: Redact | None, earlier: ViewState | None) -> ViewState:
    found = read(home, name)
    try:
        base = cursor.agreed(home, name, found) if not isinstance(found, Unreadable) else None
        if found != base:
            found = _finished(home, name, found)
        if isinstance(found, Unreadable):
            return ViewState(name, project, unreadable=found.reason)
        base = cursor.agreed(home, name, found)
    except OSError as error:
        return ViewState(name, project, unreadable=f"its agreed text is unreadable: {error.strerror}")
    base_text = base.decode("utf-8", "replace") if base is not None else None
    ids = frozenset(_ID.findall(base_text or ""))
    md5 = cursor.digest(found) if found is not None else None
    text = found.decode() if found is not None else None
    if found == base or (base is None and not found):
        return ViewState(name, project, md5, text, ids=ids)
    agreed_md5 = cursor.digest(base or b"")
    if earlier and earlier.edited and (earlier.md5, earlier.agreed_md5) == (md5, agreed_md5):
        return earlier
    agreed = parse(base_text) if base_text is not None else None
    state = ViewState(name, project, md5, None, None, agreed, edited=True, ids=ids, agreed_md5=agreed_md5)
    if text is None:
        return state
    clean, count = (text, 0) if redact is None else without_secrets(text, base_text or "", redact)
    return replace(state, text=clean, file=parse(clean), redacted=count)


def _finished(home: Home, name: str, found: bytes | Unreadable | None) -> bytes | Unreadable | None:
    """What a file says once two looks in a row agree, so that a save is not read half-way."""
    for _ in range(_LOOKS):
        sleep(_LOOK_AGAIN)
        again = read(home, name)
        if again == found:
            break
        found = again
    return found


def without_secrets(text: str, agreed: str, redact: Redact) -> tuple[str, int]:
    """``text`` with secrets taken out of the lines that are not in the agreed text, and how many runs of lines had any.

    Comments of ours are never taken for a secret, though ids look random.
    """
    old = set(agreed.splitlines())
    out: list[str] = []
    count = 0
    for known, run in groupby(text.splitlines(keepends=True), key=lambda line: _known(line, old)):
        part = "".join(run)
        if not known:
            clean = _redact_run(part, redact)
            count += clean != part
            part = clean
        out.append(part)
    return "".join(out), count


def _known(line: str, old: set[str]) -> bool:
    """True for a line of the agreed text. A blank one is not, so that what it separates is looked at together."""
    return bool(line.strip()) and line.rstrip("\r\n") in old


def _redact_run(part: str, redact: Redact) -> str:
    clean = redact(part)
    if clean == part or _COMMENT.findall(clean) == _COMMENT.findall(part):
        return clean
    pieces: list[str] = []
    at = 0
    for comment in _COMMENT.finditer(part):
        pieces += [redact(part[at:comment.start()]), comment[0]]
        at = comment.end()
    return "".join([*pieces, redact(part[at:])])
