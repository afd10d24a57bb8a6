"""``hook EVENT --agent AGENT``: what agents call. Writes one event, starts the worker, answers, ends with 0.

Dispatched by ``__main__`` before anything heavy; imports the standard library and light modules of ours only. A failure
never reaches the agent: it is noted for doctor and the next start.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence

USAGE = """Usage: agent-utilities-memory hook EVENT --agent AGENT [--cwd DIR] [--session ID] [--home DIR]

What agents call. EVENT is session-start, prompt, checkpoint, session-end or notify; the host's JSON comes on stdin
(for notify as last argument). Always ends with 0. Failures: agent-utilities-memory doctor.
"""
_VALUES = {"--agent": "agent", "--cwd": "cwd", "--session": "session", "--home": "home"}
MAX_PAYLOAD = 4 * 1024 * 1024
"""Bytes of a payload that are kept; what is longer is read to the end and counts as no payload."""
STDIN_SECONDS = 2.0
"""A host that leaves stdin open is not waited for longer."""


def main(arguments: Sequence[str]) -> int:
    """Run the hook with the arguments behind its name; the answer is always 0."""
    if "-h" in arguments or "--help" in arguments:
        sys.stdout.write(USAGE)
        return 0
    try:
        _run(arguments)
    except Exception as problem:  # noqa: BLE001 - a hook must never fail its host
        _failed(arguments, _brief(problem))
    return 0


def _options(arguments: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    options: dict[str, str] = {}
    words: list[str] = []
    rest = iter(arguments)
    for word in rest:
        name, sign, value = word.partition("=")
        if name in _VALUES:
            options[_VALUES[name]] = value if sign else next(rest, "")
        else:
            words.append(word)
    return options, words


def _run(arguments: Sequence[str]) -> None:
    options, words = _options(arguments)
    name = words[0] if words else ""
    inline = words[-1] if len(words) > 1 and words[-1].lstrip()[:1] == "{" else None
    raw = inline.encode("utf-8", "replace") if inline is not None else _stdin()
    from agent_memory.capture import hook

    if hook.is_inside():
        return
    from agent_memory import clock
    from agent_memory.paths import Home

    home = Home.open(options.get("home") or None)
    now = clock.now()
    at = clock.text(now)
    problem = ""
    try:
        payload = hook.parse(raw)
    except hook.BadPayload as bad:
        payload, problem = {}, str(bad)
    agent_name = hook.host_of(options.get("agent", ""), payload, os.environ)
    if agent_name in hook.FOREIGN:
        return  # it runs another agent's hooks, and we cannot read its sessions
    event = hook.event_of(name, agent_name, payload, at=at, cwd=options.get("cwd", ""),
                          session=options.get("session", ""))
    try:
        hook.receive(home, event, nanoseconds=time.time_ns())
        _start(home)
    except OSError as failed:
        problem = problem or f"cannot write to the data directory: {failed.strerror}"
    if event.event == "session-start":
        from agent_memory.capture.registry import agent
        from agent_memory.recall.context import build

        try:
            text = build(home, agent=event.agent, cwd=event.cwd or os.getcwd(), task="", now=now).text
        except Exception as failed:  # noqa: BLE001 - a session starts without memory rather than not at all
            text, problem = "", problem or f"no start context: {_brief(failed)}"
        _answer(agent(event.agent).reply(text, event))
    if problem:
        _failed(arguments, problem)


def _start(home: object) -> None:
    from agent_memory.capture import inbox
    from agent_memory.paths import Home

    if isinstance(home, Home) and inbox.waiting(home):
        from agent_memory.service import control

        control.start(home)


def _answer(text: str) -> None:
    data = memoryview(text.encode("utf-8", "replace") + b"\n" if text else b"")
    while data:  # past the buffer of sys.stdout: what a host no longer reads must not fail again at exit
        data = data[os.write(1, data):]


def _stdin() -> bytes:
    """Standard input to its end; b"" for a terminal. Bounded in time and, for what is kept, in size."""
    try:
        handle = sys.stdin.fileno()
        if os.isatty(handle):
            return b""
    except (AttributeError, OSError, ValueError):
        return b""
    parts: list[bytes] = []
    size = 0
    end = time.monotonic() + STDIN_SECONDS
    while True:
        if os.name == "posix":
            import select

            if not select.select([handle], [], [], max(0.0, end - time.monotonic()))[0]:
                break
        piece = os.read(handle, 1 << 16)
        if not piece:
            break
        size += len(piece)
        if size <= MAX_PAYLOAD:
            parts.append(piece)
    return b"".join(parts) if size <= MAX_PAYLOAD else b"too long"


def _brief(problem: Exception) -> str:
    from agent_memory.errors import in_brief

    return str(problem) if type(problem) is ValueError else in_brief(problem)  # ours say what was wrong with the call


def _failed(arguments: Sequence[str], what: str) -> None:
    """Note a failure where doctor finds it; on stderr if even that is impossible. Never quotes the payload."""
    try:
        from agent_memory import clock
        from agent_memory.capture import failures
        from agent_memory.paths import Home

        options, words = _options(arguments)
        noted = failures.note(Home.open(options.get("home") or None), clock.text(clock.now()), "hook", what,
                              agent=options.get("agent", ""), event=words[0] if words else "")
        if not noted:
            sys.stderr.write(f"agent-utilities-memory: {what}\n")
    except Exception:  # noqa: BLE001, S110 - nothing is left to tell
        pass
