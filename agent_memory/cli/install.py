"""``install``: wire the agents on this machine to the memory."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

import click

from agent_memory.capture import registry as capture
from agent_memory.cli import options, output
from agent_memory.install import apply as applying
from agent_memory.install import plan as planning
from agent_memory.install import registry
from agent_memory.install import status as telling
from agent_memory.install.command import passing, program
from agent_memory.install.machine import Machine, system
from agent_memory.paths import Home, default_root
from agent_memory.projects import identify

VERBS = {"create": "made", "change": "changed", "restore": "given back as it was", "delete": "removed",
         "keep": "left as it is", "refuse": "left alone"}


def agents_option(command: options.F) -> options.F:
    """``--agents claude,codex``, may be repeated."""
    return click.option("--agents", "agents", multiple=True, metavar="NAMES",
                        help="Comma-separated: " + ", ".join(registry.AGENTS) + ".")(command)


def project_option(command: options.F) -> options.F:
    """``--project``: this project's files instead of the user's."""
    return click.option("--project", "in_project", is_flag=True,
                        help="In the project of the present folder instead of for the user.")(command)


def stems(agents: tuple[str, ...]) -> tuple[str, ...]:
    """The stems named by the option's values."""
    return registry.chosen(name for value in agents for name in value.split(","))


def surroundings(home: Home, *, in_project: bool) -> Machine:
    """The machine that the environment describes.

    A data directory that is not the platform's own is written into the hooks, since agents started from a desktop do
    not see the environment of a shell.
    """
    command = program()
    project = Path(identify(os.getcwd()).root) if in_project else None
    return Machine(user=Path.home(), data=home.root, command=command, env=dict(os.environ), system=system(),
                 project=project, home_option=str(home.root.absolute()) if home.root != _usual() else "")


def _usual() -> Path:
    chosen = os.environ.pop("AGENT_MEMORY_HOME", None)
    try:
        return default_root()
    finally:
        if chosen is not None:
            os.environ["AGENT_MEMORY_HOME"] = chosen


@click.command("install")
@agents_option
@project_option
@click.option("--mcp", "server", is_flag=True, help="Also register the MCP server with agents that can use one.")
@click.option("--status", "only_status", is_flag=True, help="Tell what is wired; change nothing.")
@options.dry_run
@options.home
@options.as_json
def command(agents: tuple[str, ...], in_project: bool, server: bool, only_status: bool, dry_run: bool,
            as_json: bool) -> int:
    """Connect agents: hooks that report to the memory and start sessions with it.

    Without --agents every agent found on this machine. Only our own entries are added; what was there before is kept
    and given back by uninstall. With --mcp the agents also start the MCP server; once registered it stays so until
    uninstall.
    """
    home = Home.open()
    machine = surroundings(home, in_project=in_project)
    names = stems(agents)
    if only_status:
        return _tell_status(telling.status(home, machine, names), as_json)
    plan = planning.install(home, machine, names, readable=capture.AGENTS, server=server)
    code = carry_out(home, plan, dry_run=dry_run, as_json=as_json, nothing="no agent was found on this machine")
    if passing(machine.command[0]):
        output.note(f"{machine.command[0]} is in a folder that gets cleaned up; install the program for good "
                    "(pipx, uv tool, a virtual environment) and run this again")
    if in_project and plan.steps:
        output.note("these files hold paths of this machine; keep them out of commits, for example by a line in "
                    ".git/info/exclude")
    return code


def carry_out(home: Home, plan: planning.Plan, *, dry_run: bool, as_json: bool, nothing: str) -> int:
    """Apply ``plan`` (or not) and tell what came of it; 1 if a file had to be left alone."""
    if dry_run:
        outcomes = tuple(applying.Outcome(step, step.action != "refuse", step.message, step.hint)
                         for step in plan.steps)
    else:
        outcomes = applying.apply(home, plan)
    failed = [outcome for outcome in outcomes if not outcome.done]
    if as_json:
        output.envelope({
            "dry_run": dry_run, "absent": plan.absent, "unsupported": plan.unsupported, "unread": plan.unread,
            "unserved": plan.unserved,
            "notes": plan.notes,
            "files": [{"agent": o.step.agent, "path": str(o.step.path), "action": o.step.action, "done": o.done,
                       "message": o.problem or o.step.message, "hint": o.hint} for o in outcomes]})
        return 1 if failed else 0
    for outcome in outcomes:
        _tell(outcome, dry_run=dry_run)
    for name in plan.absent:
        output.note(f"{registry.AGENTS[name].TITLE}: not found, skipped")
    for name in plan.unread:
        output.note(f"{registry.AGENTS[name].TITLE}: this version cannot read its sessions yet, skipped")
    for name in plan.unsupported:
        output.note(f"{registry.AGENTS[name].TITLE}: has no place for this, skipped")
    for name in plan.unserved:
        output.note(f"{registry.AGENTS[name].TITLE}: has no place for the MCP server")
    if not outcomes:
        output.note(nothing)
    touched = {outcome.step.agent for outcome in outcomes if outcome.step.action in ("create", "change")}
    for name, notes in plan.notes.items():
        for text in notes if name in touched else ():
            output.note(f"{registry.AGENTS[name].TITLE}: {text}")
    return 1 if failed else 0


def _tell(outcome: applying.Outcome, *, dry_run: bool) -> None:
    step = outcome.step
    verb = VERBS[step.action] if outcome.done else "left alone"
    if dry_run and outcome.done and step.action not in ("keep", "refuse"):
        verb = {"create": "would be made", "change": "would be changed", "restore": "would be given back as it was",
                "delete": "would be removed"}[step.action]
    reason = outcome.problem or step.message
    output.line(f"{registry.AGENTS[step.agent].TITLE}: {step.path} {verb}" + (f" ({reason})" if reason else ""))
    if not outcome.done and outcome.hint:
        output.note(outcome.hint)
    if dry_run and outcome.done and step.before != step.after:
        before = (step.before or b"").decode("utf-8", "replace").splitlines()
        after = (step.after or b"").decode("utf-8", "replace").splitlines()
        for row in list(difflib.unified_diff(before, after, lineterm="", n=1))[2:]:
            output.line("  " + row)


def _tell_status(status: telling.Status, as_json: bool) -> int:
    if as_json:
        output.envelope({"command": status.command, "runs": status.runs, "agents": [
            {"agent": a.agent, "title": a.title, "present": a.present, "wired": a.wired, "served": a.served,
             "files": a.wires}
            for a in status.agents]})
        return 0
    for agent in status.agents:
        if not agent.present and all(wire.state == "missing" for wire in agent.wires):
            output.line(f"{agent.title}: not on this machine")
            continue
        for wire in agent.wires:
            where = (" MCP server" if wire.kind == "server" else "") + ("" if wire.scope == "user" else " (project)")
            detail = f" ({wire.detail})" if wire.detail else ""
            output.line(f"{agent.title}{where}: {wire.state}, {wire.path}{detail}")
    output.line(f"hooks call: {' '.join(status.command)}" + ("" if status.runs else "  (cannot be run!)"))
    return 0
