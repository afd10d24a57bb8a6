"""A command as a model, such as an agent's own CLI: question on standard input, answer on standard output.

The command runs in an empty folder and its own process group, with AGENT_MEMORY_INSIDE=1, by which our hooks know
that nothing of it is to be observed; the prompt begins with a mark that says the same to whoever reads the transcript.
It is stopped, with all it started, when its time is over.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import tempfile

from agent_memory.errors import UsageError
from agent_memory.llm.base import INSIDE, CallFailed, Failure, Format, Price, Question, Reply
from agent_memory.text.marker import OWN_CALL


class CommandLlm:
    """Runs one command a question. It cannot enforce a schema, so only plain text is asked for.

    Raises:
        UsageError: the command line is empty or has an open quotation mark.
    """

    def __init__(self, line: str) -> None:
        try:
            self._argv = shlex.split(line, posix=os.name != "nt")
        except ValueError as problem:
            raise UsageError(f"the model command cannot be read: {line!r} ({problem})",
                             hint="Check the quotation marks after `command:`.") from problem
        if not self._argv:
            raise UsageError("the model command is empty", hint="Name a program after `command:`.")
        self.model = f"command:{os.path.basename(self._argv[0])}"

    def complete(self, question: Question, form: Format, *, timeout: float) -> Reply:
        """Run the command once."""
        if form is not Format.TEXT:
            raise CallFailed(Failure.FORMAT, "a command takes plain text only")
        said = (t.text if t.role != "assistant" else f"You answered:\n{t.text}" for t in question.turns)
        prompt = "\n\n".join([OWN_CALL, *said])
        with tempfile.TemporaryDirectory() as folder:
            try:
                process = subprocess.Popen(
                    self._argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder,
                    env={**os.environ, INSIDE: "1"}, start_new_session=True)
            except OSError as problem:
                raise CallFailed(Failure.FATAL, f"{self._argv[0]} cannot be run: {problem.strerror}") from problem
            with process:
                try:
                    out, err = process.communicate(prompt.encode("utf-8", "replace"), timeout=timeout)
                except subprocess.TimeoutExpired as late:
                    raise CallFailed(Failure.TIMEOUT, f"no answer within {timeout:.0f} seconds") from late
                finally:
                    _end(process)
        if process.returncode:
            last = err.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no message"]
            raise CallFailed(Failure.SERVER, f"exit status {process.returncode}: {last[0][:200]}")
        return Reply(out.decode("utf-8", "replace"))

    def price(self) -> Price | None:
        """Not known: a command may be a subscription or a meter."""
        return None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Stop the command and its children, if they still run."""
    if os.name == "nt":
        process.kill()
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        return  # all of them have ended
