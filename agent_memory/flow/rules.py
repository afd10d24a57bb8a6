"""Rules files of agents whose hooks cannot give memory follow what the views say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory import clock
from agent_memory.capture import failures
from agent_memory.errors import InstallError
from agent_memory.install.rules import refresh_rules
from agent_memory.recall.context import build

if TYPE_CHECKING:
    from pathlib import Path

    from agent_memory.flow.place import Place


def refresh(place: Place) -> tuple[Path, ...]:
    """Write what is known now into every rules file that was installed; the files that changed.

    To be called whenever views were written, and after a purge, since these files hold memory outside of the home. A
    file that cannot be written is noted for doctor and does not stop what called this.
    """
    def payload(agent: str, folder: str, room: int) -> str:
        return build(place.home, agent=agent, cwd=folder, budget_chars=room or None, sizes=place.sizes,
                     now=place.now()).text

    try:
        return refresh_rules(place.home, payload)
    except (InstallError, OSError) as problem:
        failures.note(place.home, clock.text(place.now()), "rules", f"{type(problem).__name__}: {problem}")
        return ()
