"""``uninstall``: take our entries out of the agents' configuration again."""

from __future__ import annotations

import click

from agent_memory.cli import options
from agent_memory.cli.install import agents_option, carry_out, project_option, stems, surroundings
from agent_memory.install import plan as planning
from agent_memory.paths import Home


@click.command("uninstall")
@agents_option
@project_option
@options.dry_run
@options.home
@options.as_json
def command(agents: tuple[str, ...], in_project: bool, dry_run: bool, as_json: bool) -> int:
    """Disconnect agents. The memory itself stays.

    A file that nobody has touched since gets its old bytes back; from any other only our entries are taken. Without
    options everything that was ever installed goes, in projects too.
    """
    home = Home.open()
    machine = surroundings(home, in_project=in_project)
    plan = planning.uninstall(home, machine, stems(agents))
    return carry_out(home, plan, dry_run=dry_run, as_json=as_json, nothing="nothing of ours was found")
