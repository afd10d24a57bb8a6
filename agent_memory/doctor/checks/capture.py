"""Capture: when did the last hook of each agent arrive, what landed since, and did sessions grow unreported?"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from agent_memory import clock
from agent_memory.capture import heard
from agent_memory.capture.registry import AGENTS
from agent_memory.doctor.finding import Finding
from agent_memory.doctor.subject import Subject
from agent_memory.errors import InstallError
from agent_memory.flow import silence
from agent_memory.roster import TITLES

TITLE = "Capture"
CODES = ("capture-ok", "capture-never", "capture-silent", "capture-tail", "unobserved")


def check(subject: Subject) -> Iterator[Finding]:
    """One finding an agent that is connected, and one for sessions that were not learned from."""
    try:
        since = silence.installed(subject.home)
    except InstallError:
        return  # the check of hooks tells
    peeked = subject.peeked()
    known = heard.load(subject.home)
    missing = [] if peeked is None else silence.silent(
        subject.home, peeked.cursors, since=since, env=subject.machine.env, user_home=subject.machine.user,
        now=subject.now, exclude=subject.exclude())
    for agent in AGENTS:
        mine = [one for one in missing if one.agent == agent]
        title = TITLES.get(agent, agent)
        last = _last(known.get(agent, {}))
        landed = peeked.landed.get(agent) if peeked else None
        heard_words = f"last hook {subject.ago(last[1])} ({last[0]})" if last else "no hook was ever fired"
        told = heard_words + (f", last observation {subject.ago(landed)}" if landed else ", nothing learned yet")
        if any(one.serious for one in mine):
            yield _silent(subject, agent, title, mine, told)
        elif mine:
            yield Finding("warning", "capture-tail", f"{title}: the end of {subject.inside(mine[0].path)} was not "
                          f"reported ({mine[0].unread:,} bytes); {told}", f"run backfill --source {agent}", agent)
        elif last or landed:
            yield Finding("ok", "capture-ok", f"{title}: {told}", "", agent)
        elif agent in since:
            yield Finding("ok", "capture-never", f"{title}: connected, and no hook was fired yet",
                          "start a session of it; then look again", agent)
    if peeked is not None and peeked.unobserved:
        yield Finding("warning", "unobserved", f"{peeked.unobserved} sessions were captured and not learned from yet",
                      "run observe")


def _silent(subject: Subject, agent: str, title: str, mine: list[silence.Silent], told: str) -> Finding:
    serious = [one for one in mine if one.serious]
    newest = max(serious, key=lambda one: one.at)
    number = "a session" if len(serious) == 1 else f"{len(serious)} sessions"
    return Finding("error", "capture-silent", f"{title}: {number} grew and no hook reported it; the newest is "
                   f"{subject.inside(newest.path)} ({subject.ago(newest.at)}); {told}",
                   f"correct what is said about its hooks, or run install --agents {agent}; then run backfill --source "
                   f"{agent} for what was missed", agent)


def _last(kinds: dict[str, heard.Heard]) -> tuple[str, datetime] | None:
    """Kind and time of the last hook."""
    found = []
    for kind, one in kinds.items():
        try:
            found.append((clock.parse(one.at), kind))
        except ValueError:
            continue
    at, kind = max(found, default=(None, ""))
    return None if at is None else (heard.START if kind == heard.BEFORE else kind, at)
