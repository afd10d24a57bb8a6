"""Which engine a home uses: ``kg/engine.json``, ``{"engine": NAME}``, written when the graph is first made."""

from __future__ import annotations

import json
from pathlib import Path

from agent_memory import files
from agent_memory.errors import HomeError, StoreError, UsageError
from agent_memory.paths import Home
from agent_memory.store.engines import registry


def path(home: Home) -> Path:
    """The file that names the engine."""
    return home.graph.with_name("engine.json")


def recorded(home: Home) -> str:
    """The engine of a home, "" if its graph was never made.

    Raises:
        StoreError: the file is there but says nothing we understand.
    """
    try:
        return registry.check_name(json.loads(path(home).read_bytes())["engine"])
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise HomeError(f"cannot read {path(home)}: {error.strerror}",
                        hint="Nothing was changed. Check the owner and the rights of the data directory.") from error
    except (ValueError, KeyError, TypeError, UsageError) as error:
        raise StoreError(f"{path(home)} does not name an engine: {error}",
                         hint="Nothing was changed. Write {\"engine\": \"kuzu\"} into it, then run rebuild.") from error


def record(home: Home, engine: str, *, replace: bool = False) -> None:
    """Remember the engine of a home, unless one is recorded and ``replace`` is not given."""
    if replace or not path(home).exists():
        files.make_folder(path(home).parent)
        files.write_atomic(path(home), json.dumps({"engine": engine}).encode() + b"\n")


def choose(home: Home, wanted: str | None) -> str:
    """The engine to use: the recorded one, else ``wanted``, else the default.

    Raises:
        UsageError: unknown engine, or the home uses another one.
    """
    if wanted is not None:
        registry.check_name(wanted)
    there = recorded(home)
    if there and wanted not in (None, there):
        raise UsageError(f"this home uses the engine {there}, not {wanted}",
                         hint=f"Nothing was changed. Run migrate-engine {wanted} to move it.")
    return there or wanted or registry.DEFAULT
