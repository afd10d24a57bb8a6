"""What is written into the configuration of each agent: one folder per agent, read through the import system."""

from __future__ import annotations

from importlib.resources import files


def names(agent: str) -> tuple[str, ...]:
    """The file names of an agent's templates, sorted; empty for an agent without any."""
    folder = files(__name__) / agent
    if not folder.is_dir():
        return ()
    return tuple(sorted(item.name for item in folder.iterdir() if item.is_file() and not item.name.endswith(".pyc")))


def agents() -> tuple[str, ...]:
    """The agents that have templates, sorted."""
    return tuple(sorted(item.name for item in files(__name__).iterdir()
                        if item.is_dir() and not item.name.startswith("_")))


def read(agent: str, name: str) -> str:
    """The text of a template.

    Raises:
        FileNotFoundError: no such template.
    """
    return (files(__name__) / agent / name).read_text(encoding="utf-8")
