"""The command group. Commands are imported when they are called, errors are told in one place."""

from __future__ import annotations

import errno
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Final, NoReturn

import click

from agent_memory import __version__
from agent_memory.cli import output
from agent_memory.errors import AgentMemoryError, HomeError, InternalError
from agent_memory.files import FULL, next_step

COMMANDS: dict[str, tuple[str, str]] = {
    # name: (module below agent_memory.cli, one line of help)
    "observe": ("observe", "Learn from a transcript, or from everything that waits in the inbox."),
    "backfill": ("backfill", "Find old transcripts of an agent and learn from them."),
    "reflect": ("reflect", "Merge, promote, demote and retire memories."),
    "materialize": ("materialize", "Write the Markdown views."),
    "sync": ("sync", "Bring edits of the Markdown views back, then write the views."),
    "watch": ("watch", "Keep syncing until Ctrl-C."),
    "context": ("context_help", "Print the start payload for an agent."),
    "recall": ("recall", "Search the memory."),
    "store": ("store", "Save a typed note."),
    "capture": ("capture", "Store notes from text with headed sections."),
    "save-prompt": ("save_prompt", "Keep what a person asked."),
    "topic-key": ("topic_key", "Suggest a topic key."),
    "review": ("review", "List what is due for review, or say that it still holds."),
    "pin": ("pin", "Keep a memory for good."),
    "unpin": ("unpin", "No longer keep a memory for good."),
    "prune": ("prune", "Archive what was not seen for long."),
    "lint": ("lint", "Tell what does not fit together any more."),
    "conflicts": ("conflicts", "List, find and decide contradictions."),
    "timeline": ("timeline", "Tell sessions in order, or what happened around one memory."),
    "sessions": ("sessions", "Search, list and show sessions."),
    "events": ("events", "Search in tool calls."),
    "subagents": ("subagents", "Search in what subagents did."),
    "project-context": ("project_context", "Tell what was done here recently."),
    "analyze": ("analyze", "Tell which commands make trouble."),
    "forget": ("forget", "Hide memories; can be undone with restore."),
    "restore": ("restore", "Bring a forgotten memory back."),
    "purge": ("purge", "Remove memories for good, from every file."),
    "history": ("history", "Tell the life of one memory."),
    "redact": ("redact", "Apply the present redaction rules to old data."),
    "status": ("status", "Tell what is stored and what waits."),
    "usage": ("usage", "Tell what model calls have cost."),
    "doctor": ("doctor", "Tell what is wrong with hooks, capture and what is stored, and what to do."),
    "verify": ("verify", "Check journal, graph and search file against each other."),
    "rebuild": ("rebuild", "Make graph and search file anew from the journal."),
    "compact": ("compact", "Give unused disk space back."),
    "mcp": ("mcp", "Serve the memory to agents by the Model Context Protocol."),
    "install": ("install", "Connect the agents on this machine; --status tells what is connected."),
    "uninstall": ("uninstall", "Disconnect agents; configuration files are given back as they were."),
    "backup": ("backup", "Create, list or restore backups."),
    "export": ("export", "Print the memory as JSON lines, JSON or Turtle."),
    "import": ("import_", "Read an export."),
    "migrate-engine": ("migrate_engine", "Move the graph to another engine."),
    "hook": ("hook_help", "What agents call; writes one event to the inbox."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported on use, so that ``--help`` and each command stay quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The commands in the order of ``COMMANDS``."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The command of that name, imported now; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"agent_memory.cli.{COMMANDS[cmd_name][0]}")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands from the table, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="agent-utilities-memory")
@click.option("--home", type=click.Path(), metavar="DIR", help="Data directory (else AGENT_MEMORY_HOME, else the "
              "platform's data folder).")
def group(home: str | None) -> None:
    """One local memory for all your coding agents.

    Transcripts go in, a graph holds what was learned, Markdown shows it, and the next session starts with it.
    """
    if home:
        os.environ["AGENT_MEMORY_HOME"] = home


def run(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command and end the process: 0 done, 1 expected error, 2 usage, 3 bug, 130 interrupted."""
    output.prepare_streams()
    as_json = "--json" in (arguments if arguments is not None else sys.argv)
    try:
        code = group.main(args=arguments, prog_name="agent-utilities-memory", standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as problem:
        problem.show()
        sys.exit(2 if isinstance(problem, click.UsageError) else 1)
    except (KeyboardInterrupt, click.Abort):
        click.echo("interrupted", err=True)
        sys.exit(130)
    except AgentMemoryError as problem:
        output.error(problem, as_json=as_json)
        sys.exit(problem.exit_code)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except Exception as bug:  # noqa: BLE001 the last resort: told, logged with its trace, exit 3
        told = _of_the_disk(bug) or _logged(bug)
        output.error(told, as_json=as_json)
        sys.exit(told.exit_code)
    sys.exit(code if isinstance(code, int) else 0)


_DISK: Final = FULL | {errno.EACCES, errno.EPERM, errno.EROFS, errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOTDIR,
                        errno.EISDIR, errno.ELOOP, errno.ENAMETOOLONG, errno.ESTALE, errno.ENODEV}


def _of_the_disk(bug: Exception) -> HomeError | None:
    """What the system refused, such as a full disk or a folder without rights, as an error for people; else None."""
    if not isinstance(bug, OSError) or bug.errno not in _DISK:
        return None
    from agent_memory.paths import Home

    place = bug.filename if isinstance(bug.filename, str) else Home.open().root
    return HomeError(f"cannot use {place}: {bug.strerror}",
                     hint=f"What was stored before is unchanged. {next_step(bug)}")


def _logged(bug: Exception) -> InternalError:
    """The bug as an error for people; its trace (without values of variables) goes to the log file."""
    from agent_memory import logs
    from agent_memory.paths import Home

    home = Home.open()
    trace = "".join(traceback.format_tb(bug.__traceback__))
    logs.set_up(home).error("%s in %s\n%s", type(bug).__name__, " ".join(sys.argv[1:2]), trace)
    return InternalError(f"{type(bug).__name__}: {bug}",
                         hint=f"this is a bug; the trace is in {home.log / 'agent-memory.log'}")
