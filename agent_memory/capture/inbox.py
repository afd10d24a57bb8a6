"""The inbox: one small owner-only file for each hook event, until the worker has stored what it stands for.

Names sort by time and hold the number of attempts: ``<nanoseconds>-<random>.<attempts>.json``. Taking an event raises
its attempts first, so that one which kills the worker is set aside too. Only the standard library is imported here.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from agent_memory.errors import LeaseTimeout, in_brief
from agent_memory.files import write_atomic
from agent_memory.model.event import VERSION, HookEvent
from agent_memory.paths import Home

TYPE_CHECKING = False  # hooks import this module and must stay light
if TYPE_CHECKING:
    from typing import Any

ATTEMPTS = 3
"""An event that failed so often is set aside, with its last error."""
SAME_SECONDS = 5
"""Two events of one kind and session within this time are one: hosts fire hooks twice, or under two names."""
MAX_TEXT = 200_000
_NAME = re.compile(r"(\d{10,24}-[0-9a-f]{8})\.(\d{1,3})\.json\Z")
_FIELDS = tuple(HookEvent.__slots__)


@dataclass(frozen=True, slots=True)
class Item:
    """A waiting event and its file. ``event`` is None if the file cannot be read as one."""

    path: Path
    stem: str
    attempts: int
    event: HookEvent | None


@dataclass(frozen=True, slots=True)
class Drained:
    """How many events were handled, dropped as repeated, failed (and wait), and set aside."""

    done: int = 0
    repeated: int = 0
    failed: int = 0
    set_aside: int = 0
    errors: tuple[str, ...] = ()


def put(home: Home, event: HookEvent, *, nanoseconds: int) -> Path:
    """Write one event. The name is made by us: nothing of what a host says becomes part of a path.

    Raises:
        OSError: the home cannot be written.
    """
    for place in (home.root, home.inbox):  # makedirs would leave the parents open to others
        os.makedirs(place, mode=0o700, exist_ok=True)
    data = {name: getattr(event, name) for name in _FIELDS}
    data["text"] = event.text[:MAX_TEXT]
    raw = json.dumps(data).encode("ascii")
    name = f"{nanoseconds:020d}-{os.urandom(4).hex()}"
    temporary = home.inbox / f".{name}.tmp"
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        try:
            view = memoryview(raw)
            while view:  # a disk that is nearly full takes a part
                view = view[os.write(handle, view):]
        finally:
            os.close(handle)
        final = home.inbox / f"{name}.0.json"
        os.rename(temporary, final)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return final


def waiting(home: Home) -> bool:
    """True if an event waits. Cheap."""
    try:
        with os.scandir(home.inbox) as entries:
            return any(_NAME.match(e.name) for e in entries)
    except OSError:
        return False


def oldest(home: Home) -> int | None:
    """When the oldest waiting event came, in nanoseconds since 1970; None if none waits. Cheap."""
    try:
        names = [found[1] for name in os.listdir(home.inbox) if (found := _NAME.match(name))]
    except OSError:
        return None
    return int(min(names).partition("-")[0]) if names else None


def pending(home: Home) -> list[Item]:
    """Waiting events, oldest first."""
    items = []
    for path, stem, attempts in _files(home.inbox):
        try:
            event = _read(path.read_bytes())
        except FileNotFoundError:
            continue
        except (OSError, ValueError, TypeError):
            event = None
        items.append(Item(path, stem, attempts, event))
    return items


def aside(home: Home) -> list[tuple[Item, str]]:
    """Events that were set aside, with their last error, for doctor."""
    found = []
    for path, stem, attempts in _files(home.inbox / "aside"):
        try:
            event = _read(path.read_bytes())
        except (OSError, ValueError, TypeError):
            event = None
        try:
            error = path.with_name(f"{stem}.error").read_text(encoding="utf-8", errors="replace")
        except OSError:
            error = ""
        found.append((Item(path, stem, attempts, event), error))
    return found


def put_back(home: Home, item: Item) -> Path:
    """Let an event that was set aside wait again, as if it had never been tried; its new place."""
    target = home.inbox / f"{item.stem}.0.json"
    os.replace(item.path, target)
    item.path.with_name(f"{item.stem}.error").unlink(missing_ok=True)
    return target


def drain(home: Home, handle: Callable[[HookEvent], None], *, most: int = 10_000) -> Drained:
    """Hand every waiting event to ``handle``, each once, oldest first; it is removed after ``handle`` came back.

    ``handle`` returns when what the event stands for is durable. If it raises, the event waits for the next drain, and
    after three attempts it is set aside. Of repeated events only the newest is handled.

    Raises:
        LeaseTimeout: another process keeps the graph; the event at hand waits as if it had not been tried.
    """
    done = repeated = failed = set_aside = 0
    errors: list[str] = []
    tried: set[str] = set()
    while done + failed < most and (items := [i for i in pending(home) if i.stem not in tried]):
        again = repeats(items)
        for item in items:
            tried.add(item.stem)
            if item.stem in again:
                item.path.unlink(missing_ok=True)
                repeated += 1
            elif item.event is None or item.attempts >= ATTEMPTS:
                set_aside += 1
                _set_aside(home, item, "not an event" if item.event is None else "ended the worker three times")
            elif (taken := _take(item)) is not None:
                try:
                    handle(item.event)
                except (LeaseTimeout, KeyboardInterrupt):  # not this event's fault: it was not tried
                    os.rename(taken.path, item.path)
                    raise
                except Exception as problem:  # noqa: BLE001 - one bad event must not stop the others
                    failed += 1
                    error = in_brief(problem)[:500]
                    errors.append(error)
                    if taken.attempts >= ATTEMPTS:
                        set_aside += 1
                        _set_aside(home, taken, error)
                else:
                    taken.path.unlink(missing_ok=True)
                    done += 1
    return Drained(done, repeated, failed, set_aside, tuple(errors))


def repeats(items: list[Item]) -> set[str]:
    """Stems of events that a later one of the same kind, session and file repeats within a few seconds."""
    last: dict[tuple[str, ...], Item] = {}
    again: set[str] = set()
    for item in items:
        event = item.event
        if event is None or event.text or not (event.session or event.transcript):
            continue
        key = (event.event, event.session, event.transcript, event.agent_transcript)
        before = last.get(key)
        if before is not None and int(item.stem.split("-")[0]) - int(before.stem.split("-")[0]) <= SAME_SECONDS * 10**9:
            again.add(before.stem)
        last[key] = item
    return again


def _files(folder: Path) -> Iterator[tuple[Path, str, int]]:
    try:
        names = sorted(os.listdir(folder))
    except FileNotFoundError:
        return
    for name in names:
        if found := _NAME.match(name):
            yield folder / name, found[1], int(found[2])


def _read(raw: bytes) -> HookEvent:
    data: Any = json.loads(raw)
    if not isinstance(data, dict) or not all(isinstance(data.get(n, ""), str) for n in _FIELDS if n != "version"):
        raise ValueError("not an event")
    if data.get("version") != VERSION:
        raise ValueError("an event of another version")
    return HookEvent(**{name: data[name] for name in _FIELDS if name in data})


def _take(item: Item) -> Item | None:
    """Raise the attempts of an event by renaming it; None if another process has taken it."""
    path = item.path.with_name(f"{item.stem}.{item.attempts + 1}.json")
    try:
        os.rename(item.path, path)
    except FileNotFoundError:
        return None
    return Item(path, item.stem, item.attempts + 1, item.event)


def _set_aside(home: Home, item: Item, error: str) -> None:
    """Move an event out of the way with its last error. It stays there, so secrets in its paths go now."""
    from agent_memory.text.redact_light import redact_light  # only where something failed

    folder = home.inbox / "aside"
    os.makedirs(folder, mode=0o700, exist_ok=True)
    target = folder / item.path.name
    with open(os.open(folder / f"{item.stem}.error", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w",
              encoding="utf-8", errors="replace") as file:
        file.write(redact_light(error) + "\n")
    kept = item.path.read_text(encoding="utf-8", errors="replace")
    if (clean := redact_light(kept)) != kept:
        write_atomic(item.path, clean.encode(), durable=False)
    os.replace(item.path, target)
