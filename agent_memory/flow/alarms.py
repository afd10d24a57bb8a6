"""Plain lines that the next start payload must carry, because capture or a model has been failing unnoticed."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from agent_memory import clock
from agent_memory.capture import failures, inbox
from agent_memory.errors import InstallError, in_brief
from agent_memory.flow import silence

if TYPE_CHECKING:
    from agent_memory.flow.place import Place

_IN_A_ROW = 3


def alarms(place: Place) -> list[str]:
    """What a person should know at the next start; empty if all is well.

    Failures of hooks and of the worker are not among them: `recall.context` looks at those itself, since a worker that
    fails cannot write this.
    """
    return [*_stored(place), *_inbox(place), *_model(place), *_silent(place)]


def _stored(place: Place) -> list[str]:
    aside = place.store.aside()
    return [f"{len(aside)} stored batches could not be applied to the graph; run agent-utilities-memory verify."] \
        if aside else []


def _inbox(place: Place) -> list[str]:
    aside = inbox.aside(place.home)
    if not aside:
        return []
    error = aside[-1][1].strip().splitlines()
    return [f"{len(aside)} hook events could not be learned from and were set aside in inbox/aside"
            + (f" (last error: {error[0][:160]})." if error else ".")]


def _silent(place: Place) -> list[str]:
    """Another agent's sessions that no hook reported; a start of that agent may never come to tell it."""
    try:
        line = silence.alarm(silence.of_place(place))
    except InstallError as problem:
        return [f"{problem.message}. Run agent-utilities-memory doctor."]
    except Exception as problem:  # noqa: BLE001 - a transcript that nobody foresaw must not keep views from being written
        failures.note(place.home, clock.text(place.now()), "silence", in_brief(problem))
        return []
    return [line] if line else []


def _model(place: Place) -> list[str]:
    """A model that gave no usable answer the last times it was asked."""
    if not place.settings.llm_model:
        return []
    with place.store.read() as graph:
        calls = graph.model_calls(place.now() - timedelta(days=7))
    last = calls[-_IN_A_ROW:]
    if len(last) < _IN_A_ROW or any(c.outcome in ("ok", "repaired") for c in last):
        return []
    good = [c.at for c in calls if c.outcome in ("ok", "repaired")]
    since = f"; it last worked on {good[-1]:%Y-%m-%d}" if good else ""
    return [f"The model {last[-1].model} gave no usable answer {_IN_A_ROW} times in a row ({last[-1].outcome}), rules "
            f"are used instead{since}."]
